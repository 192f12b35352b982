import SQLCipher

extension StoreReader {
    /// - Returns: `nil` when there is no such log.
    package func log(_ name: LogName) throws(StoreError) -> LogInfo? {
        try read { connection throws(StoreError) in
            try LogRow.find(name, in: connection)?.info
        }
    }

    /// The next messages of a log, oldest first, bounded in number and bytes.
    ///
    /// - Throws: `.logNotFound`, `.invalidArgument` for a limit out of range.
    package func logEntries(_ query: LogQuery) throws(StoreError) -> LogPage {
        try PageLimit.check(query.limit)
        return try readSnapshot { connection throws(StoreError) in
            guard let row = try LogRow.find(query.log, in: connection) else {
                throw StoreError(.logNotFound, "there is no such log; open it first")
            }
            var page = LogPage(info: row.info, entries: [], hasMore: false)
            guard let newest = row.sequences?.upperBound, query.afterSequence < UInt64(newest) else {
                return page
            }
            try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.entriesAfter)
                select.bind(1, row.number)
                select.bind(2, Int64(clamping: query.afterSequence))
                select.bind(3, query.limit + 1)
                defer { select.reset() }
                try Self.collect(select, limit: query.limit, into: &page)
            }
            return page
        }
    }

    private static func collect(_ select: Statement, limit: Int, into page: inout LogPage) throws(SQLCipherError) {
        var byteCount = 0
        while try select.step() {
            guard page.entries.count < limit, byteCount < EngineLimits.logPageBytesMax else {
                page.hasMore = true
                return
            }
            let entry = LogEntry(sequence: UInt64(max(0, select.integer(0))), data: select.bytes(1))
            byteCount += entry.data.count
            page.entries.append(entry)
        }
    }

    /// Logs in the order of the bytes of their names.
    ///
    /// - Parameter cursor: of the page before; `nil` starts at the first.
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func logs(limit: Int, cursor: String?) throws(StoreError) -> LogListPage {
        try PageLimit.check(limit)
        var start = ""
        if let cursor {
            guard let name = HexText.decode(cursor[...]) else {
                throw .invalidArgument("the cursor is not one the daemon gave; start again without it")
            }
            start = name
        }
        return try readSnapshot { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.logsByName)
                select.bind(1, start)
                select.bind(2, limit + 1)
                defer { select.reset() }
                var page = LogListPage(logs: [], nextCursor: nil)
                while try select.step() {
                    guard page.logs.count < limit else {
                        page.nextCursor = page.logs.last.map { HexText.encode($0.name.text) }
                        break
                    }
                    page.logs.append(try LogRow(select).info)
                }
                return page
            }
        }
    }

    private static let entriesAfter = StatementText(
        "SELECT sequence, data FROM log_entries WHERE log = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3")
    private static let logsByName = StatementText(LogRow.selectSQL + " WHERE l.name > ?1 ORDER BY l.name LIMIT ?2")
}
