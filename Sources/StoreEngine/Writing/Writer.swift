import SQLCipher
import StoreBasics

/// The one thread that writes: drains its queue, commits what it found in one transaction, answers, and looks after
/// the WAL in between. Group commit without timers: what arrives during a commit shares the next one.
final class Writer: Sendable {
    /// How the engine hears of what happens on the writer thread.
    struct Events: Sendable {
        var committed: @Sendable ([Change], [LogName], Statistics, [FileArea: FileUsage]) -> Void
        var failed: @Sendable (StoreFault, StoreError) -> Void
        /// Damage that was met since the store was opened: no write is taken any more, and its files stay as they are.
        var damage: @Sendable () -> StoreError?
        /// Rows that nobody can reach any more could not be removed, for a reason that says nothing of the store.
        var removalFailed: @Sendable (StoreError) -> Void
        /// A commit let go of contents that have files in the vault.
        var releasedContents: @Sendable (ReleasedContents) -> Void
        /// A disk which was full has room again.
        var foundSpace: @Sendable () -> Void
        /// A message is to go at this time, in microseconds since the machine was started.
        var retentionDue: @Sendable (Int64) -> Void
        /// Runs what answers the requests of one group.
        var answering: @Sendable (() -> Void) -> Void
    }

    private let queue = ConditionLock(WriteQueue())
    private let thread: StoreThread
    private let failed: @Sendable (StoreFault, StoreError) -> Void

    init(
        events: Events, housekeeping: WALHousekeeping, visibility: WriteVisibility, searchDemand: SearchDemand,
        clock: StoreClock, attachmentCache: AttachmentCache, fileQuotas: FileQuotas
    ) throws(StoreError) {
        failed = events.failed
        let loop = WriterLoop(
            queue: queue, events: events, housekeeping: housekeeping, visibility: visibility, clock: clock,
            searchDemand: searchDemand, attachmentCache: attachmentCache, fileQuotas: fileQuotas)
        thread = try StoreThread(name: "store-writer") { loop.run() }
    }

    /// Writes and exclusive work that have not been begun.
    var waitingCount: Int { queue.withLock { $0.count } }

    /// Never blocks. The completion is called on the writer thread after the commit.
    func submit(_ write: WriteQueue.Write) throws(StoreError) {
        try queue.signal { queue throws(StoreError) in try queue.append(write) }
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

    /// Has the pages of what was answered committed, and calls back on the writer thread. At once when it is stopping:
    /// there is nothing left to see then.
    func commitPages(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        let isAsked = queue.signal { $0.append(commitPages: done) }
        if !isAsked {
            done(.success(()))
        }
    }

    /// Finishes what is queued, then ends the thread.
    func stop() {
        queue.signal { $0.stop() }
        thread.join()
    }
}

/// The body of the writer thread.
///
/// `Sendable` because everything in it is; the context lives in `run` and never leaves the thread.
private struct WriterLoop: Sendable {
    let queue: ConditionLock<WriteQueue>
    let events: Writer.Events
    let housekeeping: WALHousekeeping
    let visibility: WriteVisibility
    let clock: StoreClock
    let searchDemand: SearchDemand
    let attachmentCache: AttachmentCache
    let fileQuotas: FileQuotas

    func run() {
        let context = WriterContext(
            visibility: visibility, clock: clock, attachmentCache: attachmentCache, fileQuotas: fileQuotas,
            retentionDue: events.retentionDue,
            released: events.releasedContents,
            metFullDisk: { [events] in events.failed(.diskFull, $0) },
            isDamaged: { events.damage() != nil })
        while true {
            let isBehind = context.hasUncommittedPages
            let next = queue.wait(
                timeoutMilliseconds: timeout(context), until: { $0.next(hasUncommittedPages: isBehind) })
            switch next ?? .idle {
            case .group(let group):
                context.othersWait = { queue.withLock { $0.hasWork(besidesThatOf: group) } }
                commit(group, context)
                context.othersWait = { queue.withLock { $0.count > 0 } }
                removeRows(context)
                indexIfPressing(context)
            case .exclusive(let body):
                // Where that has failed before.
                commitPages(context)
                body(context)
                lookAfterLog(context)
            case .question(let answer):
                answer()
                lookAfterLog(context)
            case .commitPages(let waiting):
                let outcome = commitPages(context)
                waiting.forEach { $0(outcome) }
                lookAfterLog(context)
            case .idle where events.damage() != nil:
                context.leaveUncommitted()
                context.needsHousekeeping = false
                context.hasRowsToRemove = false
                context.searchBacklog.pause()
            case .idle where context.isCommitPossible:
                commitPages(context)
            case .idle where context.isRemovalDue:
                removeRows(context)
            case .idle where context.isIndexingDue:
                index(context)
            case .idle:
                lookAfterStore(context)
            case .stop:
                context.close()
                return
            }
        }
    }

