import SQLCipher
internal import StoreBasics

extension WriteSession {
    mutating func updateMessageStatus(_ ids: [EntityID], _ status: MessageStatus) throws(StoreError) -> Commit {
        let heads = try existingHeads(ids)
        var commit = Commit()
        commit.ids = heads.map(\.id.text)
        commit.updatedCount = try update(heads, with: Self.setStatus, value: Int64(status.rawValue)) {
            $0.status != status
        }
        return commit
    }

    mutating func markMessagesRead(_ ids: [EntityID]) throws(StoreError) -> Commit {
        let heads = try existingHeads(ids)
        for head in heads where head.isUnread {
            try summarizeRead(conversation: head.conversation, unread: -1)
            statistics.unreadCount -= 1
        }
        var commit = Commit()
        commit.ids = heads.map(\.id.text)
        commit.updatedCount = try update(heads, with: Self.setRead, value: 1) { !$0.isRead }
        return commit
    }

    /// - Returns: a commit without ids: as many messages as a conversation has may have been unread.
    mutating func markConversationRead(_ reference: ConversationReference) throws(StoreError) -> Commit {
        let conversation = try conversation(reference)
        let heads = try unreadMessages(of: conversation.number)
        var commit = Commit()
        guard !heads.isEmpty else {
            return commit
        }
        try summarizeRead(conversation: conversation.number, unread: -heads.count)
        statistics.unreadCount -= heads.count
        commit.updatedCount = try update(heads, with: Self.setRead, value: 1) { !$0.isRead }
        return commit
    }

    private func unreadMessages(of conversation: Int64) throws(StoreError) -> [MessageHead] {
        let counts = try statement(Self.unreadCount)
        counts.bind(1, conversation)
        let unread = try mapped { () throws(SQLCipherError) in
            defer { counts.reset() }
            return try counts.step() ? counts.int(0) : 0
        }
        guard unread > 0 else {
            return []
        }
        // Newest first and no further than the last unread one: what is unread is mostly new.
        let select = try statement(Self.unreadMessages)
        select.bind(1, conversation)
        select.bind(2, unread)
        return try mapped { () throws(SQLCipherError) in
            defer { select.reset() }
            var heads: [MessageHead] = []
            while try select.step() {
                heads.append(try MessageHead(select))
            }
            return heads
        }
    }

    mutating func editMessage(
        _ id: EntityID, text: String, editedAt: Timestamp?
    ) throws(StoreError) -> Commit {
        try TextBounds.checkMessageText(text)
        let head = try existingHead(id)
        let edit = try statement(Self.setText)
        head.bindPlace(to: edit)
        edit.bind(4, text)
        edit.bind(5, (editedAt ?? now).microseconds)
        try mapped { () throws(SQLCipherError) in try edit.run() }
        removedContent = true
        record(.message, .updated, id: id.text, parent: head.conversationID.text)
        var commit = Commit()
        commit.ids = [id.text]
        commit.updatedCount = 1
        return commit
    }

    mutating func deleteMessages(_ ids: [EntityID]) throws(StoreError) -> Commit {
        let heads = try existingHeads(ids)
        var commit = Commit()
        var removed: [Int64: (messages: Int, unread: Int)] = [:]
        for head in heads {
            try deleteMessage(conversation: head.conversation, timestamp: head.timestamp, sequence: head.sequence)
            removed[head.conversation, default: (0, 0)].messages += 1
            removed[head.conversation, default: (0, 0)].unread += head.isUnread ? 1 : 0
            statistics.messageCount -= 1
            statistics.unreadCount -= head.isUnread ? 1 : 0
            record(.message, .deleted, id: head.id.text, parent: head.conversationID.text)
            commit.ids.append(head.id.text)
        }
        for (conversation, counts) in removed {
            try summarizeChange(conversation: conversation, messages: -counts.messages, unread: -counts.unread)
        }
        removedContent = true
        commit.deletedCount = heads.count
        return commit
    }

    /// Sets one column of those messages that need it.
    ///
    /// - Returns: how many needed it.
    private mutating func update(
        _ heads: [MessageHead], with text: StatementText, value: Int64, where needsChange: (MessageHead) -> Bool
    ) throws(StoreError) -> Int {
        var count = 0
        let update = try statement(text)
        for head in heads where needsChange(head) {
            head.bindPlace(to: update)
            update.bind(4, value)
            try mapped { () throws(SQLCipherError) in try update.run() }
            record(.message, .updated, id: head.id.text, parent: head.conversationID.text)
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
