import SQLCipher
import StoreBasics

/// The work of the writer: the body of its thread, and the short work that a caller's thread performs instead.
///
/// `@unchecked Sendable` because only the thread that holds `WriteQueue.writerLock` uses the context; everything else
/// in it is `Sendable`.
final class WriterLoop: @unchecked Sendable {
    private let queue: ConditionLock<WriteQueue>
    private let events: Writer.Events
    private let housekeeping: WALHousekeeping
    private let searchDemand: SearchDemand
    private let context: WriterContext
    /// True if the housekeeping after a batch was postponed until after the next batch.
    private var isHousekeepingLate = false
    let figures: WriteFigures

    init(
        queue: ConditionLock<WriteQueue>, events: Writer.Events, housekeeping: WALHousekeeping,
        visibility: WriteVisibility, clock: StoreClock, searchDemand: SearchDemand, attachmentCache: AttachmentCache,
        fileQuotas: FileQuotas, vault: WriterVault
    ) {
        self.queue = queue
        self.events = events
        self.housekeeping = housekeeping
        self.searchDemand = searchDemand
        context = WriterContext(
            walBounds: housekeeping.bounds, visibility: visibility, clock: clock, attachmentCache: attachmentCache,
            fileQuotas: fileQuotas, vault: vault, retentionDue: events.retentionDue,
            released: events.releasedContents, announceNews: events.replicaNews,
            metFullDisk: { [events] in events.failed(.diskFull, $0) },
            isDamaged: { [events] in events.damage() != nil })
        figures = context.figures
        context.othersWait = { [queue] in queue.withLock { $0.count > 0 } }
        context.clientsWrite = { [queue] in queue.withLock { $0.clientsWrite } }
    }

    func run() {
        while true {
            switch nextWork() {
            case .group(let group):
                let othersWait = context.othersWait
                let clientsWrite = context.clientsWrite
                context.othersWait = { [queue] in queue.withLock { $0.hasWork(besidesThatOf: group) } }
                if group.contains(where: { $0.work.isOfClient }) {
                    context.clientsWrite = { true }
                }
                commit(group)
                context.othersWait = othersWait
                context.clientsWrite = clientsWrite
                if letsOthersGoFirst(after: group) { continue }
                isHousekeepingLate = false
                maintainAfterBatch()
            case .lookAgain:
                maintainAfterBatch()
            case .pacedTurn:
                break
            case .exclusive(let body):
                body(context)
                commitAndCheckpointIfDue()
            case .question(let answer):
                answer()
                commitAndCheckpointIfDue()
            case .commitPages(let waiting):
                let outcome = commitPages()
                queue.withLock { $0.recordPagesOutcome(outcome) }
                waiting.forEach { $0(outcome) }
                commitAndCheckpointIfDue()
            case .idle where events.damage() != nil:
                context.leaveUncommitted()
                context.needsHousekeeping = false
                context.hasRowsToRemove = false
                context.isDiskFull = false
                context.searchBacklog.pause()
            case .idle where context.isCommitPossible:
                commitPages()
            case .idle where context.isRemovalDue:
                removeRows()
            case .idle where context.isIndexingDue:
                context.searchBacklog.recordPause()
                index()
            case .idle:
                context.searchBacklog.recordPause()
                maintainWhenIdle()
            case .stop:
                context.close()
                return
            }
        }
    }

    /// Returns true if a small write of another user is performed before the housekeeping of a large batch. Committing
    /// the pages and the checkpoint take about as long as the batch did. The housekeeping is postponed only once.
    private func letsOthersGoFirst(after group: [WriteQueue.Item]) -> Bool {
        guard !isHousekeepingLate, let largest = group.map(\.cost).max(), largest > EngineLimits.groupCostMax else {
            return false
        }
        isHousekeepingLate = queue.withLock { $0.hasSmallWork(besidesThatOf: group) }
        return isHousekeepingLate
    }

    /// Waits for work. Other threads may borrow the writer lock meanwhile; this thread holds it again on return.
    private func nextWork() -> WriteQueue.Next {
        let idleTimeout = timeout()
        let rest = queue.withLock { $0.pacedRestMilliseconds }
        let isForPaced = rest.map { $0 < idleTimeout ?? .max } ?? false
        let timeout = isForPaced ? rest : idleTimeout
        let isBehind = context.hasUncommittedPages
        let isLent = mayLendWriterLock
        let next = queue.wait(timeoutMilliseconds: timeout) { queue -> WriteQueue.Next? in
            guard let back = queue.writerLock.reacquire() else { return nil }
            if back == .afterLoans { return .lookAgain }
            guard let next = queue.next(hasUncommittedPages: isBehind) else {
                // Paced work arrived during this wait, whose time-out does not take it into account. So end the wait,
                // and start another that ends when the paced work is due.
                if rest == nil, queue.hasPaced { return .pacedTurn }
                queue.writerLock.leave(isLent: isLent, milliseconds: timeout)
                return nil
            }
            return next
        }
        if let next { return next }
        // The wait has timed out.
        let back = queue.wait { $0.writerLock.reacquire() }
        return back == .afterLoans ? .lookAgain : isForPaced ? .pacedTurn : .idle
    }

