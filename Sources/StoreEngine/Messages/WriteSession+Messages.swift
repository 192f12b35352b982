import SQLCipher

extension WriteSession {
    mutating func updateMessageStatus(_ ids: [EntityID], _ status: MessageStatus) throws(StoreError) -> Receipt {
        try update(existingMessages(ids), with: Self.setStatus, value: Int64(status.rawValue)) {
            $0.status != status
        }
    }

    mutating func markMessagesRead(_ ids: [EntityID]) throws(StoreError) -> Receipt {
        let rows = try existingMessages(ids)
        for row in rows where row.isUnread {
            try summarizeRead(conversation: row.conversation, unread: -1)
            statistics.unreadCount -= 1
        }
        return try update(rows, with: Self.setRead, value: 1) { !$0.isRead }
    }

    mutating func markConversationRead(_ reference: ConversationReference) throws(StoreError) -> Receipt {
        let conversation = try conversation(reference)
        let counts = try statement(Self.unreadCount)
        counts.bind(1, conversation.number)
        let unread = try mapped { () throws(SQLCipherError) in
            defer { counts.reset() }
            return try counts.step() ? counts.int(0) : 0
        }
        guard unread > 0 else {
            return Receipt()
        }
        // Newest first and no further than the last unread one: what is unread is mostly new.
        let select = try statement(Self.unreadMessages)
        select.bind(1, conversation.number)
        select.bind(2, unread)
        let rows = try mapped { () throws(SQLCipherError) in
            defer { select.reset() }
            var rows: [MessageRow] = []
            while try select.step() {
                rows.append(MessageRow(select))
            }
            return rows
        }
        try summarizeRead(conversation: conversation.number, unread: -rows.count)
        statistics.unreadCount -= rows.count
        return try update(rows, with: Self.setRead, value: 1) { !$0.isRead }
    }

    mutating func editMessage(
        _ id: EntityID, text: String, editedAt: Timestamp?
    ) throws(StoreError) -> Receipt {
        try TextBounds.checkMessageText(text)
        let row = try existingMessage(id)
        let edit = try statement(Self.setText)
        edit.bind(1, row.conversation)
        edit.bind(2, row.timestamp.microseconds)
        edit.bind(3, row.sequence)
        edit.bind(4, text)
        edit.bind(5, (editedAt ?? now).microseconds)
        try mapped { () throws(SQLCipherError) in try edit.run() }
        removedContent = true
        record(.message, .updated, id: id.text, conversationID: row.conversationID.text)
        var receipt = Receipt()
        receipt.ids = [id.text]
        receipt.updated = 1
        return receipt
    }

    mutating func deleteMessages(_ ids: [EntityID]) throws(StoreError) -> Receipt {
        let rows = try existingMessages(ids)
        var receipt = Receipt()
        var removed: [Int64: (messages: Int, unread: Int)] = [:]
        for row in rows {
            try delete(row)
            removed[row.conversation, default: (0, 0)].messages += 1
            removed[row.conversation, default: (0, 0)].unread += row.isUnread ? 1 : 0
            statistics.messageCount -= 1
            statistics.unreadCount -= row.isUnread ? 1 : 0
            record(.message, .deleted, id: row.id.text, conversationID: row.conversationID.text)
            receipt.ids.append(row.id.text)
        }
        for (conversation, counts) in removed {
            try summarizeChange(conversation: conversation, messages: -counts.messages, unread: -counts.unread)
        }
        removedContent = true
        receipt.deleted = rows.count
        return receipt
    }

    /// Sets one column of those rows that need it.
    private mutating func update(
        _ rows: [MessageRow], with text: StatementText, value: Int64, where needsChange: (MessageRow) -> Bool
    ) throws(StoreError) -> Receipt {
        var receipt = Receipt()
        let update = try statement(text)
        for row in rows {
            receipt.ids.append(row.id.text)
            guard needsChange(row) else { continue }
            update.bind(1, row.conversation)
            update.bind(2, row.timestamp.microseconds)
            update.bind(3, row.sequence)
            update.bind(4, value)
            try mapped { () throws(SQLCipherError) in try update.run() }
            record(.message, .updated, id: row.id.text, conversationID: row.conversationID.text)
            receipt.updated += 1
        }
        return receipt
    }

    private static let place = "conversation = ?1 AND timestamp = ?2 AND sequence = ?3"
    private static let setStatus = StatementText("UPDATE messages SET status = ?4 WHERE \(place)")
    private static let setRead = StatementText("UPDATE messages SET is_read = ?4 WHERE \(place)")
    private static let setText = StatementText("UPDATE messages SET text = ?4, edited_at = ?5 WHERE \(place)")
    private static let unreadCount = StatementText("SELECT unread_count FROM conversations WHERE number = ?1")
    private static let unreadMessages = StatementText(
        """
        SELECT \(MessageRow.columns), c.id FROM messages AS m
        CROSS JOIN conversations AS c ON c.number = m.conversation
        WHERE m.conversation = ?1 AND m.is_read = 0 AND m.is_outgoing = 0
        ORDER BY m.timestamp DESC, m.sequence DESC LIMIT ?2
        """)
}
