import SQLCipher
import StoreBasics

extension MessageWrites {
    func saveMessages(_ messages: [NewMessage]) throws(StoreError) -> Commit {
        try FieldLimits.checkCount(messages.count, named: "messages")
        for message in messages {
            try FieldLimits.check(message)
        }
        try attachments.checkAttachments(of: messages)
        // Unknown conversations are detected before anything is written, so that this common failure needs no rollback.
        for message in messages {
            if case .id = message.conversation {
                _ = try conversations.conversation(message.conversation)
            }
        }
        var commit = Commit()
        commit.ids.reserveCapacity(messages.count)
        for message in messages {
            try save(message, into: &commit)
        }
        return commit
    }

    /// Saves a message.
    ///
    /// - Parameter clearsDraft: True to delete the draft of the message's conversation.
    func saveMessage(_ message: NewMessage, clearsDraft: Bool) throws(StoreError) -> Commit {
        try FieldLimits.check(message)
        try attachments.check(message.attachments)
        var commit = Commit()
        try save(message, into: &commit)
        if clearsDraft {
            _ = try drafts.removeDraft(of: try conversations.conversation(message.conversation))
        }
        return commit
    }

    private func save(_ message: NewMessage, into commit: inout Commit) throws(StoreError) {
        let conversation = try conversations.conversationToSaveTo(message.conversation)
        let id = message.id ?? EntityID.fresh()
        var row = MessageRow(
            message, id: id, conversation: conversation, sequence: Int64(nextRevision), now: now)
        row.expiresAt = try expiries.expiry(of: row)
        commit.ids.append(id.text)
        if try insert(row, message.attachments) {
            commit.createdCount += 1
        } else if let old = try findMessage(id) {
            guard let replaced = try replace(old, with: row, message) else { return }
            row = replaced
            commit.updatedCount += 1
        } else {
            try insertOverLeftover(&row, message.attachments)
            commit.createdCount += 1
        }
        try retention.scheduleOldestDeletion(row, under: conversation.retention)
    }

    /// Inserts a message whose id an unreachable row still has.
    func insertOverLeftover(
        _ row: inout MessageRow, _ attachments: [NewAttachment]
    ) throws(StoreError) {
        try conversations.writeSums()
        try deleteLeftover(row.id)
        // The deletion of the leftover row was a change of its own, and has used the revision that was intended for the
        // new message.
        row.sequence = Int64(nextRevision)
        if row.attachments != nil {
            row.attachments = row.sequence
        }
        _ = try insert(row, attachments)
    }

    /// Deletes an unreachable row: the message has expired, or its conversation was deleted.
    private func deleteLeftover(_ id: EntityID) throws(StoreError) {
        if let head = try head(id) {
            try delete([head], because: .timer)
        } else {
            try deleteUnreachable(id)
        }
    }

    /// Deletes a row whose conversation was deleted.
    private func deleteUnreachable(_ id: EntityID) throws(StoreError) {
        guard let row = try connection.first(Self.leftover, id) else { return }
        let place = MessagePlace(conversation: row.integer(0), timestamp: row.timestamp(1), id: id)
        if row.bool(3) {
            try reactions.leaveReactionsBehind(row.integer(2))
        }
        if let list = row.optionalInteger(5) {
            try attachments.leaveAttachmentsBehind(list)
        }
        if let expiresAt = row.optionalInteger(4) {
            try expiries.forgetExpiry(of: place, at: expiresAt)
        }
        try listeners.unreachableMessageRemoved(
            id, isRecorded: try !Leftovers.isExcludedFromPublication(conversation: place.conversation, connection))
        try connection.run(Self.deleteByID, id)
        try LongTexts.delete(of: row.integer(2), connection)
    }

