import SQLCipher
import StoreBasics

/// The part of a transaction that saves, changes and deletes messages.
struct MessageWrites: TransactionWork {
    let transaction: Transaction
    let conversations: ConversationWrites
    let attachments: AttachmentWrites
    let drafts: DraftWrites
    let reactions: ReactionWrites
    let expiries: ExpiryWrites
    let retention: RetentionWrites
    let listeners: AreaListeners

    func updateMessageStatus(_ ids: [EntityID], _ status: MessageStatus) throws(StoreError) -> Commit {
        let heads = try existingHeads(ids)
        var commit = Commit()
        commit.ids = heads.map(\.id.text)
        try listeners.statusGiven(status, to: heads)
        commit.updatedCount = try update(heads, with: Self.setStatus, value: Int64(status.rawValue)) {
            $0.status != status
        }
        try expiries.startTimers(of: heads) { $0.status = status }
        return commit
    }

    func markMessagesRead(_ ids: [EntityID]) throws(StoreError) -> Commit {
        let heads = try existingHeads(ids)
        var commit = Commit()
        commit.ids = heads.map(\.id.text)
        commit.updatedCount = try markRead(heads)
        return commit
    }

    /// Marks messages as read.
    ///
    /// - Returns: The number of messages that were unread.
    func markRead(_ heads: [MessageHead]) throws(StoreError) -> Int {
        for (conversation, heads) in Dictionary(grouping: heads.lazy.filter { !$0.isRead }, by: \.conversation) {
            let unread = UnreadCounts(heads)
            try conversations.summarizeRead(conversation: conversation, unread: -unread)
            statistics.unreadCount -= unread.incoming
        }
        let count = try update(heads, with: Self.setRead, value: 1) { !$0.isRead }
        try expiries.startTimers(of: heads) { $0.isRead = true }
        return count
    }

    /// Replaces the text of a message.
    ///
    /// - Parameter editedAt: The time of the edit; `nil` for now. With `nil`, an equal text changes nothing.
    func editMessage(
        _ id: EntityID, text: String, editedAt: Timestamp?
    ) throws(StoreError) -> Commit {
        try FieldLimits.checkMessageText(text)
        guard var message = try findMessage(id) else { throw .messageNotFound }
        var commit = Commit()
        commit.ids = [id.text]
        let isSameText = message.text.hasSameBytes(as: text)
        let time = editedAt ?? (isSameText ? message.editedAt : now)
        guard !isSameText || time != message.editedAt else { return commit }
        if !isSameText {
            try listeners.textOutdated(at: message.place)
        }
        try connection.run(Self.setText, message.place, InlineText(text: text), time)
        if !isSameText {
            try LongTexts.delete(of: message.sequence, connection)
            message.text = text
            try LongTexts.insert(message, connection)
        }
        try listeners.messageEdited(id)
        removedContent = true
        record(
            .message, .updated, id: id.text, parent: message.conversationID.text, detail: .messageContent,
            kindName: message.kind)
        commit.updatedCount = 1
        return commit
    }

    func deleteMessages(_ ids: [EntityID]) throws(StoreError) -> Commit {
        let heads = try existingHeads(ids)
        try delete(heads)
        var commit = Commit()
        commit.ids = heads.map(\.id.text)
        commit.deletedCount = heads.count
        return commit
    }

    /// Deletes messages and records a change for each. Background maintenance removes their reactions and attachments.
    func delete(_ heads: [MessageHead], because cause: ChangeCause = .request) throws(StoreError) {
        guard !heads.isEmpty else { return }
        for head in heads {
            try listeners.textOutdated(at: head.place)
            try listeners.messageDeleted(head.id)
            try deleteMessageRow(at: head.place, expiringAt: head.expiresAt)
            try LongTexts.delete(of: head.sequence, connection)
            if head.hasReactions {
                try reactions.leaveReactionsBehind(head.sequence)
            }
            if let list = head.attachments {
                try attachments.leaveAttachmentsBehind(list)
            }
            record(
                .message, .deleted, id: head.id.text, parent: head.conversationID.text, cause: cause,
                kindName: head.kind)
        }
        for (conversation, heads) in Dictionary(grouping: heads, by: \.conversation) {
            let unread = UnreadCounts(heads)
            try conversations.summarizeChange(conversation: conversation, messages: -heads.count, unread: -unread)
            statistics.messageCount -= heads.count
            statistics.unreadCount -= unread.incoming
        }
        removedContent = true
    }

    /// Sets one column of the messages for which `needsChange` returns true, and records a change for each.
    ///
    /// - Returns: The number of changed messages.
    private func update(
        _ heads: [MessageHead], with text: StatementText, value: Int64, where needsChange: (MessageHead) -> Bool
    ) throws(StoreError) -> Int {
        var count = 0
        for head in heads where needsChange(head) {
            try connection.run(text, head.place, value)
            record(.message, .updated, id: head.id.text, parent: head.conversationID.text, kindName: head.kind)
            count += 1
        }
        return count
    }

    private static let setStatus = StatementText(
        "UPDATE OR FAIL \(MessagePlace.table) SET status = ?4 WHERE \(MessagePlace.condition)")
    private static let setRead = StatementText(
        "UPDATE OR FAIL \(MessagePlace.table) SET is_read = ?4 WHERE \(MessagePlace.condition)")
    private static let setText = StatementText(
        "UPDATE OR FAIL \(MessagePlace.table) SET text = ?4, edited_at = ?5 WHERE \(MessagePlace.condition)")
}

extension MessageWrites {
    func findMessage(_ id: EntityID) throws(StoreError) -> MessageRow? {
        guard let row = try connection.first(Self.messageByID, id), !clock.isOver(row) else { return nil }
        return try MessageRow(row)
    }

    /// Returns the head of an existing message.
    ///
    /// - Throws: `.messageNotFound`.
    func existingHead(_ id: EntityID) throws(StoreError) -> MessageHead {
        guard let head = try head(id), !clock.isOver(head.expiresAt) else { throw .messageNotFound }
        return head
    }

    /// Returns the head of a message, even if the message has expired.
    func head(_ id: EntityID) throws(StoreError) -> MessageHead? {
        guard let row = try connection.first(Self.headByID, id) else { return nil }
        return try MessageHead(row)
    }

    /// Returns the heads of messages, each once. All of them are found before the caller writes anything.
    func existingHeads(_ ids: [EntityID]) throws(StoreError) -> [MessageHead] {
        try FieldLimits.checkCount(ids.count, named: "message ids")
        var seen: Set<EntityID> = []
        var heads: [MessageHead] = []
        for id in ids where seen.insert(id).inserted {
            heads.append(try existingHead(id))
        }
        return heads
    }

    /// Deletes the row of a message. A row of `message_texts` stays.
    ///
    /// - Parameter expiresAt: The `expiresAt` of the row.
    func deleteMessageRow(at place: MessagePlace, expiringAt expiresAt: Int64?) throws(StoreError) {
        try connection.run(Self.deleteMessage, place)
        if let expiresAt {
            try expiries.forgetExpiry(of: place, at: expiresAt)
        }
    }

    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
    private static let headByID = StatementText(MessageRow.selectByID(MessageHead.columns))
    private static let deleteMessage = StatementText(
        "DELETE FROM \(MessagePlace.table) WHERE \(MessagePlace.condition)")
}
