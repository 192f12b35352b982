import StoreBasics
import StoreEngine
import StoreProtocol

/// What a request waits for.
enum WaitSubject: Sendable {
    /// Something to read in a log.
    case log(LogQuery)
    /// Something to take to the log of the store's group.
    case replicaMessages(ReplicaTake)

    /// What it is told of.
    var topic: FollowerIndex.Topic {
        switch self {
        case .log(let query): .log(query.log)
        case .replicaMessages: .replication
        }
    }

    /// Why its caller may not begin it, or not wait on, since a reload.
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

/// A read that is answered when there is something to read. No I/O, no clock.
///
/// Its owner reads whenever it is told to, answers with what it has read, and reports a read that found nothing.
struct WaitingRead {
    /// What to do after an event.
    enum Step {
        case nothing
        case read
        case answer(Answer)
    }

    private enum State {
        /// A read is under way. `mustReadAgain`: something may have come since it began.
        case reading(mustReadAgain: Bool)
        /// A read is under way, the last one. When it finds nothing the answer is the failure, else that it is nothing.
        case ending(StoreError?)
        /// Nothing was there to read: what to answer when the time is over.
        case waiting(Answer)
    }

    let subject: WaitSubject
    /// A wait begins with a read.
    private var state = State.reading(mustReadAgain: false)

    init(_ subject: WaitSubject) {
        self.subject = subject
    }

    /// Something happened to what it reads.
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

    /// The read found nothing, which `empty` says.
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

    /// What answers it instead of a read that has not begun: it must not go on.
    var endsUnread: Step? {
        if case .ending(let failure?) = state { .answer(.failure(failure)) } else { nil }
    }

    /// Its time is over, or its caller does not want it any more (`failure` `nil`), or it must not go on.
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
