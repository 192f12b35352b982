import CNats

extension TransportError {
    /// Creates the error for a failed call of libnats.
    ///
    /// Text from the server is omitted, and errors are described by their number. The only exception is a rejected
    /// configuration, because only the server's text says what is wrong with it.
    ///
    /// - Parameter action: a clause about the failed action, such as `the stream could not be created`.
    init(_ status: natsStatus, error: jsErrCode = jsErrCode(rawValue: 0), _ action: String) {
        let cause =
            Self.cause(of: error) ?? Self.cause(of: status)
            ?? natsStatus_GetText(status).map { String(cString: $0).lowercased() } ?? "status \(status.rawValue)"
        let number = error.rawValue == 0 ? "" : ", JetStream error \(error.rawValue)"
        // If no server answers at all, the library sets the error number for "not enabled". Ignore that number.
        let code = (status == NATS_NO_RESPONDERS ? nil : Self.code(of: error)) ?? Self.code(of: status)
        self.init(code, "\(action): \(cause)\(number)\(Self.hint(for: code))")
    }

    /// Returns a description of errors for which the library has no helpful text.
    private static func cause(of error: jsErrCode) -> String? {
        switch error {
        case JSStreamReplicasNotSupportedErr: "the cluster has fewer servers than stream.replicas requires"
        case JSClusterNoPeersErr: "fewer servers with free space are running than stream.replicas requires"
        case JSStreamNotFoundErr: "the stream does not exist any more"
        case JSStreamInvalidConfig:
            "the servers do not accept the stream's configuration" + (lastText.map { ": \($0)" } ?? "")
        default: nil
        }
    }

    private static func cause(of status: natsStatus) -> String? {
        switch status {
        case NATS_SECURE_CONNECTION_WANTED: "the server does not offer TLS, which the configuration requires"
        case NATS_SSL_ERROR: verification.map { "the server's certificate could not be verified: \($0)" }
        default: nil
        }
    }

    /// OpenSSL's reason for rejecting a certificate, such as `self-signed certificate`, without content of the
    /// certificate.
    private static var verification: Substring? {
        guard let fields = lastText?.split(separator: ":"),
            let depth = fields.firstIndex(where: { $0.hasPrefix("depth=") }), depth > 0
        else { return nil }
        return fields[depth - 1]
    }

    private static let textBytesMax = 200

    /// The library's error text for this thread's last call. A part of it may come from the server.
    private static var lastText: String? {
        guard let text = nats_GetLastError(nil) else { return nil }
        let printable = String(cString: text).unicodeScalars.filter { (" "..."~").contains($0) }.prefix(textBytesMax)
        let words = String(String.UnicodeScalarView(printable))
        // The text begins with the location in the library's source.
        return words.split(separator: "): ", maxSplits: 1).last.map { String($0) }
    }

    /// Returns the code for an error number of JetStream; `nil` if the status of the call determines the code.
    private static func code(of error: jsErrCode) -> Code? {
        switch error {
        case JSClusterNotAvailErr, JSClusterNotLeaderErr, JSClusterNoPeersErr, JSInsufficientResourcesErr,
            JSStreamOfflineErr, JSConsumerOfflineErr:
            .noQuorum
        case JSStreamStoreFailedErr, JSAccountResourcesExceededErr, JSStorageResourcesExceededErr,
            JSMemoryResourcesExceededErr, JSMaximumConsumersLimitErr:
            .streamFull
        case JSStreamMessageExceedsMaximumErr: .tooLarge
        case JSStreamNotFoundErr: .streamMissing
        case JSConsumerNotFoundErr: .followerMissing
        case JSNotEnabledErr, JSNotEnabledForAccountErr: .refused
        case JSStreamNameExistErr, JSStreamReplicasNotUpdatableErr, JSStreamReplicasNotSupportedErr: .streamDiffers
        case JSStreamInvalidConfig: .configuration
        default: nil
        }
    }

    private static func code(of status: natsStatus) -> Code {
        switch status {
        case NATS_NO_SERVER, NATS_IO_ERROR, NATS_CONNECTION_DISCONNECTED, NATS_STALE_CONNECTION,
            NATS_NOT_YET_CONNECTED, NATS_INSUFFICIENT_BUFFER, NATS_SECURE_CONNECTION_WANTED:
            .unreachable
        case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED, NATS_SSL_ERROR, NATS_SECURE_CONNECTION_REQUIRED: .refused
        case NATS_TIMEOUT, NATS_NO_RESPONDERS: .noQuorum
        case NATS_MAX_PAYLOAD: .tooLarge
        case NATS_CONNECTION_CLOSED, NATS_INVALID_SUBSCRIPTION, NATS_DRAINING: .closed
        case NATS_INVALID_ARG, NATS_ADDRESS_MISSING, NATS_INVALID_SUBJECT: .configuration
        default: .unexpected
        }
    }

    private static func hint(for code: Code) -> String {
        switch code {
        case .refused: "; hint: check the credentials, the certificates and the account's rights and JetStream limits"
        case .streamFull: "; hint: give the stream or its account more space"
        case .tooLarge: "; hint: raise stream.message_bytes_max and the servers' max_payload"
        case .configuration, .unreachable, .noQuorum, .streamMissing, .streamDiffers, .followerMissing, .closed,
            .unexpected:
            ""
        }
    }
}

/// Throws if a call of libnats failed.
func check(_ status: natsStatus, _ action: @autoclosure () -> String) throws(TransportError) {
    guard status == NATS_OK else { throw TransportError(status, action()) }
}
