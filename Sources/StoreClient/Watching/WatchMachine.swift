import StoreBasics

/// One watch across connections: what was received and not taken yet, from which revision to subscribe again, and
/// when to stop listening because the consumer is too slow. Does no I/O; every event returns the actions to perform.
struct WatchMachine {
    enum Action: Hashable {
        /// Ask the daemon for the changes after a revision of a history; `nil` means from now on, and of any. What
        /// comes back is reported with the subscription's number. Until the watch has stood once, its start's deadline
        /// holds.
        case subscribe(after: UInt64?, of: HistoryID?, number: Int, isStart: Bool)
        /// Nothing more is wanted of this subscription.
        case unsubscribe(number: Int)
        /// Wait before the given attempt (1 is the first one that waits), then call `pauseEnded`.
        case pause(attempt: Int)
        /// The consumer, or whoever waits for the watch to stand, can go on: look at `next` or `standing` again.
        case wake
    }

    /// What there is for the consumer.
    enum Next: Hashable {
        /// Here until `takeBatch`.
        case batch(WatchBatch)
        case failure(StoreClientError)
        /// Nothing yet: wait for `wake`.
        case wait
    }

    private enum Subscription: Hashable {
        /// Nothing is asked of the daemon.
        case none
        case active(number: Int)
        /// The buffer was full: subscribed again once it is empty.
        case overflowed
        /// The daemon cannot serve the watch at present: it subscribes again after a pause.
        case refused
        case ended(StoreClientError)
    }

    /// Of batches that wait for the consumer; the one that exceeds it is kept too.
    static let bufferBytesMax = 16 << 20

    private let bufferChangesMax: Int
    private let waitsWhileLocked: Bool
    private var subscription = Subscription.none
    private var nextNumber = 0
    private var batches: [WatchBatch] = []
    private var bufferedChangeCount = 0
    private var bufferedBytes = 0
    /// How often in a row the daemon dropped this watch before it sent a change.
    private var fruitlessDropCount = 0
    /// The number of refusals in a row.
    private var refusalCount = 0
    private var isPausing = false
    /// Every matching change up to here has been received.
    private(set) var receivedRevision: UInt64?
    /// The history that the revisions are of; `nil` until it is known.
    private(set) var history: HistoryID?
    /// Where the watch stood when the daemon confirmed it for the first time: every matching change with a greater
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

    /// The revision at which the watch began; `nil` while the daemon has not confirmed it.
    func standing() throws(StoreClientError) -> UInt64? {
        if case .ended(let error) = subscription, !hasStood {
            throw error
        }
        return startRevision
    }

    /// Everything up to here has been taken, as far as this machine knows; `nil` while it holds something.
    var takenRevision: UInt64? {
        batches.isEmpty && hasStood ? receivedRevision : nil
    }

    /// Whether the consumer has to wait.
    var hasNothingToTake: Bool {
        if case .ended = subscription {
            return false
        }
        return batches.isEmpty
    }

    /// Whether whoever started the watch has to wait.
    var isStarting: Bool {
        if case .ended = subscription {
            return false
        }
        return !hasStood
    }

    /// What was received before a failure comes first.
    var next: Next {
        if let oldest = batches.first {
            return .batch(oldest)
        }
        if case .ended(let error) = subscription {
            return .failure(error)
        }
        return .wait
    }

    /// The oldest batch is the consumer's from now on.
    mutating func takeBatch() -> [Action] {
        precondition(!batches.isEmpty, "no batch of changes is waiting")
        let batch = batches.removeFirst()
        bufferedChangeCount -= batch.changeCount
        bufferedBytes -= batch.payload.count
        return resubscribeIfDrained()
    }

    /// The consumer has gone, or cannot go on.
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
            // What the first event holds is after the start; revisions have no gaps.
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

    /// The subscription ended without being asked to.
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

    /// Whether what a subscription brings is wanted.
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
