import StoreProtocol

/// A request as the connection holds it until it is answered, and where its answers go.
struct OutgoingCall: Sendable {
    let id: UInt64
    let body: RequestBody
    let terms: CallTerms
    /// Called on the event loop, once per answer; exactly one final answer or one failure comes last.
    let onEvent: @Sendable (CallEvent) -> Void
}

enum CallEvent: Sendable {
    case answer(Answer)
    case failure(StoreClientError)
}

/// One answer, not decoded yet: whoever waits for it does that, on their own thread.
struct Answer: Sendable {
    /// A serialized Response. The bytes of a recovery code in it are zeros.
    let payload: [UInt8]
    let isFinal: Bool
    let recoveryCode: LockedBytesBox?
}

/// A serialized Request without its id and deadline, which are put before it when it is sent: a repetition gets the
/// deadline that is left then, and the body is serialized once, on the caller's thread.
struct RequestBody: Sendable {
    let bytes: [UInt8]
    /// Secrets to be copied into the frame in place of zeros, at offsets of `bytes`.
    var secrets: [(range: Range<Int>, box: LockedBytesBox)] = []
    /// Whether the answer may hold a recovery code.
    var answersSecret = false
}