    /// - Returns: False if a row with this id exists; nothing was written then.
    func insert(
        _ row: MessageRow, _ attachments: [NewAttachment]
    ) throws(StoreError) -> Bool {
        guard try connection.runUnlessDuplicate(Self.insertMessage, row) else { return false }
        try LongTexts.insert(row, connection)
        try self.attachments.replaceAttachments(nil, by: attachments, list: row.attachments, at: row.place)
        if let expiresAt = row.expiresAt {
            try expiries.recordExpiry(of: row.place, at: expiresAt)
        }
        try conversations.summarizeInsertion(row)
        statistics.messageCount += 1
        listeners.messageInserted()
        statistics.unreadCount += UnreadCounts(row).incoming
        record(.message, .created, id: row.id.text, parent: row.conversationID.text, kindName: row.kind)
        return true
    }

    /// - Returns: The new row; `nil` if the message is unchanged.
    private func replace(
        _ old: MessageRow, with new: MessageRow, _ message: NewMessage
    ) throws(StoreError) -> MessageRow? {
        try conversations.writeSums()
        var row = new
        row.sequence = old.sequence
        row.createdAt = old.createdAt
        row.editedAt = old.editedAt
        row.reactions = old.reactions
        row.unknownFields = old.unknownFields
        if message.timestamp == nil {
            row.timestamp = old.timestamp
        }
        if message.timer == .inherited {
            row.timer = old.timer
        }
        row.expiresAt = try expiries.expiry(of: row, replacing: old)
        let areKept = message.keepsAttachments && message.attachments.isEmpty
        let areSame = try AttachmentRows.isSame(old.attachments, as: message.attachments, connection)
        if areKept || areSame {
            row.attachments = old.attachments
        }
        try attachments.replaceAttachments(
            old.attachments, by: message.attachments, list: row.attachments, at: row.place)
        return try write(row, over: old) ? row : nil
    }

    /// Replaces the row `old`, and everything that depends on its key or text, by `row`, which may have another key.
    ///
    /// - Returns: False if nothing had to change.
    func write(_ row: MessageRow, over old: MessageRow) throws(StoreError) -> Bool {
        guard row != old || !row.hasSameBytes(as: old) else { return false }
        let isSameText = row.text.hasSameBytes(as: old.text)
        if row.place != old.place || !isSameText {
            try listeners.textOutdated(at: old.place)
        }
        let isContentChanged = try listeners.messageReplaced(old, by: row)
        try deleteMessageRow(at: old.place, expiringAt: old.expiresAt)
        try connection.run(Self.insertMessage, row)
        if !isSameText || row.metadata != old.metadata || row.sequence != old.sequence {
            try LongTexts.delete(of: old.sequence, connection)
            try LongTexts.insert(row, connection)
        }
        if let list = row.attachments, list == old.attachments, row.place != old.place {
            try AttachmentRows.move(list, to: row.place, connection)
        }
        if let expiresAt = row.expiresAt {
            try expiries.recordExpiry(of: row.place, at: expiresAt)
        }
        let unread = UnreadCounts(row) - UnreadCounts(old)
        if row.conversation != old.conversation {
            try conversations.summarizeChange(conversation: old.conversation, messages: -1, unread: -UnreadCounts(old))
            try conversations.summarizeChange(conversation: row.conversation, messages: 1, unread: UnreadCounts(row))
        } else if row.place != old.place {
            try conversations.summarizeChange(conversation: row.conversation, messages: 0, unread: unread)
        } else if unread != UnreadCounts() {
            try conversations.summarizeRead(conversation: row.conversation, unread: unread)
        }
        statistics.unreadCount += unread.incoming
        removedContent = true
        if row.conversation != old.conversation {
            record(.message, .deleted, id: old.id.text, parent: old.conversationID.text, kindName: old.kind)
            record(
                .message, .created, id: row.id.text, parent: row.conversationID.text, detail: .messageContent,
                kindName: row.kind)
        } else {
            record(
                .message, .updated, id: row.id.text, parent: row.conversationID.text,
                detail: isContentChanged ? .messageContent : .none, kindName: row.kind)
        }
        return true
    }

    private static let leftover = StatementText(
        """
        SELECT conversation, timestamp, sequence, reactions IS NOT NULL, expires_at, attachments FROM messages
        WHERE id = ?1
        """)
    private static let deleteByID = StatementText("DELETE FROM messages WHERE id = ?1")
    private static let insertMessage = StatementText("INSERT INTO messages VALUES (\(MessageRow.parameters))")
}
