import SQLCipher
internal import StoreBasics

extension StoreReader {
    /// - Returns: `nil` when there is no such message.
    package func message(_ id: EntityID) throws(StoreError) -> Message? {
        var found: Message?
        _ = try message(id) { found = Message($0) }
        return found
    }

    /// - Parameter visit: called at most once, with the message where SQLite holds it.
    /// - Returns: false when there is no such message.
    package func message(_ id: EntityID, _ visit: (BorrowedMessage) -> Void) throws(StoreError) -> Bool {
        try read { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.messageByID)
                select.bind(1, id.text)
                defer { select.reset() }
                guard try select.step() else { return false }
                visit(try BorrowedMessage(select))
                return true
            }
        }
    }

    /// A page of one conversation's messages. It ends before `EngineLimits.pageBytesMax`: it is the last one only when
    /// `hasMore` is false.
    ///
    /// - Throws: `.conversationNotFound`, `.invalidArgument` for a limit out of range.
    package func messages(_ query: MessageQuery) throws(StoreError) -> MessagePage {
        var page = MessagePage(messages: [], first: nil, last: nil, hasMore: false)
        page.messages.reserveCapacity(min(query.limit, EngineLimits.pageRowsDefault))
        let end = try messages(query) { message in
            page.messages.append(Message(message))
            return .goOn
        }
        page.first = end?.first
        page.last = end?.last
        page.hasMore = end?.hasMore ?? false
        return page
    }

    /// The same page, message by message, where SQLite holds them.
    ///
    /// - Returns: `nil` when the visitor stopped.
    package func messages(
        _ query: MessageQuery, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        try PageLimit.check(query.limit)
        return try read { connection throws(StoreError) in
            let number = try ConversationLookup.number(query.conversation, in: connection)
            return try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.statement(for: query))
                MessageBounds(query).bind(to: select, conversation: number, query: query)
                defer { select.reset() }
                return try Self.visitPage(select, limit: query.limit, visit)
            }
        }
    }

    private static func visitPage(
        _ select: Statement, limit: Int, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(SQLCipherError) -> MessagePageEnd? {
        var end = MessagePageEnd(first: nil, last: nil, hasMore: false)
        var count = 0
        var bytes = PageBytes()
        while try select.step() {
            let message = try BorrowedMessage(select)
            guard count < limit, bytes.admit(message.byteCount) else {
                end.hasMore = true
                break
            }
            let cursor = MessageCursor(
                timestamp: Timestamp(microseconds: select.integer(1)), sequence: select.integer(2))
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

    private static let newestFirst = StatementText(pageSQL(direction: "DESC", filter: ""))
    private static let oldestFirst = StatementText(pageSQL(direction: "ASC", filter: ""))
    private static let filteredNewestFirst = StatementText(pageSQL(direction: "DESC", filter: MessageBounds.filterSQL))
    private static let filteredOldestFirst = StatementText(pageSQL(direction: "ASC", filter: MessageBounds.filterSQL))

    private static func pageSQL(direction: String, filter: String) -> String {
        """
        SELECT \(MessageRow.columns), c.id FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND \(MessageBounds.intervalSQL) \(filter)
        ORDER BY m.timestamp \(direction), m.sequence \(direction) LIMIT ?11
        """
    }
}

extension Message {
    init(_ borrowed: BorrowedMessage) {
        self.init(
            id: EntityID(trusted: String(borrowed.id)),
            conversationID: EntityID(trusted: String(borrowed.conversationID)),
            text: String(borrowed.text), senderSessionID: String(borrowed.senderSessionID),
            recipientSessionID: String(borrowed.recipientSessionID),
            timestamp: Timestamp(microseconds: borrowed.timestampMicroseconds),
            status: MessageStatus(rawValue: Int(borrowed.status)) ?? .failed, isOutgoing: borrowed.isOutgoing,
            isRead: borrowed.isRead, attachmentURL: borrowed.attachmentURL.map { String($0) },
            attachmentType: borrowed.attachmentType.map { String($0) },
            replyToMessageID: borrowed.replyToMessageID.map { EntityID(trusted: String($0)) },
            createdAt: Timestamp(microseconds: borrowed.createdAtMicroseconds),
            editedAt: borrowed.editedAtMicroseconds.map { Timestamp(microseconds: $0) })
    }
}

extension String {
    /// Bytes that `Statement.borrowedText` has checked.
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(decoding: bytes, as: UTF8.self)
    }
}
