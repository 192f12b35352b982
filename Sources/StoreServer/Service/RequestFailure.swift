internal import StoreEngine
internal import StoreProtocol

/// Why a request is refused, as the wire tells it.
struct RequestFailure: Error, Hashable, Sendable {
    let reason: ErrorReason
    /// Lower case, cause first, then a hint. Never holds content or key material.
    let message: String
    var retryAfterMilliseconds: UInt64?

    init(_ reason: ErrorReason, _ message: String, retryAfterMilliseconds: UInt64? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    init(_ error: StoreError) {
        self.init(
            ErrorReason(error.reason), error.message, retryAfterMilliseconds: error.retryAfterMilliseconds)
    }

    static func invalidArgument(_ message: String) -> RequestFailure {
        RequestFailure(.invalidArgument, message)
    }
}
