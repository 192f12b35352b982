import StoreBasics

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
    /// A serialized Response. The bytes of a recovery code in it are zeros. Empty beside a piece.
    let payload: [UInt8]
    let isFinal: Bool
    let recoveryCode: TakeOnce<LockedBytes>?
    /// Taken out of what was received, with no other copy of its bytes.
    var piece: FilePiece?
    /// True if the daemon refused the call.
    var isError = false

    func takeRecoveryCode() -> RecoveryCodeOutput? {
        guard let code = recoveryCode?.take() else { return nil }
        return RecoveryCodeOutput(bytes: code)
    }
}

/// A serialized Request without its id and deadline, which are put before it when it is sent: a repetition gets the
/// deadline that is left then, and the body is serialized once, on the caller's thread.
struct RequestBody: Sendable {
    var bytes: [UInt8]
    /// Secrets to be copied into the frame in place of zeros, at offsets of `bytes`.
    var secrets: [(range: Range<Int>, box: TakeOnce<LockedBytes>)] = []
    /// Whether the answer may hold a recovery code.
    var answersSecret = false
    /// Whether the answer is a piece of a file, unless it is a failure.
    var answersPiece = false
}

/// How a call wants to be treated by the connection.
struct CallTerms: Hashable, Sendable {
    /// May be sent again on a new connection: it reads, or it carries an idempotency key.
    var isRepeatable: Bool
    /// Gets answers until it is cancelled (a watch).
    var isStream = false
    /// May be held by the daemon, which is told when nobody waits for it any more.
    var isHeld = false
    /// Fails at once when the daemon cannot be reached, or closes two connections without an answer, instead of waiting
    /// for it to come back.
    var failsWhenUnreachable = false
    /// Nanoseconds of the connection's clock after which nobody waits any more.
    var deadline: UInt64?
}
