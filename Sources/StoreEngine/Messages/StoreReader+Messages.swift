import SQLCipher

extension StoreReader {
    /// - Returns: `nil` when there is no such message.
    public func message(_ id: EntityID) throws(StoreError) -> Message? {
        try read { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                let select = try connection.statement(Self.messageByID)
                select.bind(1, id.text)
                defer { select.reset() }
                return try select.step() ? Message(select) : nil
            }
        }
    }

    /// A page of one conversation's messages.
    ///
    /// - Throws: `.conversationNotFound`, `.invalidArgument` for a limit out of range.
    public func messages(_ query: MessageQuery) throws(StoreError) -> MessagePage {
        try PageLimit.check(query.limit)
        return try read { connection throws(StoreError) in
            let number = try ConversationLookup.number(query.conversation, in: connection)
            return try mapped { () throws(SQLCipherError) in
                let text = query.order == .newestFirst ? Self.newestFirst : Self.oldestFirst
                let select = try connection.statement(text)
                MessageBounds(query).bind(to: select, conversation: number, query: query)
                defer { select.reset() }
                return try Self.page(select, limit: query.limit)
            }
        }
    }

    private static func page(_ select: Statement, limit: Int) throws(SQLCipherError) -> MessagePage {
        var page = MessagePage(messages: [], first: nil, last: nil, hasMore: false)
        page.messages.reserveCapacity(min(limit, EngineLimits.pageRowsDefault))
        while try select.step() {
            guard page.messages.count < limit else {
                page.hasMore = true
                break
            }
            let cursor = MessageCursor(
                timestamp: Timestamp(microseconds: select.integer(1)), sequence: select.integer(2))
            page.first = page.first ?? cursor
            page.last = cursor
            page.messages.append(Message(select))
        }
        return page
    }

    private static let messageByID = StatementText(
        """
        SELECT \(MessageRow.columns), c.id FROM messages AS m INDEXED BY messages_by_id
        CROSS JOIN conversations AS c ON c.number = m.conversation WHERE m.id = ?1
        """)
    private static let newestFirst = StatementText(pageSQL(direction: "DESC"))
    private static let oldestFirst = StatementText(pageSQL(direction: "ASC"))

    private static func pageSQL(direction: String) -> String {
        """
        SELECT \(MessageRow.columns), c.id FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND \(MessageBounds.conditionSQL)
        ORDER BY m.timestamp \(direction), m.sequence \(direction) LIMIT ?11
        """
    }
}

extension Message {
    init(_ statement: Statement) {
        let row = MessageRow(statement)
        self.init(
            id: row.id, conversationID: row.conversationID, text: row.text,
            senderSessionID: row.senderSessionID, recipientSessionID: row.recipientSessionID,
            timestamp: row.timestamp, status: row.status, isOutgoing: row.isOutgoing, isRead: row.isRead,
            attachmentURL: row.attachmentURL, attachmentType: row.attachmentType,
            replyToMessageID: row.replyToMessageID, createdAt: row.createdAt, editedAt: row.editedAt)
    }
}
