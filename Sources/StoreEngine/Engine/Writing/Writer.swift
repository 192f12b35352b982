import StoreBasics

/// Who writes: a thread that drains its queue, makes what it found one record of the journal, answers, and looks after
/// pages and WAL in between; a caller's thread does a short write in its place (`WriterSeat`). Groups without timers:
/// what arrives during one shares the next.
final class Writer: PageCommitting {
    /// How the engine hears of what happens, on the thread that has the writer's seat.
    struct Events: Sendable {
        var committed: @Sendable ([Change], [LogNews], Statistics, [FileArea: FileUsage]) -> Void
        var failed: @Sendable (StoreFault, StoreError) -> Void
        /// Damage that was met since the store was opened: no write is taken any more, and its files stay as they are.
        var damage: @Sendable () -> StoreError?
        /// Rows that nobody can reach any more could not be removed, for a reason that says nothing of the store.
        var removalFailed: @Sendable (StoreError) -> Void
        /// A group let go of contents that have files in the vault.
        var releasedContents: @Sendable (ReleasedContents) -> Void
        /// A group has let devices into the store's group of stores, or out of it.
        var replicaNews: @Sendable ([ReplicaNews]) -> Void
        /// A disk which was full has room again.
        var foundSpace: @Sendable () -> Void
        /// A message is to go at this time, in microseconds since the machine was started.
        var retentionDue: @Sendable (Int64) -> Void
        /// Runs what answers the requests of one group.
        var answering: @Sendable (() -> Void) -> Void
    }

    private let queue = ConditionLock(WriteQueue())
    private let loop: WriterLoop
    private let thread: StoreThread
    private let failed: @Sendable (StoreFault, StoreError) -> Void

    init(
        events: Events, housekeeping: WALHousekeeping, visibility: WriteVisibility, searchDemand: SearchDemand,
        clock: StoreClock, attachmentCache: AttachmentCache, fileQuotas: FileQuotas,
        vault: WriterVault
    ) throws(StoreError) {
        failed = events.failed
        let loop = WriterLoop(
            queue: queue, events: events, housekeeping: housekeeping, visibility: visibility, clock: clock,
            searchDemand: searchDemand, attachmentCache: attachmentCache, fileQuotas: fileQuotas, vault: vault)
        self.loop = loop
        thread = try StoreThread(name: "store-writer") { loop.run() }
    }

    /// Writes and exclusive work that have not been begun.
    var waitingCount: Int { queue.withLock { $0.count } }

    /// What it has done so far.
    var counts: WriteCounts { loop.figures.counts }

    /// Never blocks. The completion is called on the writer thread after the commit.
    func submit(_ write: WriteQueue.Write) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in try queue.append(write) }
    }

    /// Hands a write to the writer thread and waits for its result.
    func write(_ request: WriteRequest) throws(StoreError) -> MutationResult {
        let done = OneShot<Result<MutationResult, StoreError>>()
        try submit(WriteQueue.Write(request: request) { done.set($0) })
        return try done.wait().get()
    }

    /// Commits on this thread where the writer thread has nothing to do, the write is short and the disk fast, which
    /// takes about as long as a sync; otherwise the same as `submit`.
    func submitHere(_ write: WriteQueue.Write) throws(StoreError) {
        guard write.isShort, try queue.withLock({ queue throws(StoreError) in try queue.borrowSeat() }) else {
            return try submit(write)
        }
        loop.commitHere(write.item)
    }

    /// Runs `body` on the writer thread between two transactions and waits for it.
    func perform<Value: Sendable>(
        at turn: WriteQueue.Turn = .next, _ body: @escaping @Sendable (WriterContext) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let outcome = OneShot<Result<Value, StoreError>>()
        let exclusive = WriteQueue.Exclusive(turn: turn) { [self] context in
            do throws(StoreError) {
                let value = try body(context)
                // What it wrote is seen by whoever hears of it: readers do not wait for pages while such work runs.
                try? context.commitPages()
                outcome.set(.success(value))
            } catch {
                if error.reason == .databaseDamaged {
                    failed(.damaged, error)
                }
                outcome.set(.failure(error))
            }
        }
        try queue.signal { queue throws(StoreError) in try queue.append(exclusive) }
        return try outcome.wait().get()
    }

    /// Calls back after the commit or the step of work that is under way, whatever waits behind it; at once while
    /// exclusive work runs, which takes as long as it takes.
    func ask(_ answered: @escaping @Sendable () -> Void) {
        let isAsked = queue.signal { $0.append(question: answered) }
        if !isAsked {
            answered()
        }
    }

    /// Has the pages of what was answered committed, and calls back on the writer thread. At once when it is stopping,
    /// since there is nothing left to see then, and while exclusive work runs, before which they were committed.
    func commitPages(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        if let outcome = queue.signal({ $0.append(commitPages: done) }) {
            done(outcome)
        }
    }

    /// Finishes what is queued, then ends the thread.
    func stop() {
        queue.signal { $0.stop() }
        thread.join()
    }
}
