import StoreBasics

/// The state machine of one watch across connections. It decides from which revision to subscribe again, when to
/// unsubscribe because the consumer is too slow, and what the consumer receives next. It does no I/O; every event
/// returns the actions to perform.
struct WatchMachine {
    enum Action: Hashable {
        /// Request the changes after a revision of a history; `nil` requests the changes from now on, of any history.
        /// Answers are reported with the subscription's number. `isStart` is true until the daemon has confirmed the
        /// watch for the first time; until then, the deadline of the start applies.
        case subscribe(after: UInt64?, of: HistoryID?, number: Int, isStart: Bool)
        case unsubscribe(number: Int)
        /// Wait before the given attempt, then call `pauseEnded`. Attempt 1 is the first attempt with a pause.
        case pause(attempt: Int)
        /// Wake the consumer, or the task that waits for the start, to check `next` or `standing` again.
        case wake
    }

    /// The next item for the consumer.
    enum Next: Hashable {
        /// A batch, which stays in the machine until `removeBatch`.
        case batch(WatchBatch)
        case failure(StoreClientError)
        /// Nothing yet. The consumer must wait for `wake`.
        case wait
    }

    private enum Subscription: Hashable {
        /// Nothing is requested from the daemon.
        case none
        case active(number: Int)
        /// The buffer was full. The watch subscribes again when the buffer is empty.
        case overflowed
        /// The daemon cannot serve the watch at present. The watch subscribes again after a pause.
        case refused
        case ended(StoreClientError)
    }

    /// The limit for the bytes of waiting batches. The batch that exceeds the limit stays in the buffer, too.
    static let bufferBytesMax = 16 << 20

    private let bufferChangesMax: Int
    private let waitsWhileLocked: Bool
    private var subscription = Subscription.none
    private var nextNumber = 0
    private var batches: [WatchBatch] = []
    private var bufferedChangeCount = 0
    private var bufferedBytes = 0
    /// The number of times in a row that the daemon dropped this watch before it sent a change.
    private var fruitlessDropCount = 0
    /// The number of refusals in a row.
    private var refusalCount = 0
    private var isPausing = false
    /// Every matching change up to this revision has been received.
    private(set) var receivedRevision: UInt64?
    /// The history of the revisions; `nil` until it is known.
    private(set) var history: HistoryID?
    /// The revision at which the daemon confirmed the watch for the first time. Every matching change with a greater
    /// revision is received.
    private var startRevision: UInt64?
    private var hasStood: Bool { startRevision != nil }

    init(
        after revision: UInt64?, of history: HistoryID? = nil, bufferChangesMax: Int, waitsWhileLocked: Bool = true
    ) {
        precondition(bufferChangesMax > 0)
        self.waitsWhileLocked = waitsWhileLocked
        self.history = history
        self.bufferChangesMax = bufferChangesMax
        receivedRevision = revision
    }

    // MARK: The consumer

    mutating func start() -> [Action] {
        precondition(subscription == .none && nextNumber == 0, "a watch must be started only once")
        return subscribe()
    }

    /// Returns the revision at which the watch began; `nil` while the daemon has not confirmed it.
    func standing() throws(StoreClientError) -> UInt64? {
        if case .ended(let error) = subscription, !hasStood {
            throw error
        }
        return startRevision
    }

    /// The revision up to which everything was consumed, as far as this machine knows; `nil` until the daemon has
    /// confirmed the watch, and while this machine holds a batch.
    var consumedRevision: UInt64? {
        batches.isEmpty && hasStood ? receivedRevision : nil
    }

    /// True while there is neither a batch for the consumer nor an error.
    var mustConsumerWait: Bool {
        if case .ended = subscription {
            return false
        }
        return batches.isEmpty
    }

    /// True until the daemon has confirmed the watch for the first time, or the watch has ended.
    var isStarting: Bool {
        if case .ended = subscription {
            return false
        }
        return !hasStood
    }

    /// The next item. Changes that were received before a failure come first.
    var next: Next {
        if let oldest = batches.first {
            return .batch(oldest)
        }
        if case .ended(let error) = subscription {
            return .failure(error)
        }
        return .wait
    }

    /// Removes the oldest batch, which then belongs to the consumer.
    mutating func removeBatch() -> [Action] {
        precondition(!batches.isEmpty, "no batch of changes is waiting")
        let batch = batches.removeFirst()
        bufferedChangeCount -= batch.changeCount
        bufferedBytes -= batch.payload.count
        return resubscribeIfDrained()
    }

    /// Ends the watch, because the consumer has stopped or cannot continue.
    mutating func end(_ error: StoreClientError) -> [Action] {
        defer { subscription = .ended(error) }
        switch subscription {
        case .active(let number): return [.unsubscribe(number: number), .wake]
        case .none, .overflowed, .refused: return [.wake]
        case .ended: return []
        }
    }

    // MARK: The daemon

    mutating func received(_ batch: WatchBatch, number: Int) -> [Action] {
        guard subscription == .active(number: number) else { return [] }
        if startRevision == nil {
            // The first event starts after the start revision, and revisions have no gaps, so the start revision is the
            // event's revision minus the number of its changes.
            startRevision = receivedRevision ?? batch.revision - min(UInt64(batch.changeCount), batch.revision)
        }
        receivedRevision = batch.revision
        history = history ?? batch.history
        refusalCount = 0
        guard batch.changeCount > 0 else { return [.wake] }
        batches.append(batch)
        fruitlessDropCount = 0
        bufferedChangeCount += batch.changeCount
        bufferedBytes += batch.payload.count
        guard bufferedChangeCount <= bufferChangesMax, bufferedBytes <= Self.bufferBytesMax else {
            subscription = .overflowed
            return [.unsubscribe(number: number), .wake]
        }
        return [.wake]
    }

    /// Records that the daemon or the connection ended the subscription.
    mutating func failed(_ error: StoreClientError, number: Int) -> [Action] {
        guard subscription == .active(number: number) else { return [] }
        switch error.reason {
        case .connectionLost, .shuttingDown:
            return subscribe()
        case .watchBacklogExceeded:
            subscription = .overflowed
            fruitlessDropCount += 1
            guard fruitlessDropCount > 1 else { return resubscribeIfDrained() }
            isPausing = true
            return [.pause(attempt: fruitlessDropCount - 1)]
        case .queueFull, .memoryExhausted, .storeBusy:
            return pauseAfterRefusal()
        case .storeLocked where waitsWhileLocked && hasStood:
            return pauseAfterRefusal()
        default:
            subscription = .ended(error)
            return [.wake]
        }
    }

    mutating func pauseEnded() -> [Action] {
        isPausing = false
        return subscription == .refused ? subscribe() : resubscribeIfDrained()
    }

    /// Returns whether answers for a subscription are still wanted.
    func isActive(_ number: Int) -> Bool {
        subscription == .active(number: number)
    }

    // MARK: Steps

    private mutating func pauseAfterRefusal() -> [Action] {
        subscription = .refused
        refusalCount += 1
        isPausing = true
        return [.pause(attempt: refusalCount)]
    }

    private mutating func resubscribeIfDrained() -> [Action] {
        guard subscription == .overflowed, batches.isEmpty, !isPausing else { return [] }
        return subscribe()
    }

    private mutating func subscribe() -> [Action] {
        let number = nextNumber
        nextNumber += 1
        subscription = .active(number: number)
        return [.subscribe(after: receivedRevision, of: history, number: number, isStart: !hasStood)]
    }
}
