import DequeModule
import StoreBasics

/// The work that waits for the writer thread, limited in number and bytes.
struct WriteQueue {
    typealias Completion = @Sendable (Result<MutationResult, StoreError>) -> Void
    typealias Item = FairQueue<Write>.Item

    /// A queued write. It is an object, so that the request is not copied on its way.
    ///
    /// `@unchecked Sendable` because only the thread that holds the writer lock uses the variable parts.
    final class Write: @unchecked Sendable {
        let request: WriteRequest
        let completion: Completion
        /// The progress of the write's earlier commits; `nil` before the first.
        private(set) var progress: (any WorkProgress)?
        /// The history in which the write was begun; `nil` if certainly none of its work was done.
        private var historyBegunIn: HistoryID?
        /// When the write was queued, according to `MonotonicClock`; 0 if its mutation is not paced.
        fileprivate let begunAt: UInt64
        /// True if the write is in the queue `paced`. A client's write is there too if earlier paced work of its
        /// connection still waits.
        fileprivate(set) var isPaced = false

        init(request: WriteRequest, completion: @escaping Completion) {
            self.request = request
            self.completion = completion
            begunAt = request.mutation.isPaced ? MonotonicClock.nanoseconds : 0
        }

        /// The history in which the write can be performed. If the store has another history, the write is refused.
        /// `nil` for any history.
        var history: HistoryID? { historyBegunIn ?? request.history }

        /// Records the progress of a commit. The rest can be performed only in the same history, because numbers in the
        /// progress mean something else in another history.
        func recordProgress(_ progress: any WorkProgress, in history: HistoryID) {
            self.progress = progress
            if hasBegun {
                historyBegunIn = history
            }
        }

        var item: Item {
            Item(
                work: self, owner: request.owner, cost: request.mutation.rowCount + request.byteCount / 1_024,
                byteCount: request.byteCount)
        }

        /// True if the write takes so little time that a caller's thread may perform it.
        var isShort: Bool {
            request.mutation.isShort && request.byteCount <= EngineLimits.shortWriteBytesMax
        }

        /// The seconds since the paced write was queued.
        var ageSeconds: UInt64 { (MonotonicClock.nanoseconds - begunAt) / 1_000_000_000 }

        /// True if a client waits for the write, and not only the store itself or its replica group.
        var isOfClient: Bool { !request.mutation.isPaced && request.owner != .daemon }

        /// True if a part of the write's work may be done already.
        var hasBegun: Bool { progress?.hasBegun ?? false }
    }

    /// Work that has the writer for itself, between two batches.
    struct Exclusive {
        let turn: Turn
        let body: @Sendable (WriterContext) -> Void
    }

    enum Turn {
        /// After the running batch.
        case next
        /// When no write waits, or at this time of `MonotonicClock`.
        case afterWrites(until: UInt64)
    }

    typealias PagesCommitted = @Sendable (Result<Void, StoreError>) -> Void

    enum Next {
        case group([Item])
        /// Readers wait for acknowledged writes.
        case commitPages([PagesCommitted])
        case exclusive(@Sendable (WriterContext) -> Void)
        /// A caller checks that the thread makes progress.
        case question(@Sendable () -> Void)
        /// Threads of callers have written in place of the writer thread.
        case lookAgain
        /// The pause between two paced steps is over, or the first paced work has arrived.
        case pacedTurn
        case idle
        case stop
    }

    private let writes = FairQueue<Write>(
        capacity: .init(items: EngineLimits.writeQueueRequestsMax, bytes: EngineLimits.writeQueueBytesMax),
        turnCost: EngineLimits.turnCost)
    /// Paced writes, which get only a share of the time.
    private let paced = FairQueue<Write>(
        capacity: .init(items: EngineLimits.writeQueueRequestsMax, bytes: EngineLimits.replicaQueueBytesMax),
        turnCost: EngineLimits.turnCost)
    private var pace = ReplicaPace()
    private var exclusives: Deque<Exclusive> = []
    private var questions: Deque<@Sendable () -> Void> = []
    private var waitingReaders: [PagesCommitted] = []
    private var isExclusivesTurn = true
    /// True from the moment when exclusive work was returned until the next work is requested.
    private var isExclusiveRunning = false
    private(set) var isStopping = false
    var writerLock = WriterLock()
    private var isStopped = false
    private var hasCommittedForExclusive = false
    /// The reason for which the pages could not be committed before exclusive work.
    private var pagesFailure: StoreError?

