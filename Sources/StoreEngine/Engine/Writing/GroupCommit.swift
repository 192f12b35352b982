import SQLCipher
import StoreBasics

/// Applies a batch of writes in the open transaction and makes them durable as one record of the journal.
///
/// No savepoints are used. Requests read before they write. If a request fails after it has written something, which is
/// rare, the batch starts again with each request in a record of its own.
struct GroupCommit {
    /// The outcome of one write.
    enum Outcome {
        case answered(Result<MutationResult, StoreError>)
        /// The work so far is durable; a later batch continues it.
        case unfinished(any WorkProgress)
        /// The batch's time was over before this write began.
        case notBegun
    }

    let context: WriterContext
    let now: Timestamp
    /// Receives the committed changes, and the logs that were appended to, before any request of the batch is answered.
    let publish: ([Change], [LogNews], Statistics, [FileArea: FileUsage]) -> Void

    /// Performs a batch of writes.
    ///
    /// - Returns: One outcome for each request, in order; at least the first was begun.
    func run(_ group: [WriteQueue.Write]) -> [Outcome] {
        do throws(GroupFailure) {
            return try apply(group)
        } catch {
            switch error {
            case .requestSpoiledTransaction(let failure):
                guard group.count > 1 else { return [.answered(.failure(failure))] }
                return runOneByOne(group)
            case .commit(let failure):
                return group.map { _ in .answered(.failure(failure)) }
            }
        }
    }

    private func runOneByOne(_ group: [WriteQueue.Write]) -> [Outcome] {
        let slice = WorkSlice.ofCommit(context.othersWait)
        var held = HeldConnections()
        var outcomes: [Outcome] = []
        var ending: StoreError?
        for write in group {
            if let ending {
                outcomes.append(.answered(.failure(ending)))
                continue
            }
            guard outcomes.isEmpty || write.isPaced || !slice.isOver, !held.contains(write) else {
                outcomes.append(.notBegun)
                continue
            }
            for outcome in run([write]) {
                held.recordOutcome(outcome, of: write)
                outcomes.append(outcome)
                if case .answered(.failure(let error)) = outcome, error.endsGroup {
                    ending = error
                }
            }
        }
        return outcomes
    }

    /// The connections with an unfinished write. Later writes of these connections wait for it.
    private struct HeldConnections {
        private var owners: Set<WorkOwner> = []

        func contains(_ write: WriteQueue.Write) -> Bool {
            !owners.isEmpty && owners.contains(write.request.owner)
        }

        mutating func recordOutcome(_ outcome: Outcome, of write: WriteQueue.Write) {
            if case .unfinished = outcome {
                owners.insert(write.request.owner)
            }
        }
    }

    /// A step of work for the replica group. It has a longer time slice, because it rarely gets a turn.
    private struct PacedStep {
        private let startedAt = MonotonicClock.nanoseconds

        init?(_ write: WriteQueue.Write, _ transaction: Transaction, _ context: WriterContext) {
            guard write.request.mutation.isPaced else { return nil }
            transaction.slice = .ofReplica(ageSeconds: write.ageSeconds, context.clientsWrite)
        }

        func end(_ context: WriterContext) {
            context.pacedNanoseconds += MonotonicClock.nanoseconds - startedAt
        }
    }

    private enum GroupFailure: Error {
        case requestSpoiledTransaction(StoreError)
        case commit(StoreError)
    }

    private func apply(_ group: [WriteQueue.Write]) throws(GroupFailure) -> [Outcome] {
        let connection: Connection
        do throws(StoreError) {
            connection = try context.begin()
        } catch {
            throw .commit(error)
        }
        do throws(GroupFailure) {
            let transaction = Transaction(
                connection: connection, statistics: context.statistics, now: now,
                slice: .ofCommit(context.othersWait), clock: context.clock)
            let writes = StoreWrites(transaction, context.caches, context.fileQuotas)
            let outcomes = try perform(group, writes)
            let isWritten = try finish(writes)
            if isWritten {
                context.figures.recordBatch(requestCount: outcomes.count { $0.isCarriedOut })
            }
            return outcomes
        } catch {
            context.abandon()
            throw error
        }
    }

