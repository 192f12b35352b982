import SQLCipher
internal import StoreBasics

extension WriteSession {
    mutating func updateMessageStatus(_ ids: [EntityID], _ status: MessageStatus) throws(StoreError) -> Receipt {
        let heads = try existingHeads(ids)
        var receipt = Receipt()
        receipt.ids = heads.map(\.id.text)
        receipt.updated = try update(heads, with: Self.setStatus, value: Int64(status.rawValue)) {
            $0.status != status
        }
        return receipt
    }

    mutating func markMessagesRead(_ ids: [EntityID]) throws(StoreError) -> Receipt {
        let heads = try existingHeads(ids)
        for head in heads where head.isUnread {
            try summarizeRead(conversation: head.conversation, unread: -1)
            statistics.unreadCount -= 1
        }
        var receipt = Receipt()
        receipt.ids = heads.map(\.id.text)
        receipt.updated = try update(heads, with: Self.setRead, value: 1) { !$0.isRead }
        return receipt
    }

    /// - Returns: a receipt without ids: as many messages as a conversation has may have been unread.
    mutating func markConversationRead(_ reference: ConversationReference) throws(StoreError) -> Receipt {
        let conversation = try conversation(reference)
        let heads = try unreadMessages(of: conversation.number)
        var receipt = Receipt()
        guard !heads.isEmpty else {
            return receipt
        }
        try summarizeRead(conversation: conversation.number, unread: -heads.count)
        statistics.unreadCount -= heads.count
        receipt.updated = try update(heads, with: Self.setRead, value: 1) { !$0.isRead }
        return receipt
    }

    private func unreadMessages(of conversation: Int64) throws(StoreError) -> [MessageHead] {
        guard let unread = try connection.first(Self.unreadCount, conversation)?.int(0), unread > 0 else {
            return []
        }
        // Newest first and no further than the last unread one: what is unread is mostly new.
        let rows = try connection.rows(Self.unreadMessages, conversation, unread)
        var heads: [MessageHead] = []
        while try rows.next() {
            heads.append(try MessageHead(rows))
        }
        return heads
    }

    mutating func editMessage(
        _ id: EntityID, text: String, editedAt: Timestamp?
    ) throws(StoreError) -> Receipt {
        try TextBounds.checkMessageText(text)
        let head = try existingHead(id)
        try connection.run(Self.setText, head.place, text, editedAt ?? now)
        removedContent = true
        record(.message, .updated, id: id.text, conversationID: head.conversationID.text)
        var receipt = Receipt()
        receipt.ids = [id.text]
        receipt.updated = 1
        return receipt
    }

    mutating func deleteMessages(_ ids: [EntityID]) throws(StoreError) -> Receipt {
        let heads = try existingHeads(ids)
        var receipt = Receipt()
        var removed: [Int64: (messages: Int, unread: Int)] = [:]
        for head in heads {
            try deleteMessage(at: head.place)
            removed[head.conversation, default: (0, 0)].messages += 1
            removed[head.conversation, default: (0, 0)].unread += head.isUnread ? 1 : 0
            statistics.messageCount -= 1
            statistics.unreadCount -= head.isUnread ? 1 : 0
            record(.message, .deleted, id: head.id.text, conversationID: head.conversationID.text)
            receipt.ids.append(head.id.text)
        }
        for (conversation, counts) in removed {
            try summarizeChange(conversation: conversation, messages: -counts.messages, unread: -counts.unread)
        }
        removedContent = true
        receipt.deleted = heads.count
        return receipt
    }

    /// Sets one column of those messages that need it.
    ///
    /// - Returns: how many needed it.
    private mutating func update(
        _ heads: [MessageHead], with text: StatementText, value: Int64, where needsChange: (MessageHead) -> Bool
    ) throws(StoreError) -> Int {
        var count = 0
        for head in heads where needsChange(head) {
            try connection.run(text, head.place, value)
            record(.message, .updated, id: head.id.text, conversationID: head.conversationID.text)
            count += 1
        }
        return count
    }

    private static let place = "conversation = ?1 AND timestamp = ?2 AND sequence = ?3"
    private static let setStatus = StatementText("UPDATE messages SET status = ?4 WHERE \(place)")
    private static let setRead = StatementText("UPDATE messages SET is_read = ?4 WHERE \(place)")
    private static let setText = StatementText("UPDATE messages SET text = ?4, edited_at = ?5 WHERE \(place)")
    private static let unreadCount = StatementText("SELECT unread_count FROM conversations WHERE number = ?1")
    private static let unreadMessages = StatementText(
        """
        SELECT \(MessageHead.columns), c.id FROM messages AS m
        CROSS JOIN conversations AS c ON c.number = m.conversation
        WHERE m.conversation = ?1 AND m.is_read = 0 AND m.is_outgoing = 0
        ORDER BY m.timestamp DESC, m.sequence DESC LIMIT ?2
        """)
}