    var count: Int { writes.count + paced.count + exclusives.count }

    /// Returns true if exclusive work waits, or if a write waits whose user has no write in this batch.
    func hasWork(besidesThatOf group: [Item]) -> Bool {
        !exclusives.isEmpty
            || writes.hasWork { userID in !group.contains { $0.owner.userID == userID } }
    }

    /// Returns true if the next write is small and its user has no write in this batch.
    func hasSmallWork(besidesThatOf group: [Item]) -> Bool {
        guard exclusives.isEmpty, let next = writes.upcoming else { return false }
        return next.cost <= EngineLimits.turnCost && !group.contains { $0.owner.userID == next.owner.userID }
    }

    /// Queues a write, or rejects it.
    ///
    /// - Throws: `.queueFull` with the time after which the client may try again, or `.shuttingDown`.
    mutating func append(_ write: Write) throws(StoreError) {
        try checkRunning()
        let owner = write.request.owner
        // A write joins the queue in which other writes of its connection wait, so that these writes keep their order.
        write.isPaced = write.request.mutation.isPaced ? !writes.hasWork(of: owner) : paced.hasWork(of: owner)
        if write.isOfClient {
            pace.recordClientWrite(at: MonotonicClock.nanoseconds)
        }
        guard (write.isPaced ? paced : writes).append(write.item) else {
            throw StoreError(
                .queueFull, "too many writes are waiting; try again a little later", retryAfterMilliseconds: 100)
        }
    }

    mutating func append(_ exclusive: Exclusive) throws(StoreError) {
        try checkRunning()
        exclusives.append(exclusive)
    }

    /// - Returns: False while exclusive work runs. The question is then not queued, because such work may take any
    ///   time.
    mutating func append(question: @escaping @Sendable () -> Void) -> Bool {
        guard !isExclusiveRunning else { return false }
        questions.append(question)
        return true
    }

    /// Queues a request of a reader to commit the pages of acknowledged writes.
    ///
    /// - Returns: `nil` if `done` will be called later; otherwise the outcome, and `done` is not called. While
    ///   exclusive work runs, the result is the outcome of the previous commit, because the exclusive work may itself
    ///   wait for the reader. After the queue was stopped, the outcome is success, because there is nothing left to
    ///   commit.
    mutating func append(commitPages done: @escaping PagesCommitted) -> Result<Void, StoreError>? {
        guard !isStopped else { return .success(()) }
        guard !isExclusiveRunning else { return pagesFailure.map { .failure($0) } ?? .success(()) }
        waitingReaders.append(done)
        return nil
    }

    /// Records the outcome of committing the pages, for readers that ask while exclusive work runs.
    mutating func recordPagesOutcome(_ outcome: Result<Void, StoreError>) {
        if case .failure(let error) = outcome {
            pagesFailure = error
        } else {
            pagesFailure = nil
        }
    }

    /// Puts writes of a batch back: the writes that were not begun, in their order, and the unfinished ones.
    mutating func putBack(notBegun: [Item], unfinished: [Item]) {
        notBegun.reversed().forEach { queue(of: $0).putBack($0) }
        // Unfinished writes are put back last, so that each precedes the later writes of its connection.
        unfinished.forEach { queue(of: $0).putBackUnfinished($0) }
    }

    private func queue(of item: Item) -> FairQueue<Write> { item.work.isPaced ? paced : writes }

    mutating func stop() {
        isStopping = true
    }

    /// Lends the writer lock to a caller's thread, if no earlier work waits.
    mutating func borrowWriterLock() throws(StoreError) -> Bool {
        try checkRunning()
        guard writes.isEmpty, exclusives.isEmpty, questions.isEmpty, waitingReaders.isEmpty, writerLock.borrow() else {
            return false
        }
        pace.recordClientWrite(at: MonotonicClock.nanoseconds)
        return true
    }

