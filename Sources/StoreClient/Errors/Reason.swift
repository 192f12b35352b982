extension StoreClientError {
    /// A stable UPPER_SNAKE word. The daemon's are listed in proto-docs/ERRORS.md; a newer daemon may send others.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The word as the protocol writes it: `MESSAGE_NOT_FOUND`.
        public let rawValue: String

        /// The reason of that word, which need not be one of those listed here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

/// Reasons this client gives itself: no answer came, or none that it could use.
extension StoreClientError.Reason {
    /// No socket at the given path, or at any of the well-known places.
    public static let socketAbsent = Self(rawValue: "SOCKET_ABSENT")
    /// The socket is there, but this user may not open it.
    public static let socketForbidden = Self(rawValue: "SOCKET_FORBIDDEN")
    /// The socket is there, but nobody answers on it.
    public static let daemonUnreachable = Self(rawValue: "DAEMON_UNREACHABLE")
    /// The connection ended after the call was sent. The call may or may not have had an effect.
    public static let connectionLost = Self(rawValue: "CONNECTION_LOST")
    /// The client was closed.
    public static let clientClosed = Self(rawValue: "CLIENT_CLOSED")
    /// The calling task was cancelled. A call that was already sent may still take effect.
    public static let cancelled = Self(rawValue: "CANCELLED")
    /// The deadline passed, here or in the daemon. A mutation may still have taken effect when it passed here.
    public static let deadlineExceeded = Self(rawValue: "DEADLINE_EXCEEDED")
    /// More calls wait for their turn than `ClientConfiguration.waitingCallsMax`.
    public static let tooManyWaitingCalls = Self(rawValue: "TOO_MANY_WAITING_CALLS")
    /// The request is larger than the largest frame the daemon takes, or has more bytes or entries than its call takes.
    public static let requestTooLarge = Self(rawValue: "REQUEST_TOO_LARGE")
    /// What came is not an answer of the protocol, or not one to this call. Bytes that cannot be told to belong to one
    /// call end every call that waits for its answer on the connection. A mutation may have taken effect.
    public static let answerUnreadable = Self(rawValue: "ANSWER_UNREADABLE")
    /// A file, descriptor or terminal could not be read or written.
    public static let inputOutputFailed = Self(rawValue: "INPUT_OUTPUT_FAILED")
    /// Text that is not the protobuf JSON of a request or response.
    public static let jsonUnreadable = Self(rawValue: "JSON_UNREADABLE")
}
