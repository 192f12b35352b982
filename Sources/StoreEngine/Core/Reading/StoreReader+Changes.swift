import SQLCipher
package import StoreBasics

extension StoreReader {
    /// Returns changes after a revision that pass a filter, in the order of their revisions. Examines at most
    /// `EngineLimits.changePageRowsMax` changes and returns at most `limit`.
    ///
    /// - Throws: `.changesCompacted` if changes after `revision` were compacted; `.databaseDamaged`, also if a damaged
    ///   store cannot read up to `revision`; `.invalidArgument` for a limit out of range.
    package func changes(
        after revision: UInt64, limit: Int, _ filter: ChangeFilter = ChangeFilter()
    ) throws(StoreError) -> ChangePage {
        try PageLimit.check(limit, most: EngineLimits.changePageRowsMax)
        return try readSnapshot { connection throws(StoreError) in
            let statistics = try StatisticsRow.read(connection)
            guard revision >= statistics.compactedThroughRevision else {
                throw StoreError(
                    .changesCompacted,
                    "changes through revision \(statistics.compactedThroughRevision) are no longer kept; "
                        + "read the data again, and continue from the revision in the answers")
            }
            try requireReached(revision, statistics)
            var page = ChangePage(
                changes: [], throughRevision: revision, revision: statistics.revision, history: try history())
            guard revision < statistics.revision else { return page }
            try Self.collect(&page, after: revision, limit: limit, filter, connection)
            return page
        }
    }

    private static func collect(
        _ page: inout ChangePage, after revision: UInt64, limit: Int, _ filter: ChangeFilter, _ connection: Connection
    ) throws(StoreError) {
        var remaining = EngineLimits.changePageRowsMax
        let rows = try connection.rows(commitsAfter, revision + 1)
        while try rows.next() {
            let first = rows.unsigned(0)
            let committedAt = rows.timestamp(1)
            let entries = try ChangeCodec.decode(rows.borrowedBytes(2))
            for (offset, entry) in entries.enumerated() where first + UInt64(offset) > revision {
                guard page.changes.count < limit, remaining > 0 else { return }
                remaining -= 1
                page.throughRevision = first + UInt64(offset)
                guard filter.matches(entry.kind, id: entry.id, parent: entry.parent, kindName: entry.kindName)
                else { continue }
                page.changes.append(
                    Change(
                        revision: first + UInt64(offset), kind: entry.kind, operation: entry.operation,
                        id: entry.id, parent: entry.parent, committedAt: committedAt, kindName: entry.kindName))
            }
        }
    }

    private static let commitsAfter = StatementText(
        """
        SELECT first_revision, committed_at, entries FROM changes
        WHERE first_revision >= ifnull((SELECT max(first_revision) FROM changes WHERE first_revision <= ?1), 0)
        ORDER BY first_revision
        """)
}

/// Exact counts, updated with every commit.
package struct Statistics: Hashable, Sendable {
    package var conversationCount: Int = 0
    package var messageCount: Int = 0
    package var contactCount: Int = 0
    package var unreadCount: Int = 0
    /// The revision of the last committed change; 0 for a new store.
    package var revision: UInt64 = 0
    /// The revision up to which changes were compacted. Later changes still exist.
    package var compactedThroughRevision: UInt64 = 0
    /// The history that the revisions belong to.
    package var history: HistoryID

    package init(history: HistoryID) {
        self.history = history
    }
}

/// The counters after the last commit. They are stored in the newest row of the change log, so that updating them
/// writes no page of its own.
enum StatisticsRow {
    static func read(_ connection: Connection) throws(StoreError) -> Statistics {
        guard let store = try connection.first(storeRow) else { throw History.missing }
        var statistics = Statistics(history: try History.id(store.borrowedBytes(1)))
        statistics.compactedThroughRevision = UInt64(try store.count(0))
        if let newest = try connection.first(newestCommit) {
            statistics.revision = UInt64(try newest.count(0))
            statistics.conversationCount = Int(try newest.count(1))
            statistics.messageCount = Int(try newest.count(2))
            statistics.contactCount = Int(try newest.count(3))
            statistics.unreadCount = Int(try newest.count(4))
        }
        guard statistics.compactedThroughRevision <= statistics.revision else {
            throw .databaseDamaged("more changes are marked as compacted than the store has")
        }
        return statistics
    }

    private static let newestCommit = StatementText(
        """
        SELECT last_revision, conversation_count, message_count, contact_count, unread_count FROM changes
        ORDER BY first_revision DESC LIMIT 1
        """)
    private static let storeRow = StatementText("SELECT compacted_through, history FROM store")
}
