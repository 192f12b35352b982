import SQLCipher
internal import StoreBasics

extension StoreReader {
    /// Changes with a greater revision, in order and without gaps.
    ///
    /// - Throws: `.changesCompacted` when changes after `revision` are no longer kept, `.invalidArgument` for a limit
    ///   out of range.
    package func changes(after revision: UInt64, limit: Int) throws(StoreError) -> ChangePage {
        try PageLimit.check(limit, most: EngineLimits.changePageRowsMax)
        return try readSnapshot { connection throws(StoreError) in
            let statistics = try StatisticsRow.read(connection)
            guard revision >= statistics.compactedThroughRevision else {
                throw StoreError(
                    .changesCompacted,
                    "changes through revision \(statistics.compactedThroughRevision) are no longer kept; "
                        + "read the current state and watch from there")
            }
            var page = ChangePage(changes: [], revision: statistics.revision, hasMore: false)
            guard revision < statistics.revision else {
                return page
            }
            try Self.collect(&page, after: revision, limit: limit, connection)
            return page
        }
    }

    private static func collect(
        _ page: inout ChangePage, after revision: UInt64, limit: Int, _ connection: Connection
    ) throws(StoreError) {
        let select = try mapped { () throws(SQLCipherError) in try connection.statement(commitsAfter) }
        select.bind(1, Int64(clamping: revision) + 1)
        defer { select.reset() }
        while try mapped({ () throws(SQLCipherError) in try select.step() }) {
            let first = UInt64(max(0, select.integer(0)))
            let committedAt = Timestamp(microseconds: select.integer(1))
            let entries = try select.withBlobBytes(2) { bytes in
                Result { () throws(StoreError) in try ChangeCodec.decode(bytes) }
            }.get()
            for (offset, entry) in entries.enumerated() where first + UInt64(offset) > revision {
                guard page.changes.count < limit else {
                    page.hasMore = true
                    return
                }
                page.changes.append(
                    Change(
                        revision: first + UInt64(offset), kind: entry.kind, operation: entry.operation,
                        id: entry.id, parent: entry.parent, committedAt: committedAt))
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
