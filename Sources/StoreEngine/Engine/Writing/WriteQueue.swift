import DequeModule
import StoreBasics

/// What waits for the writer thread, bounded in number and bytes.
struct WriteQueue {
    typealias Completion = @Sendable (Result<MutationResult, StoreError>) -> Void
    typealias Item = FairQueue<Write>.Item

    /// An object with a request that does not change, so that no copy of it is made on its way.
    ///
    /// `@unchecked Sendable` because what changes is touched by who holds the writer's seat only.
    final class Write: @unchecked Sendable {
        let request: WriteRequest
        let completion: Completion
        /// How far the commits of it have come; `nil` before the first.
        private(set) var progress: (any WorkProgress)?
        /// `nil` while nothing of it may be done.
        private var historyBegunIn: HistoryID?
        /// When it came, of `MonotonicClock`; told of what is paced only.
        fileprivate let begunAt: UInt64
        /// Waits for a turn beside what clients write.
        fileprivate(set) var isPaced = false

        init(request: WriteRequest, completion: @escaping Completion) {
            self.request = request
            self.completion = completion
            begunAt = request.mutation.isPaced ? MonotonicClock.nanoseconds : 0
        }

        /// The history that it is about: another one refuses it; `nil`: any.
        var history: HistoryID? { historyBegunIn ?? request.history }

        /// What it has come to goes by numbers that mean something else in another history: it goes on in this one
        /// only.
        func goOn(after progress: any WorkProgress, in history: HistoryID) {
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

        /// A thread with other things to do has the time for it.
        var isShort: Bool {
            request.mutation.isShort && request.byteCount <= EngineLimits.shortWriteBytesMax
        }

        /// Seconds for which what is paced is under way, in its turn or not.
        var ageSeconds: UInt64 { (MonotonicClock.nanoseconds - begunAt) / 1_000_000_000 }

        /// Somebody waits for it beside the store itself and its group.
        var isOfClient: Bool { !request.mutation.isPaced && request.owner != .daemon }

        /// Something of it may be done.
        var hasBegun: Bool { progress?.hasBegun ?? false }
    }

    /// Work that wants the writer to itself, between two groups.
    struct Exclusive {
        let turn: Turn
        let body: @Sendable (WriterContext) -> Void
    }

    enum Turn {
        /// Behind the group that is under way.
        case next
        /// Once no write waits, or at this time of `MonotonicClock`.
        case afterWrites(until: UInt64)
    }

    typealias PagesCommitted = @Sendable (Result<Void, StoreError>) -> Void

    enum Next {
        case group([Item])
        /// Readers wait for what was answered.
        case commitPages([PagesCommitted])
        case exclusive(@Sendable (WriterContext) -> Void)
        /// Somebody asks whether the thread still gets on.
        case question(@Sendable () -> Void)
        /// Callers' threads have worked in the writer thread's place.
        case lookAgain
        /// What is paced may have its turn.
        case pacedTurn
        case idle
        case stop
    }

    private let writes = FairQueue<Write>(
        capacity: .init(items: EngineLimits.writeQueueRequestsMax, bytes: EngineLimits.writeQueueBytesMax),
        turnCost: EngineLimits.turnCost)
    /// Of those, what has a share of the time only.
    private let paced = FairQueue<Write>(
        capacity: .init(items: EngineLimits.writeQueueRequestsMax, bytes: EngineLimits.replicaQueueBytesMax),
        turnCost: EngineLimits.turnCost)
    private var pace = ReplicaPace()
    private var exclusives: Deque<Exclusive> = []
    private var questions: Deque<@Sendable () -> Void> = []
    private var waitingReaders: [PagesCommitted] = []
    private var isExclusivesTurn = true
    /// Exclusive work was handed out, and nothing was asked for since.
    private var isExclusiveRunning = false
    private(set) var isStopping = false
    var seat = WriterSeat()
    private var isStopped = false
    private var hasCommittedForExclusive = false
    /// Why the pages could not be committed before exclusive work.
    private var pagesFailure: StoreError?

    var count: Int { writes.count + paced.count + exclusives.count }

    /// Whether somebody waits who has nothing in this group.
    func hasWork(besidesThatOf group: [Item]) -> Bool {
        !exclusives.isEmpty
            || writes.hasWork { userID in !group.contains { $0.owner.userID == userID } }
    }

    /// Returns whether the next write is small, and of a user who has no write in this group.
    func hasSmallWork(besidesThatOf group: [Item]) -> Bool {
        guard exclusives.isEmpty, let next = writes.upcoming else { return false }
        return next.cost <= EngineLimits.turnCost && !group.contains { $0.owner.userID == next.owner.userID }
    }

