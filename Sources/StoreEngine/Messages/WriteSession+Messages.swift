import SQLCipher
import StoreBasics

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
        guard !heads.isEmpty else { return commit }
        try summarizeRead(conversation: conversation.number, unread: -heads.count)
        statistics.unreadCount -= heads.count
        commit.updatedCount = try update(heads, with: Self.setRead, value: 1) { !$0.isRead }
        return commit
    }

    private func unreadMessages(of conversation: Int64) throws(StoreError) -> [MessageHead] {
        guard let unread = try connection.first(Self.unreadCount, conversation)?.int(0), unread > 0 else { return [] }
        // Newest first and no further than the last unread one: what is unread is mostly new.
        let rows = try connection.rows(Self.unreadMessages, conversation, unread)
        var heads: [MessageHead] = []
        while try rows.next() {
            heads.append(try MessageHead(rows))
        }
        return heads
    }

    /// - Parameter editedAt: `nil`: now, and nothing to do when the text is there already.
    mutating func editMessage(
        _ id: EntityID, text: String, editedAt: Timestamp?
    ) throws(StoreError) -> Commit {
        try TextBounds.checkMessageText(text)
        let message = try existingMessage(id)
        var commit = Commit()
        commit.ids = [id.text]
        let isSameText = message.text.utf8.elementsEqual(text.utf8)
        let time = editedAt ?? (isSameText ? message.editedAt : now)
        guard !isSameText || time != message.editedAt else { return commit }
        try connection.run(Self.setText, message.place, text, time)
        removedContent = true
        record(.message, .updated, id: id.text, parent: message.conversationID.text)
        commit.updatedCount = 1
        return commit
    }

    mutating func deleteMessages(_ ids: [EntityID]) throws(StoreError) -> Commit {
        let heads = try existingHeads(ids)
        var commit = Commit()
        var removed: [Int64: (messages: Int, unread: Int)] = [:]
        for head in heads {
            try deleteMessage(at: head.place)
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
        for head in heads where needsChange(head) {
            try connection.run(text, head.place, value)
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

extension WriteSession {
    /// - Throws: `.messageNotFound`.
    func existingMessage(_ id: EntityID) throws(StoreError) -> MessageRow {
        guard let row = try connection.first(Self.messageByID, id) else { throw Self.messageNotFound }
        return try MessageRow(row)
    }

    /// - Throws: `.messageNotFound`.
    func existingHead(_ id: EntityID) throws(StoreError) -> MessageHead {
        guard let row = try connection.first(Self.headByID, id) else { throw Self.messageNotFound }
        return try MessageHead(row)
    }

    /// The messages of some ids, each once, all found before the caller writes anything.
    func existingHeads(_ ids: [EntityID]) throws(StoreError) -> [MessageHead] {
        try TextBounds.checkCount(ids.count, named: "message ids")
        var seen: Set<EntityID> = []
        var heads: [MessageHead] = []
        for id in ids where seen.insert(id).inserted {
            heads.append(try existingHead(id))
        }
        return heads
    }

    private static var messageNotFound: StoreError {
        StoreError(.messageNotFound, "there is no such message; it may have been deleted")
    }

    func deleteMessage(at place: MessagePlace) throws(StoreError) {
        try connection.run(Self.deleteMessage, place)
    }

    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
    private static let headByID = StatementText(MessageRow.selectByID(MessageHead.columns))
    private static let deleteMessage = StatementText(
        "DELETE FROM messages WHERE conversation = ?1 AND timestamp = ?2 AND sequence = ?3")
}
