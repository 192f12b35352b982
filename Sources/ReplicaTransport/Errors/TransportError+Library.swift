import CNats

extension TransportError {
    /// What a call of libnats answered.
    ///
    /// The text that a server may have sent is left out: what it says goes by its number. A configuration that it
    /// refuses is the exception, for only the text tells what of it.
    ///
    /// - Parameter action: what could not be done, such as `the stream could not be made`.
    init(_ status: natsStatus, error: jsErrCode = jsErrCode(rawValue: 0), _ action: String) {
        let cause =
            Self.cause(of: error) ?? Self.cause(of: status)
            ?? natsStatus_GetText(status).map { String(cString: $0).lowercased() } ?? "status \(status.rawValue)"
        let number = error.rawValue == 0 ? "" : ", JetStream error \(error.rawValue)"
        // The library adds the number of "not enabled" where nobody answers at all.
        let code = (status == NATS_NO_RESPONDERS ? nil : Self.code(of: error)) ?? Self.code(of: status)
        self.init(code, "\(action): \(cause)\(number)\(Self.hint(for: code))")
    }

    /// In words, where the library has none that help.
    private static func cause(of error: jsErrCode) -> String? {
        switch error {
        case JSStreamReplicasNotSupportedErr: "the cluster has fewer servers than stream.replicas"
        case JSClusterNoPeersErr: "fewer servers than stream.replicas are running or have free space"
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

    /// What OpenSSL has against a certificate, such as `self-signed certificate`; not what the certificate says.
    private static var verification: Substring? {
        guard let fields = lastText?.split(separator: ":"),
            let depth = fields.firstIndex(where: { $0.hasPrefix("depth=") }), depth > 0
        else { return nil }
        return fields[depth - 1]
    }

    private static let textBytesMax = 200

    /// What the library noted of this thread's last call, of which the server may have sent a part.
    private static var lastText: String? {
        guard let text = nats_GetLastError(nil) else { return nil }
        let printable = String(cString: text).unicodeScalars.filter { (" "..."~").contains($0) }.prefix(textBytesMax)
        let words = String(String.UnicodeScalarView(printable))
        // It begins with the place in the library's source.
        return words.split(separator: "): ", maxSplits: 1).last.map { String($0) }
    }

    /// `nil` where the number says nothing, or nothing that is known here.
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

/// Throws where a call of libnats did not succeed.
func check(_ status: natsStatus, _ action: @autoclosure () -> String) throws(TransportError) {
    guard status == NATS_OK else { throw TransportError(status, action()) }
}
