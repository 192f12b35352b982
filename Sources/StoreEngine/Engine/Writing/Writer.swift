import StoreBasics

/// The writer of a store. Its thread takes batches of writes from a queue, makes each batch one record of the journal,
/// answers, and maintains pages and WAL between batches. The thread of a caller may perform a short write instead of
/// the writer's thread (`WriterLock`). Batches need no timers: writes that arrive during one batch share the next
/// batch.
final class Writer: PageCommitting {
    /// Callbacks of the writer, on the thread that holds the writer lock.
    struct Events: Sendable {
        var committed: @Sendable ([Change], [LogNews], Statistics, [FileArea: FileUsage]) -> Void
        var failed: @Sendable (StoreFault, StoreError) -> Void
        /// Returns damage that was found since the store was opened. The store then accepts no writes, and its files
        /// stay unchanged.
        var damage: @Sendable () -> StoreError?
        /// Called if unreachable rows could not be removed for a reason that is no fault of the store.
        var removalFailed: @Sendable (StoreError) -> Void
        /// Called when a batch released contents that have files in the vault.
        var releasedContents: @Sendable (ReleasedContents) -> Void
        /// Called when a batch admitted devices to the replica group, or removed some.
        var replicaNews: @Sendable ([ReplicaNews]) -> Void
        /// Called when a full disk has space again.
        var foundSpace: @Sendable () -> Void
        /// Called after a commit with the time at which the next message expires, in microseconds since the machine was
        /// started.
        var retentionDue: @Sendable (Int64) -> Void
        /// Runs the function that answers the requests of one batch.
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

    /// The number of writes and of exclusive work that were not begun.
    var waitingCount: Int { queue.withLock { $0.count } }

    /// The counts and durations of writing since the engine was created.
    var counts: WriteCounts { loop.figures.counts }

    /// Queues a write. Never blocks. The completion is called on the writer thread after the commit.
    func submit(_ write: WriteQueue.Write) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in try queue.append(write) }
    }

    /// Queues a write and waits for its result.
    func write(_ request: WriteRequest) throws(StoreError) -> MutationResult {
        let done = OneShot<Result<MutationResult, StoreError>>()
        try submit(WriteQueue.Write(request: request) { done.set($0) })
        return try done.wait().get()
    }

    /// Commits a short write on this thread, if the writer thread has nothing to do and the disk is fast. This takes
    /// about as long as a sync. Otherwise does the same as `submit`.
    func submitHere(_ write: WriteQueue.Write) throws(StoreError) {
        guard write.isShort, try queue.withLock({ queue throws(StoreError) in try queue.borrowWriterLock() }) else {
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
                // Readers that come during exclusive work do not wait for its pages, so commit these before the caller
                // continues.
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

    /// Calls back after the running commit or step, before the queued work. While exclusive work runs, calls back at
    /// once, because such work may take any time.
    func ask(_ answered: @escaping @Sendable () -> Void) {
        let isAsked = queue.signal { $0.append(question: answered) }
        if !isAsked {
            answered()
        }
    }

    /// Commits the pages of acknowledged writes, and calls back on the writer thread. Calls back at once in two cases:
    /// when the thread is stopping, because nothing is left to commit, and while exclusive work runs, because the pages
    /// were committed before it.
    func commitPages(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        if let outcome = queue.signal({ $0.append(commitPages: done) }) {
            done(outcome)
        }
    }

    /// Performs the queued work, then ends the thread.
    func stop() {
        queue.signal { $0.stop() }
        thread.join()
    }
}