    /// Returns the longest time to wait for work; `nil` for any time.
    private func timeout() -> Int? {
        guard context.wantsIdleTime else { return nil }
        if context.isCommitPossible { return EngineLimits.uncommittedMilliseconds }
        if context.isRemovalDue || context.searchBacklog.isUnderWay { return 0 }
        return context.isIndexingDue ? SearchLimits.idleMilliseconds : WALHousekeeping.idleMilliseconds
    }

    /// Makes acknowledged writes visible to readers. Damage is no failure: readers still get the data visible so far.
    @discardableResult
    private func commitPages() -> Result<Void, StoreError> {
        if let failed = context.failedCommit, failed.retryDue > .now { return .failure(failed.error) }
        context.failedCommit = nil
        do throws(StoreError) {
            if events.damage() == nil {
                try context.commitPages()
            }
        } catch {
            reportFault(error)
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

    private func commit(_ group: [WriteQueue.Item]) {
        // If damage was found after the batch was accepted, refuse the batch.
        if let damage = events.damage() {
            events.answering { group.forEach { $0.work.completion(.failure(damage)) } }
            return
        }
        let startedAt = MonotonicClock.nanoseconds
        context.pacedNanoseconds = 0
        let outcomes = run(group.map(\.work))
        for case .answered(.failure(let error)) in outcomes {
            reportFault(error)
        }
        if !outcomes.contains(where: { $0.isDiskFull }) {
            lookForRoom()
        }
        putBack(group, outcomes, context.statistics.history)
        events.answering {
            for case (let item, .answered(let result)) in zip(group, outcomes) {
                item.work.completion(result)
            }
        }
        recordPacedTime(of: group, since: startedAt)
    }

    /// Records the time that paced work took. If the batch contained nothing else, the time of the journal record and
    /// of the answers counts as well.
    private func recordPacedTime(of group: [WriteQueue.Item], since startedAt: UInt64) {
        var taken = context.pacedNanoseconds
        if taken > 0 {
            if group.allSatisfy({ $0.work.request.mutation.isPaced }) {
                taken = MonotonicClock.nanoseconds - startedAt
            }
            figures.recordReplicaStep(nanoseconds: taken)
        }
        let ofClients = group.contains { $0.work.isOfClient }
        queue.withLock { $0.recordBatch(ofClients: ofClients, pacedNanoseconds: taken) }
    }

    /// Performs the work after a batch, or after writes of callers' threads.
    private func maintainAfterBatch() {
        commitAndCheckpointIfDue()
        removeRows()
        indexIfPressing()
    }

    /// Commits pages and checkpoints the WAL, if due. Called after most work, because a busy writer may never be idle.
    private func commitAndCheckpointIfDue() {
        guard events.damage() == nil else { return }
        do throws(StoreError) {
            try housekeeping.afterGroup(context)
        } catch {
            reportFault(error)
        }
    }

    /// Puts writes back that the batch did not begin or did not finish.
    private func putBack(_ group: [WriteQueue.Item], _ outcomes: [GroupCommit.Outcome], _ history: HistoryID) {
        var notBegun: [WriteQueue.Item] = []
        var unfinished: [WriteQueue.Item] = []
        for (item, outcome) in zip(group, outcomes) {
            switch outcome {
            case .answered: break
            case .notBegun: notBegun.append(item)
            case .unfinished(let progress):
                item.work.recordProgress(progress, in: history)
                unfinished.append(item)
            }
        }
        guard !notBegun.isEmpty || !unfinished.isEmpty else { return }
        queue.withLock { $0.putBack(notBegun: notBegun, unfinished: unfinished) }
    }

    /// Removes unreachable rows for one step. Works on a full disk, too, because removals may use the reserve.
    private func removeRows() {
        guard context.isRemovalDue, events.damage() == nil else { return }
        do throws(StoreError) {
            try removeStep()
            context.removalRetryDue = nil
        } catch {
            reportFault(error)
            if error.storeFault == nil {
                retryRemoval(after: error)
            } else {
                // Do not try again before the disk has space, a commit makes rows unreachable, or the store is opened.
                context.hasRowsToRemove = false
            }
            return
        }
        commitAndCheckpointIfDue()
    }

    private func indexIfPressing() {
        guard !context.isDiskFull else { return }
        let isAsked = searchDemand.testAndClear()
        if isAsked {
            context.searchBacklog.endStartupDelay()
        }
        let revision = context.statistics.revision
        if isAsked && context.searchBacklog.isDue || context.searchBacklog.isPressing(revision) {
            index()
        } else if context.searchBacklog.hasShareNow(revision) {
            index(leaving: SearchLimits.sharedChangesMin)
        }
    }

    /// Indexes new messages for one step. If the disk is full, the step is repeated later, and nothing is reported:
    /// writes that find the disk full report that.
    private func index(leaving few: UInt64 = 0) {
        guard events.damage() == nil, context.connection != nil else { return }
        let startedAt = MonotonicClock.nanoseconds
        do throws(StoreError) {
            try SearchUpkeep.step(context, leaving: few)
            try housekeeping.afterGroup(context)
            context.searchBacklog.share.record(
                nanoseconds: MonotonicClock.nanoseconds - startedAt, writesWait: context.othersWait())
        } catch {
            context.searchBacklog.pause()
            if error.reason != .diskFull {
                reportFault(error)
            }
        }
    }

    private func removeStep() throws(StoreError) {
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

    /// Schedules another attempt to remove rows. The first failure is reported, because content that was acknowledged
    /// as deleted is still in the database file.
    private func retryRemoval(after error: StoreError) {
        if context.removalRetryDue == nil {
            events.removalFailed(error)
        }
        context.removalRetryDue = .now + .seconds(WALHousekeeping.removedContentRetrySeconds)
    }

    private func maintainWhenIdle() {
        do throws(StoreError) {
            try housekeeping.whenIdle(context)
            lookForRoom()
        } catch {
            reportFault(error)
        }
    }

    /// Detects that a full disk has space again. Only the disk itself can show that: a write that succeeded may have
    /// used the space of the reserve, and a write that changes nothing needs no space.
    private func lookForRoom() {
        guard context.isDiskFull, context.reserve?.findsRoomBeside() == true else { return }
        context.isDiskFull = false
        context.hasRowsToRemove = true
        events.foundSpace()
    }

    /// Performs a batch. Deletes that fail because the disk is full are tried again with the reserved space.
    private func run(_ group: [WriteQueue.Write]) -> [GroupCommit.Outcome] {
        var outcomes: [GroupCommit.Outcome]
        if context.isDiskFull, context.reserve?.findsRoomBeside() != true {
            // Refuse all writes at first: without the reserve an acknowledged write could find no space for its pages.
            outcomes = group.map { _ in .answered(.failure(.diskIsFull)) }
        } else {
            outcomes = GroupCommit(context: context, now: context.clock.wall, publish: events.committed).run(group)
        }
        let deletes = group.indices.filter { index in
            outcomes[index].isDiskFull && group[index].request.mutation.freesSpace
        }
        guard !deletes.isEmpty, context.hasRoomForDeletes() else { return outcomes }
        let commit = GroupCommit(context: context, now: context.clock.wall, publish: events.committed)
        for (index, outcome) in zip(deletes, commit.run(deletes.map { group[$0] })) {
            outcomes[index] = outcome
        }
        commitPages()
        return outcomes
    }

    private func reportFault(_ error: StoreError) {
        guard let fault = error.storeFault else { return }
        if fault == .diskFull {
            context.isDiskFull = true
        }
        events.failed(fault, error)
    }
}

// MARK: Callers' threads

extension WriterLoop {
    /// Performs a write on the calling thread, which holds the writer lock.
    func commitHere(_ item: WriteQueue.Item) {
        commit([item])
        giveBack()
    }

    private func giveBack() {
        let isLent = mayLendWriterLock
        let isUrgent = context.isCommitDue || context.isRemovalDue
        if queue.withLock({ $0.writerLock.giveBack(isLent: isLent) }) || isUrgent {
            queue.signal { _ in }
        }
    }

    private var mayLendWriterLock: Bool { context.acceptsShortWrites && events.damage() == nil }
}

/// The meaning of an error for the whole store.
enum StoreFault {
    case diskFull
    case damaged
    case storageFailed
}

extension StoreError {
    /// The fault of the store; `nil` if the error concerns only its request.
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