    private func perform(_ group: [WriteQueue.Write], _ writes: StoreWrites) throws(GroupFailure) -> [Outcome] {
        let transaction = writes.transaction
        var outcomes: [Outcome] = []
        outcomes.reserveCapacity(group.count)
        let startedAt = MonotonicClock.nanoseconds
        var held = HeldConnections()
        for write in group {
            guard outcomes.isEmpty || write.isPaced || !transaction.slice.isOver, !held.contains(write) else {
                outcomes.append(.notBegun)
                continue
            }
            if let deadline = write.request.deadline, deadline <= startedAt, !write.hasBegun {
                outcomes.append(
                    .answered(
                        .failure(StoreError(.deadlineExceeded, "the deadline passed before the write was started"))))
                continue
            }
            let paced = PacedStep(write, transaction, context)
            defer { paced?.end(context) }
            try prepare(for: write, writes)
            let writtenBefore = context.rowsWritten(transaction.connection)
            let revisionBefore = transaction.statistics.revision
            do throws(StoreError) {
                switch try writes.perform(write.request, in: write.history, after: write.progress) {
                case .done(let result): outcomes.append(.answered(.success(result)))
                case .unfinished(let progress):
                    outcomes.append(.unfinished(progress))
                    held.recordOutcome(.unfinished(progress), of: write)
                }
            } catch {
                guard !error.endsGroup else { throw .commit(error) }
                guard !error.isOfDatabase, context.rowsWritten(transaction.connection) == writtenBefore,
                    transaction.statistics.revision == revisionBefore,
                    transaction.connection.recorder?.hasFailedStatement != true, !transaction.connection.isInAutocommit
                else { throw .requestSpoiledTransaction(error) }
                outcomes.append(.answered(.failure(error)))
            }
        }
        return outcomes
    }

    /// Writes the pending rows of earlier requests if this request may read them. This must happen before the rows that
    /// the request itself writes are counted.
    private func prepare(for write: WriteQueue.Write, _ writes: StoreWrites) throws(GroupFailure) {
        let mutation = write.request.mutation
        let conversations = writes.areas.conversations
        conversations.leavesSums = mutation.leavesSums && !context.caches.areas.newMessageSums.isFull
        do throws(StoreError) {
            if !mutation.leavesSharedSceneValues {
                try writes.areas.scenes.writeSharedSceneValues()
            }
            if !conversations.leavesSums, !mutation.leavesConversations {
                try conversations.writeSums()
            }
        } catch {
            throw error.endsGroup ? .commit(error) : .requestSpoiledTransaction(error)
        }
    }

    /// Makes the writes of the transaction durable and publishes their changes.
    ///
    /// - Returns: True if anything was written.
    private func finish(_ writes: StoreWrites) throws(GroupFailure) -> Bool {
        let transaction = writes.transaction
        var fileUsage = context.fileUsage
        let isWritten: Bool
        do throws(StoreError) {
            try writes.finish()
            if writes.hasChangedFiles {
                fileUsage = try FileUsageRows.all(transaction.connection)
            }
            isWritten = try context.makeDurable()
        } catch {
            throw .commit(error)
        }
        context.statistics = transaction.statistics
        context.fileUsage = fileUsage
        let logNews = context.caches.areas.openLogs.news()
        context.cachesCommitted()
        leaveWork(of: writes)
        publish(transaction.committedChanges(), logNews, transaction.statistics, fileUsage)
        return isWritten
    }

    /// Schedules the work that a committed transaction leaves for background maintenance.
    private func leaveWork(of writes: StoreWrites) {
        let areas = writes.areas
        context.searchBacklog.recordCommit(
            newMessages: writes.search.newMessages, outdatedEntries: writes.search.outdatedEntries,
            revision: writes.statistics.revision)
        if writes.removedContent {
            context.scheduleWALEmptying()
        }
        if areas.leftovers.leftRowsBehind
            || areas.attachments.hasStoredAttachments && context.attachmentCache.bytesMax > 0
        {
            context.hasRowsToRemove = true
        }
        if let anchor = areas.expiries.keptAnchor {
            context.clock.recordStoredAnchor(anchor)
        }
        if let due = areas.expiries.retentionDue {
            context.retentionDue(context.clock.sinceBoot(atAge: due))
        }
        if areas.contents.hasReleasedAllContents {
            context.released(.unknown)
        } else if !areas.contents.releasedContents.isEmpty {
            context.released(.some(areas.contents.releasedContents))
        }
        if !writes.replicaNews.isEmpty {
            context.announceNews(writes.replicaNews)
        }
    }
}

extension GroupCommit.Outcome {
    fileprivate var isCarriedOut: Bool {
        switch self {
        case .answered(.success), .unfinished: true
        case .answered(.failure), .notBegun: false
        }
    }
}

extension StoreError {
    /// True if the error concerns the database and not the request. The transaction must not be committed then, and
    /// SQLite may refuse to commit it.
    fileprivate var isOfDatabase: Bool {
        concernsWholeStore || reason == .internal
    }

    /// True if the requests of the batch would fail in the same way one by one.
    fileprivate var endsGroup: Bool {
        reason == .databaseDamaged || reason == .storageFailed
    }
}
