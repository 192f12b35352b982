extension StoreClientError {
    /// The reason of an error: a stable UPPER_SNAKE word. proto-docs/ERRORS.md lists the daemon's reasons; a newer
    /// daemon may send others.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word in the protocol: `MESSAGE_NOT_FOUND`.
        public let rawValue: String

        /// Creates a reason from its word, which need not be listed here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

/// Reasons that this client creates itself, because it received no answer or an unusable one.
extension StoreClientError.Reason {
    /// There is no socket at the given path, or at any of the well-known paths.
    public static let socketAbsent = Self(rawValue: "SOCKET_ABSENT")
    /// The socket exists, but this user may not open it.
    public static let socketForbidden = Self(rawValue: "SOCKET_FORBIDDEN")
    /// The socket exists, but no process answers on it.
    public static let daemonUnreachable = Self(rawValue: "DAEMON_UNREACHABLE")
    /// The connection ended after the call was sent. The call may or may not have had an effect.
    public static let connectionLost = Self(rawValue: "CONNECTION_LOST")
    /// The client was closed.
    public static let clientClosed = Self(rawValue: "CLIENT_CLOSED")
    /// The calling task was cancelled. A call that was already sent may still take effect.
    public static let cancelled = Self(rawValue: "CANCELLED")
    /// The deadline passed, here or in the daemon. If it passed here, a mutation may still have taken effect.
    public static let deadlineExceeded = Self(rawValue: "DEADLINE_EXCEEDED")
    /// More calls wait for their turn than `ClientConfiguration.waitingCallsMax`.
    public static let tooManyWaitingCalls = Self(rawValue: "TOO_MANY_WAITING_CALLS")
    /// The request is larger than the largest frame that the daemon accepts, or exceeds the limit of bytes or entries
    /// of its call.
    public static let requestTooLarge = Self(rawValue: "REQUEST_TOO_LARGE")
    /// The daemon sent invalid bytes, or an answer that does not fit the call. Bytes that cannot be assigned to one
    /// call end every call that waits for its answer on the connection. A mutation may have taken effect.
    public static let answerUnreadable = Self(rawValue: "ANSWER_UNREADABLE")
    /// A file, descriptor or terminal could not be read or written.
    public static let inputOutputFailed = Self(rawValue: "INPUT_OUTPUT_FAILED")
    /// The text is not the protobuf JSON of a request or response.
    public static let jsonUnreadable = Self(rawValue: "JSON_UNREADABLE")
}