    /// `nil`: until there is something to do.
    private func timeout(_ context: WriterContext) -> Int? {
        guard context.wantsIdleTime else { return nil }
        if context.isCommitPossible { return EngineLimits.uncommittedMilliseconds }
        if context.isRemovalDue || context.searchBacklog.isUnderWay { return 0 }
        return context.isIndexingDue ? SearchLimits.idleMilliseconds : WALHousekeeping.idleMilliseconds
    }

    /// Makes what was answered visible to readers. Damage is no reason to keep them from what there is.
    @discardableResult
    private func commitPages(_ context: WriterContext) -> Result<Void, StoreError> {
        if let failed = context.failedCommit, failed.retryDue > .now { return .failure(failed.error) }
        context.failedCommit = nil
        do throws(StoreError) {
            if events.damage() == nil {
                try context.commitPages()
            }
        } catch {
            note(error, context)
            guard error.storeFault == .damaged else {
                context.failedCommit = FailedCommit(error: error)
                return .failure(error)
            }
        }
        if events.damage() != nil {
            context.leaveUncommitted()
        }
        return .success(())
    }

    private func commit(_ group: [WriteQueue.Item], _ context: WriterContext) {
        // It was met after the group was taken in.
        if let damage = events.damage() {
            events.answering { group.forEach { $0.work.completion(.failure(damage)) } }
            return
        }
        let outcomes = run(group.map(\.work), context)
        for case .answered(.failure(let error)) in outcomes {
            note(error, context)
        }
        if !outcomes.contains(where: { $0.isDiskFull }) {
            lookForRoom(context)
        }
        putBack(group, outcomes, context.statistics.history)
        events.answering {
            for case (let item, .answered(let result)) in zip(group, outcomes) {
                item.work.completion(result)
            }
        }
        guard events.damage() == nil else { return }
        do throws(StoreError) {
            try housekeeping.afterGroup(context)
        } catch {
            note(error, context)
        }
    }

    /// Behind what is no group, and may come so often that the writer is never idle.
    private func lookAfterLog(_ context: WriterContext) {
        guard events.damage() == nil else { return }
        do throws(StoreError) {
            try housekeeping.afterGroup(context)
        } catch {
            note(error, context)
        }
    }

    /// What the group did not come to, or did not finish.
    private func putBack(_ group: [WriteQueue.Item], _ outcomes: [GroupCommit.Outcome], _ history: HistoryID) {
        var notBegun: [WriteQueue.Item] = []
        var unfinished: [WriteQueue.Item] = []
        for (item, outcome) in zip(group, outcomes) {
            switch outcome {
            case .answered: break
            case .notBegun: notBegun.append(item)
            case .unfinished(let progress):
                item.work.goOn(after: progress, in: history)
                unfinished.append(item)
            }
        }
        guard !notBegun.isEmpty || !unfinished.isEmpty else { return }
        queue.withLock { $0.putBack(notBegun: notBegun, unfinished: unfinished) }
    }

    /// A step of removing what a commit has made unreachable. It frees space: a full disk has some kept for it.
    private func removeRows(_ context: WriterContext) {
        guard context.isRemovalDue, events.damage() == nil else { return }
        do throws(StoreError) {
            try removeStep(context)
            context.removalRetryDue = nil
        } catch {
            note(error, context)
            if error.storeFault == nil {
                retryRemoval(after: error, context)
            } else {
                // Taken up again once there is room, by the next commit that leaves rows behind, or the next start.
                context.hasRowsToRemove = false
            }
            return
        }
        do throws(StoreError) {
            try housekeeping.afterGroup(context)
        } catch {
            note(error, context)
        }
    }

