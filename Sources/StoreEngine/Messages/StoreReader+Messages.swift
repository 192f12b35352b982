import SQLCipher

extension StoreReader {
    /// - Parameter visit: called at most once, with the message where SQLite holds it.
    /// - Returns: false when there is no such message.
    package func message(_ id: EntityID, _ visit: (BorrowedMessage) -> Void) throws(StoreError) -> Bool {
        try read { connection throws(StoreError) in
            guard let row = try connection.first(Self.messageByID, id) else { return false }
            visit(try BorrowedMessage(row))
            return true
        }
    }

    /// A page of one conversation's messages, message by message, where SQLite holds them. It ends before
    /// `EngineLimits.pageBytesMax`: it is the last one only when `hasMore` is false.
    ///
    /// - Returns: `nil` when the visitor stopped.
    /// - Throws: `.conversationNotFound`, `.invalidArgument` for a limit out of range.
    package func messages(
        _ query: MessageQuery, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        try PageLimit.check(query.limit)
        return try read { connection throws(StoreError) in
            let number = try ConversationLookup.number(query.conversation, in: connection)
            let rows = try connection.rows(
                Self.statement(for: query), MessageCondition(query, conversation: number, limit: query.limit + 1))
            return try Self.visitPage(rows, limit: query.limit, visit)
        }
    }

    private static func visitPage(
        _ rows: borrowing Rows, limit: Int, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        var end = MessagePageEnd(first: nil, last: nil, hasMore: false)
        var count = 0
        var bytes = PageBytes()
        while try rows.next() {
            let message = try BorrowedMessage(rows)
            guard count < limit, bytes.admit(message.byteCount) else {
                end.hasMore = true
                break
            }
            let cursor = MessageCursor(timestamp: rows.timestamp(1), sequence: rows.integer(2))
            end.first = end.first ?? cursor
            end.last = cursor
            count += 1
            guard visit(message) == .goOn else { return nil }
        }
        return end
    }

    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
    private static func statement(for query: MessageQuery) -> StatementText {
        switch (query.order, query.isFiltered) {
        case (.newestFirst, false): newestFirst
        case (.oldestFirst, false): oldestFirst
        case (.newestFirst, true): filteredNewestFirst
        case (.oldestFirst, true): filteredOldestFirst
        }
    }

    private static let newestFirst = StatementText(pageSQL("DESC", MessageCondition.intervalSQL))
    private static let oldestFirst = StatementText(pageSQL("ASC", MessageCondition.intervalSQL))
    private static let filteredNewestFirst = StatementText(pageSQL("DESC", MessageCondition.wholeSQL))
    private static let filteredOldestFirst = StatementText(pageSQL("ASC", MessageCondition.wholeSQL))

    private static func pageSQL(_ direction: String, _ condition: String) -> String {
        """
        SELECT \(MessageRow.columns), c.id FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND \(condition)
        ORDER BY m.timestamp \(direction), m.sequence \(direction) LIMIT \(MessageCondition.limitSQL)
        """
    }
}