    /// Returns everything that may share the next commit, or the next exclusive work; `nil` if nothing waits. Commits
    /// and exclusive work take turns.
    ///
    /// - Parameter hasUncommittedPages: True if acknowledged writes are in the open transaction. Their pages are
    ///   committed once before each exclusive work.
    mutating func next(hasUncommittedPages: Bool = false) -> Next? {
        isExclusiveRunning = false
        if !hasUncommittedPages {
            pagesFailure = nil
        }
        if let question = questions.popFirst() {
            return .question(question)
        }
        if !waitingReaders.isEmpty {
            defer { waitingReaders.removeAll(keepingCapacity: true) }
            return .commitPages(waitingReaders)
        }
        if let exclusive = exclusives.first, isDue(exclusive) {
            if hasUncommittedPages, !hasCommittedForExclusive {
                hasCommittedForExclusive = true
                return .commitPages([])
            }
            hasCommittedForExclusive = false
            exclusives.removeFirst()
            isExclusivesTurn = false
            isExclusiveRunning = true
            return .exclusive(exclusive.body)
        }
        let isPacedDue = isPacedDue
        guard !writes.isEmpty || isPacedDue else {
            isStopped = isStopping && exclusives.isEmpty && paced.isEmpty
            return isStopped ? .stop : nil
        }
        isExclusivesTurn = true
        hasCommittedForExclusive = false
        return .group(nextGroup(withPaced: isPacedDue))
    }

    private func isDue(_ exclusive: Exclusive) -> Bool {
        switch exclusive.turn {
        case .next: isExclusivesTurn || writes.isEmpty
        case .afterWrites(let until): writes.isEmpty || MonotonicClock.nanoseconds >= until
        }
    }

    /// Returns the next batch.
    ///
    /// - Parameter withPaced: True to add one paced step as the last write of the batch, in the same journal record and
    ///   sync.
    private mutating func nextGroup(withPaced: Bool) -> [Item] {
        var group = Group()
        while let item = writes.next(where: group.admits) {
            group.append(item)
        }
        if withPaced, let item = paced.next() {
            group.append(item)
        }
        return group.items
    }

    private func checkRunning() throws(StoreError) {
        guard !isStopping else {
            throw StoreError(.shuttingDown, "the daemon is stopping; connect again after it has started")
        }
    }
}

extension WriteQueue {
    var hasPaced: Bool { !paced.isEmpty }

    /// True if writes of clients wait, or are expected soon.
    var clientsWrite: Bool { !writes.isEmpty || pace.clientsWrite(at: MonotonicClock.nanoseconds) }

    private var isPacedDue: Bool { pacedRest == 0 }

    /// The nanoseconds until the next paced step may begin; `nil` if no paced work waits.
    private var pacedRest: UInt64? {
        guard !paced.isEmpty else { return nil }
        guard !isStopping, let begunAt = paced.heads.map(\.begunAt).min() else { return 0 }
        let now = MonotonicClock.nanoseconds
        let turn = pace.turn(of: begunAt, isAlone: writes.isEmpty, now: now)
        return turn > now ? turn - now : 0
    }

    /// `pacedRest` in whole milliseconds, at least one.
    var pacedRestMilliseconds: Int? {
        pacedRest.map { max(1, Int(clamping: ($0 + 999_999) / 1_000_000)) }
    }

    /// Records that a batch is done.
    ///
    /// - Parameter pacedNanoseconds: The duration of its paced step; 0 without one.
    mutating func recordBatch(ofClients: Bool, pacedNanoseconds: UInt64) {
        let now = MonotonicClock.nanoseconds
        if ofClients {
            // The clients have their answers now, and may write again.
            pace.recordClientWrite(at: now)
        }
        if pacedNanoseconds > 0 {
            pace.recordStep(nanoseconds: pacedNanoseconds, endedAt: now)
        }
    }
}

extension WriteQueue {
    /// The writes that share a commit: small writes of all users, or writes of one user.
    private struct Group {
        private(set) var items: [Item] = []
        private var cost = 0
        private var largestCost = 0
        private var isOfManyUsers = false
        private var stepping: Set<WorkOwner> = []

        /// Returns true if a write may join the batch. A write that costs more than a batch may cost is alone in its
        /// batch. A write that costs more than `turnCost` shares a batch only with writes of the same user, because
        /// another user would have to wait for the long write. After a write that may need several commits, the batch
        /// contains no further write of the same connection.
        func admits(_ item: Item) -> Bool {
            guard let first = items.first else { return true }
            guard cost + item.cost <= EngineLimits.groupCostMax, !stepping.contains(item.owner) else { return false }
            return max(largestCost, item.cost) <= EngineLimits.turnCost
                || !isOfManyUsers && first.owner.userID == item.owner.userID
        }

        mutating func append(_ item: Item) {
            isOfManyUsers = isOfManyUsers || items.first.map { $0.owner.userID != item.owner.userID } ?? false
            items.append(item)
            cost += item.cost
            largestCost = max(largestCost, item.cost)
            if item.work.request.mutation.mayNeedSeveralCommits {
                stepping.insert(item.owner)
            }
        }
    }
}
