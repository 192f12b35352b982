import StoreBasics

/// A request that the connection holds until it is answered, and the receiver of its answers.
struct OutgoingCall: Sendable {
    let id: UInt64
    let body: RequestBody
    let terms: CallTerms
    /// Called on the event loop for each answer. The last event is one final answer or one failure.
    let onEvent: @Sendable (CallEvent) -> Void
}

enum CallEvent: Sendable {
    case answer(Answer)
    case failure(StoreClientError)
}

/// An answer that is not decoded yet. The caller decodes it on its own thread.
struct Answer: Sendable {
    /// The serialized Response, with zeros in place of a recovery code. Empty if the answer is a piece.
    let payload: [UInt8]
    let isFinal: Bool
    let recoveryCode: TakeOnce<LockedBytes>?
    /// The piece of a file in the answer, whose bytes were copied only once.
    var piece: FilePiece?
    /// True if the daemon refused the call.
    var isError = false

    func takeRecoveryCode() -> RecoveryCodeOutput? {
        guard let code = recoveryCode?.take() else { return nil }
        return RecoveryCodeOutput(bytes: code)
    }
}

/// A serialized Request without its ID and deadline, which are added when it is sent. So a repetition carries the time
/// that is left then, and the body is serialized only once, on the caller's thread.
struct RequestBody: Sendable {
    var bytes: [UInt8]
    /// Secrets to copy into the frame in place of zeros, with their offsets in `bytes`.
    var secrets: [(range: Range<Int>, box: TakeOnce<LockedBytes>)] = []
    /// True if the answer may contain a recovery code.
    var answersSecret = false
    /// True if a successful answer is a piece of a file.
    var answersPiece = false
}

struct CallTerms: Hashable, Sendable {
    /// True if the call may be sent again on a new connection, because it only reads or has an idempotency key.
    var isRepeatable: Bool
    /// True if the call receives answers until it is cancelled (a watch).
    var isStream = false
    /// True if the daemon may hold the call. The daemon is informed when the caller stops waiting.
    var isHeld = false
    /// True if the call fails at once, instead of waiting, when the daemon is unreachable or closes two connections
    /// without an answer.
    var failsWhenUnreachable = false
    /// The time, in nanoseconds on the connection's clock, at which the caller stops waiting.
    var deadline: UInt64?
}
