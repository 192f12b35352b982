/// The addresses of the servers and the credentials for them.
package struct TransportConfiguration: Sendable {
    /// The addresses: `nats://host:port` or `tls://host:port`.
    package var servers: [String]
    /// The name of the connection that the servers' operators see.
    package var clientName: String
    package var certificateAuthorityPath: String?
    /// The path of the client's certificate. `privateKeyPath` is the path of the certificate's private key.
    package var certificatePath: String?
    package var privateKeyPath: String?
    /// The path of the credentials file; see `Credentials`.
    package var credentialsPath: String?
    package var connectTimeout = Duration.seconds(5)
    /// The time to wait for an answer of the stream.
    package var requestTimeout = Duration.seconds(5)

    package init(servers: [String], clientName: String = "ghoststore-sync") {
        self.servers = servers
        self.clientName = clientName
    }

    /// True if the connection must be encrypted, whatever the server requires.
    var isSecure: Bool {
        certificateAuthorityPath != nil || certificatePath != nil || servers.contains { $0.hasPrefix("tls://") }
    }
}

extension Duration {
    /// The whole milliseconds, at least one, as a time limit of libnats.
    var milliseconds: Int64 {
        let parts = components
        return max(1, parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000)
    }

    /// The nanoseconds, at most `Int64.max`. JetStream has all its periods in this unit.
    var nanoseconds: Int64 {
        let parts = components
        let (product, isTooLarge) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : product + parts.attoseconds / 1_000_000_000
    }
}