    /// - Throws: `.queueFull` with a time to wait, `.shuttingDown`.
    mutating func append(_ write: Write) throws(StoreError) {
        try checkRunning()
        let owner = write.request.owner
        // What came over one connection keeps its order.
        write.isPaced = write.request.mutation.isPaced ? !writes.hasWork(of: owner) : paced.hasWork(of: owner)
        if write.isOfClient {
            pace.noteClientWrite(at: MonotonicClock.nanoseconds)
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

    /// - Returns: false while exclusive work runs, which takes as long as it takes.
    mutating func append(question: @escaping @Sendable () -> Void) -> Bool {
        guard !isExclusiveRunning else { return false }
        questions.append(question)
        return true
    }

    /// - Returns: `nil` where `done` is called later. While exclusive work runs, which may wait for who asks here: what
    ///   became of the pages before it. Success once the thread may have ended: there is nothing left to see then.
    mutating func append(commitPages done: @escaping PagesCommitted) -> Result<Void, StoreError>? {
        guard !isStopped else { return .success(()) }
        guard !isExclusiveRunning else { return pagesFailure.map { .failure($0) } ?? .success(()) }
        waitingReaders.append(done)
        return nil
    }

    /// What became of the pages that were to be committed.
    mutating func notePages(_ outcome: Result<Void, StoreError>) {
        if case .failure(let error) = outcome {
            pagesFailure = error
        } else {
            pagesFailure = nil
        }
    }

    /// Takes back the writes of a group that it had no time for, in their order, and those that it did not finish.
    mutating func putBack(notBegun: [Item], unfinished: [Item]) {
        notBegun.reversed().forEach { queue(of: $0).putBack($0) }
        // Last, so that each stands before what came after it over its connection.
        unfinished.forEach { queue(of: $0).putBackUnfinished($0) }
    }

    private func queue(of item: Item) -> FairQueue<Write> { item.work.isPaced ? paced : writes }

    mutating func stop() {
        isStopping = true
    }

    /// Takes the seat for a caller's thread, where nothing waits that came before.
    mutating func borrowSeat() throws(StoreError) -> Bool {
        try checkRunning()
        guard writes.isEmpty, exclusives.isEmpty, questions.isEmpty, waitingReaders.isEmpty, seat.borrow() else {
            return false
        }
        pace.noteClientWrite(at: MonotonicClock.nanoseconds)
        return true
    }

    /// Everything that may share the next commit, or the next exclusive work; `nil` when nothing waits. Commits and
    /// exclusive work take turns.
    ///
    /// - Parameter hasUncommittedPages: answered writes wait in the open transaction: their pages are committed before
    ///   exclusive work, once.
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

    /// - Parameter withPaced: one step of what is paced goes with it, last: it shares the record and its sync.
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
    /// What has a share of the time waits for its turn.
    var hasPaced: Bool { !paced.isEmpty }

    /// Clients wait, or will do so in a moment.
    var clientsWrite: Bool { !writes.isEmpty || pace.clientsWrite(at: MonotonicClock.nanoseconds) }

    private var isPacedDue: Bool { pacedRest == 0 }

    /// In how many nanoseconds the next step of what is paced may begin; `nil`: none waits.
    private var pacedRest: UInt64? {
        guard !paced.isEmpty else { return nil }
        guard !isStopping, let begunAt = paced.heads.map(\.begunAt).min() else { return 0 }
        let now = MonotonicClock.nanoseconds
        let turn = pace.turn(of: begunAt, isAlone: writes.isEmpty, now: now)
        return turn > now ? turn - now : 0
    }

    /// The same in whole milliseconds, at least one.
    var pacedRestMilliseconds: Int? {
        pacedRest.map { max(1, Int(clamping: ($0 + 999_999) / 1_000_000)) }
    }

    /// A group is done.
    ///
    /// - Parameter pacedNanoseconds: 0 where nothing paced was in it.
    mutating func noteGroup(ofClients: Bool, pacedNanoseconds: UInt64) {
        let now = MonotonicClock.nanoseconds
        if ofClients {
            // They have their answers now, and may write again.
            pace.noteClientWrite(at: now)
        }
        if pacedNanoseconds > 0 {
            pace.noteStep(nanoseconds: pacedNanoseconds, endedAt: now)
        }
    }
}

extension WriteQueue {
    /// What shares a commit: small writes of everybody, or those of one user.
    private struct Group {
        private(set) var items: [Item] = []
        private var cost = 0
        private var largestCost = 0
        private var isOfManyUsers = false
        private var stepping: Set<WorkOwner> = []

        /// What costs more than a group is a group of its own, and what costs more than a turn shares none with another
        /// user's write: who came just before it would wait for both. Nothing follows what may not be finished in this
        /// commit and came over the same connection.
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
            if item.work.request.mutation.takesSteps {
                stepping.insert(item.owner)
            }
        }
    }
}
