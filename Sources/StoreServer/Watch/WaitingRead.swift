import StoreBasics
import StoreEngine
import StoreProtocol

/// The data that a waiting read waits for.
enum WaitSubject: Sendable {
    /// Entries of an append log.
    case log(LogQuery)
    /// Messages for the stream of the store's replica group.
    case replicaMessages(OutgoingRequest)

    /// The topic whose events wake the waiting read.
    var topic: FollowerIndex.Topic {
        switch self {
        case .log(let query): .log(query.log)
        case .replicaMessages: .replication
        }
    }

    /// Returns the reason why these rights, which a reload has changed, forbid the wait; `nil` if they allow it.
    func refusal(_ permissions: CallPermissions, uid: UInt32) -> StoreError? {
        switch self {
        case .log(let query):
            guard !permissions.allows(.readLog, name: query.log.text) else { return nil }
            return StoreError(.permissionDenied, "user \(uid) has no right to read this log any more")
        case .replicaMessages:
            guard !permissions.allows(.takeReplicaMessages) else { return nil }
            return StoreError(
                .permissionDenied,
                """
                user \(uid) has no right to read outgoing messages of the replica group any more
                """)
        }
    }
}

/// The state machine of a read that is answered when there is something to read. It does no I/O and has no clock.
///
/// Its owner reads whenever a step says so, answers with the result, and reports a read that found nothing.
struct WaitingRead {
    /// The owner's next action after an event.
    enum Step {
        case nothing
        case read
        case answer(Answer)
    }

    private enum State {
        /// A read is running. `mustReadAgain` is true if an event arrived since the read began.
        case reading(mustReadAgain: Bool)
        /// A read is running and no other one will follow. If it finds nothing, the answer is the failure, or the empty
        /// answer if there is no failure.
        case ending(StoreError?)
        /// No read is running, because the previous one found nothing. The value is the empty answer, which is sent if
        /// the time ends before an event arrives.
        case waiting(Answer)
    }

    let subject: WaitSubject
    /// A wait begins with a read.
    private var state = State.reading(mustReadAgain: false)

    init(_ subject: WaitSubject) {
        self.subject = subject
    }

    /// Records an event about the subject.
    mutating func touched() -> Step {
        switch state {
        case .reading:
            state = .reading(mustReadAgain: true)
            return .nothing
        case .ending:
            return .nothing
        case .waiting:
            state = .reading(mustReadAgain: false)
            return .read
        }
    }

    /// Records that the read found nothing; `empty` is the answer that says so.
    mutating func readNothing(_ empty: Answer) -> Step {
        switch state {
        case .reading(mustReadAgain: true):
            state = .reading(mustReadAgain: false)
            return .read
        case .reading(mustReadAgain: false), .waiting:
            state = .waiting(empty)
            return .nothing
        case .ending(let failure):
            return .answer(failure.map { .failure($0) } ?? empty)
        }
    }

    /// The step to take in place of a read that has not begun. If the wait must not continue, the step answers with the
    /// failure without reading. It is `nil` if the read is still needed.
    var endsUnread: Step? {
        if case .ending(let failure?) = state { .answer(.failure(failure)) } else { nil }
    }

    /// Ends the wait: with a failure if it must not continue, with `nil` if its time is over or its caller cancelled
    /// it.
    mutating func end(_ failure: StoreError?) -> Step {
        switch state {
        case .ending(let earlier?):
            state = .ending(earlier)
            return .nothing
        case .reading, .ending(nil):
            state = .ending(failure)
            return .nothing
        case .waiting(let empty):
            return .answer(failure.map { .failure($0) } ?? empty)
        }
    }
}
