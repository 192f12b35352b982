import SQLCipher
import StoreBasics

extension StoreReader {
    /// Returns the properties of the log with a name, without its entries; `nil` if no log has the name.
    package func log(_ name: LogName) throws(StoreError) -> Log? {
        try read { connection throws(StoreError) in
            try LogRow.find(name, in: connection)?.info
        }
    }

    /// Returns the next entries of a log, oldest first, limited in number and bytes.
    ///
    /// - Throws: `.logNotFound`, also if the name now belongs to another log; `.invalidArgument` for a limit out of
    ///   range.
    package func logEntries(_ query: LogQuery) throws(StoreError) -> LogPage {
        try PageLimit.check(query.limit)
        return try readSnapshot { connection throws(StoreError) in
            guard let row = try LogRow.find(query.log, in: connection) else {
                throw StoreError(
                    .logNotFound, "there is no such log; check its name, or open the log, which creates it")
            }
            guard query.createdRevision.map({ $0 == row.createdRevision }) ?? true else {
                throw StoreError(
                    .logNotFound, "the log was deleted, and a new log has its name; read the new log from its start")
            }
            var page = LogPage(
                info: row.info, entries: [], hasMore: false, history: try history())
            if let place = query.ofAllDevices {
                try MergedLog(row, behind: place, connection).read(query.limit, into: &page)
                return page
            }
            guard let sequences = row.info.sequences, query.afterSequence < sequences.upperBound else { return page }
            // Rows before the oldest entry do not belong to the log any more.
            let after = max(query.afterSequence, sequences.lowerBound - 1)
            let rows = try connection.rows(Self.entriesAfter, row.number, after, query.limit + 1)
            var byteCount = 0
            while try rows.next() {
                guard page.entries.count < query.limit, byteCount < EngineLimits.logPageBytesMax else {
                    page.hasMore = true
                    break
                }
                let entry = LogEntry(sequence: rows.unsigned(0), data: rows.bytes(1), metadata: rows.metadata(2))
                byteCount += entry.byteCount
                page.entries.append(entry)
            }
            return page
        }
    }

    /// Returns logs in the order of the bytes of their names.
    ///
    /// - Parameter cursor: The cursor of the previous page; `nil` for the first page.
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func logs(limit: Int, cursor: String?) throws(StoreError) -> LogListPage {
        try PageLimit.check(limit)
        let start = try cursor.map(NameCursor.name) ?? ""
        return try readSnapshot { connection throws(StoreError) in
            let rows = try connection.rows(Self.logsByName, start, limit + 1)
            var page = LogListPage(logs: [], nextCursor: nil)
            while try rows.next() {
                guard page.logs.count < limit else {
                    page.nextCursor = page.logs.last.map { NameCursor.text($0.name.text) }
                    break
                }
                page.logs.append(try LogRow(rows).info)
            }
            return page
        }
    }

    private static let entriesAfter = StatementText(
        "SELECT sequence, data, metadata FROM log_entries WHERE log = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3")
    private static let logsByName = StatementText(LogRow.selectSQL + " WHERE l.name > ?1 ORDER BY l.name LIMIT ?2")
}