    private func indexIfPressing(_ context: WriterContext) {
        guard !context.isDiskFull else { return }
        let isAsked = searchDemand.take()
        if isAsked {
            context.searchBacklog.settle()
        }
        guard isAsked && context.searchBacklog.isDue || context.searchBacklog.isPressing(context.statistics.revision)
        else { return }
        index(context)
    }

    /// A step of bringing the search index after the messages. It waits for room on a full disk: whether that keeps
    /// anything else from its work is told by the writes that meet it.
    private func index(_ context: WriterContext) {
        guard events.damage() == nil, context.connection != nil else { return }
        do throws(StoreError) {
            try SearchUpkeep.step(context)
            try housekeeping.afterGroup(context)
        } catch {
            context.searchBacklog.pause()
            if error.reason != .diskFull {
                note(error, context)
            }
        }
    }

    private func removeStep(_ context: WriterContext) throws(StoreError) {
        if context.isDiskFull, !context.hasRoomForDeletes() { throw .diskIsFull }
        do throws(StoreError) {
            try RowRemoval.step(context)
        } catch {
            switch error.reason {
            case .diskFull where context.reserve?.release() == true:
                try RowRemoval.step(context)
            case .searchIndexIncomplete:
                try SearchUpkeep.startOver(.abandoned, context)
            default:
                throw error
            }
        }
    }

    /// What was answered as deleted is not to stay in the file without a word.
    private func retryRemoval(after error: StoreError, _ context: WriterContext) {
        if context.removalRetryDue == nil {
            events.removalFailed(error)
        }
        context.removalRetryDue = .now + .seconds(WALHousekeeping.removedContentRetrySeconds)
    }

    private func lookAfterStore(_ context: WriterContext) {
        do throws(StoreError) {
            try housekeeping.whenIdle(context)
            lookForRoom(context)
        } catch {
            note(error, context)
        }
    }

    /// Nobody but the disk itself knows whether there is room again: a write that went through may have lived on what
    /// the reserve gave back, and one that changes nothing needs none.
    private func lookForRoom(_ context: WriterContext) {
        guard context.isDiskFull, context.reserve?.findsRoomBeside() == true else { return }
        context.isDiskFull = false
        context.hasRowsToRemove = true
        events.foundSpace()
    }

    /// Deletes that the full disk has no room for are tried again with the space kept for them.
    private func run(_ group: [WriteQueue.Write], _ context: WriterContext) -> [GroupCommit.Outcome] {
        var outcomes: [GroupCommit.Outcome]
        if context.isDiskFull, context.reserve?.findsRoomBeside() != true {
            // An answered write is not to find no room for its pages.
            outcomes = group.map { _ in .answered(.failure(.diskIsFull)) }
        } else {
            outcomes = GroupCommit(context: context, now: .now, publish: events.committed).run(group)
        }
        let deletes = group.indices.filter { index in
            outcomes[index].isDiskFull && group[index].request.mutation.freesSpace
        }
        guard !deletes.isEmpty, context.hasRoomForDeletes() else { return outcomes }
        let commit = GroupCommit(context: context, now: .now, publish: events.committed)
        for (index, outcome) in zip(deletes, commit.run(deletes.map { group[$0] })) {
            outcomes[index] = outcome
        }
        commitPages(context)
        return outcomes
    }

    private func note(_ error: StoreError, _ context: WriterContext) {
        guard let fault = error.storeFault else { return }
        if fault == .diskFull {
            context.isDiskFull = true
        }
        events.failed(fault, error)
    }
}

/// What a failure says about the store, and not only about the request that met it.
enum StoreFault {
    case diskFull
    case damaged
    case storageFailed
}

extension StoreError {
    /// `nil` for one that only concerns its request.
    var storeFault: StoreFault? {
        switch reason {
        case .diskFull: .diskFull
        case .databaseDamaged, .journalDamaged, .storeRolledBack: .damaged
        case .storageFailed: .storageFailed
        default: nil
        }
    }

    var concernsWholeStore: Bool { storeFault != nil }
}

extension GroupCommit.Outcome {
    fileprivate var isDiskFull: Bool {
        if case .answered(.failure(let error)) = self { error.reason == .diskFull } else { false }
    }
}
