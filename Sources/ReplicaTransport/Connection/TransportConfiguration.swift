/// Where the servers are, and what they are shown.
package struct TransportConfiguration: Sendable {
    /// `nats://host:port` or `tls://host:port`.
    package var servers: [String]
    /// What the servers' operators see of this connection.
    package var clientName: String
    package var certificateAuthorityPath: String?
    /// Of the client, with the file of its key.
    package var certificatePath: String?
    package var privateKeyPath: String?
    /// See `Credentials`.
    package var credentialsPath: String?
    package var connectTimeout = Duration.seconds(5)
    /// How long an answer of the stream is waited for.
    package var requestTimeout = Duration.seconds(5)

    package init(servers: [String], clientName: String = "ghoststore-sync") {
        self.servers = servers
        self.clientName = clientName
    }

    /// Whether the connection is to be encrypted whatever the server says.
    var isSecure: Bool {
        certificateAuthorityPath != nil || certificatePath != nil || servers.contains { $0.hasPrefix("tls://") }
    }
}

extension Duration {
    /// Whole milliseconds, at least one: what libnats takes for a time limit.
    var milliseconds: Int64 {
        let parts = components
        return max(1, parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000)
    }

    /// What JetStream takes for times; as many as there is room for.
    var nanoseconds: Int64 {
        let parts = components
        let (product, isTooLarge) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : product + parts.attoseconds / 1_000_000_000
    }
}
