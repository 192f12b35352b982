import CNats
import StoreBasics

/// The natsOptions of libnats, destroyed at deinit.
struct ConnectionOptions: ~Copyable {
    let pointer: OpaquePointer

    /// The number of attempts to reconnect to a server, with about a second between them. Afterwards the connection is
    /// closed, and a new one is opened with newly read credentials.
    private static let reconnectsMax: Int32 = 60
    private static let reconnectWait = Duration.milliseconds(500)
    private static let reconnectJitter = Duration.milliseconds(1_000)
    /// The interval of pings. The connection to a server that does not answer two of them is closed.
    private static let pingInterval = Duration.seconds(5)
    private static let pingsUnansweredMax: Int32 = 2
    /// The size of the buffer for data that is sent while there is no connection. If the buffer is full, sending fails
    /// at once.
    private static let reconnectBufferBytes: Int32 = 1 << 20

    /// - Throws: `TransportError`, with code `.configuration` for an invalid file or address.
    static func make(_ configuration: TransportConfiguration) throws(TransportError) -> ConnectionOptions {
        var made: OpaquePointer?
        let status = natsOptions_Create(&made)
        guard status == NATS_OK, let made else { throw TransportError(status, "the connection could not be prepared") }
        let options = ConnectionOptions(owning: made)
        try options.setServers(configuration)
        try options.setTimes(configuration)
        try options.setSecurity(configuration)
        if let path = configuration.credentialsPath {
            try options.setCredentials(Credentials(readingFrom: path))
        }
        return options
    }

    private init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        natsOptions_Destroy(pointer)
    }

    private func setServers(_ configuration: TransportConfiguration) throws(TransportError) {
        guard !configuration.servers.isEmpty else { throw TransportError(.configuration, "no server is configured") }
        let status = withCStrings(configuration.servers) { texts in
            var addresses = texts.dropLast().map { UnsafePointer($0) }
            return natsOptions_SetServers(pointer, &addresses, Int32(addresses.count))
        }
        guard status == NATS_OK else {
            throw TransportError(
                .configuration, "the address of a server is not valid; hint: write it as nats://host:4222")
        }
        // A server announces other servers before TLS has authenticated it. Ignore the announced servers, because the
        // configuration contains all servers.
        try check(
            natsOptions_SetIgnoreDiscoveredServers(pointer, true),
            "the connection could not be limited to the configured servers")
        try check(natsOptions_SetName(pointer, configuration.clientName), "the name of the connection could not be set")
    }

    private func setTimes(_ configuration: TransportConfiguration) throws(TransportError) {
        let jitter = Self.reconnectJitter.milliseconds
        let statuses = [
            natsOptions_SetTimeout(pointer, configuration.connectTimeout.milliseconds),
            natsOptions_SetMaxReconnect(pointer, Self.reconnectsMax),
            natsOptions_SetReconnectWait(pointer, Self.reconnectWait.milliseconds),
            natsOptions_SetReconnectJitter(pointer, jitter, jitter),
            natsOptions_SetReconnectBufSize(pointer, Self.reconnectBufferBytes),
            natsOptions_SetPingInterval(pointer, Self.pingInterval.milliseconds),
            natsOptions_SetMaxPingsOut(pointer, Self.pingsUnansweredMax),
            natsOptions_SetFailRequestsOnDisconnect(pointer, true),
            natsOptions_SetNoEcho(pointer, true),
            // Replace the library's own handler, which writes to standard error.
            natsOptions_SetErrorHandler(pointer, { _, _, _, _ in }, nil),
        ]
        for status in statuses {
            try check(status, "the connection could not be prepared")
        }
    }

    private func setSecurity(_ configuration: TransportConfiguration) throws(TransportError) {
        guard configuration.isSecure else { return }
        try check(natsOptions_SetSecure(pointer, true), "TLS could not be prepared")
        if let path = configuration.certificateAuthorityPath {
            guard natsOptions_LoadCATrustedCertificates(pointer, path) == NATS_OK else {
                throw TransportError(.configuration, "the file of certificate authorities cannot be used: \(path)")
            }
        }
        guard let path = configuration.certificatePath else { return }
        guard let keyPath = configuration.privateKeyPath else {
            throw TransportError(
                .configuration,
                "the certificate \(path) is configured without its key; hint: set nats.private_key to the key's file")
        }
        guard natsOptions_LoadCertificatesChain(pointer, path, keyPath) == NATS_OK else {
            throw TransportError(
                .configuration, "the certificate or its key cannot be used; hint: check \(path), \(keyPath)")
        }
    }

    private func setCredentials(_ credentials: Credentials) throws(TransportError) {
        switch credentials {
        case .chained(let path):
            try check(
                natsOptions_SetUserCredentialsFromFiles(pointer, path, nil), "the credentials cannot be used")
        case .password(let line):
            // libnats copies the name and the password, so this copy is wiped afterwards.
            var text = line + [0]
            let status = text.withUnsafeMutableBytes { buffer -> natsStatus in
                defer { buffer.initializeMemory(as: UInt8.self, repeating: 0) }
                guard let colon = buffer.firstIndex(of: UInt8(ascii: ":")), let start = buffer.baseAddress else {
                    return NATS_INVALID_ARG
                }
                buffer[colon] = 0
                let name = start.assumingMemoryBound(to: CChar.self)
                return natsOptions_SetUserInfo(pointer, name, name + colon + 1)
            }
            try check(status, "the credentials cannot be used")
        }
    }
}
