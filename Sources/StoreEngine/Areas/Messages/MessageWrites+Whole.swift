import StoreBasics

/// Inserts whole messages, for archives and replication.
extension MessageWrites {
    /// Inserts a message that does not exist.
    ///
    /// - Parameter expiresAt: The store's age at which the message expires; `nil` to derive it from the timer.
    func insert(
        _ message: WholeMessage, _ expiresAt: Int64?, in conversation: KnownConversation
    ) throws(StoreError) {
        var row = self.row(of: message, in: conversation, sequence: Int64(nextRevision))
        row.expiresAt = expiresAt
        if expiresAt == nil {
            row.expiresAt = try expiries.expiry(of: row)
        }
        if try !insert(row, message.attachments) {
            try insertOverLeftover(&row, message.attachments)
        }
        try retention.scheduleOldestDeletion(row, under: conversation.retention)
    }

    /// Returns the row of a message in a conversation.
    func row(
        of message: WholeMessage, in conversation: KnownConversation, sequence: Int64
    ) -> MessageRow {
        var row = MessageRow(
            message.newMessage(in: .id(conversation.id)), id: message.id, conversation: conversation,
            sequence: sequence, now: message.createdAt)
        row.editedAt = message.editedAt
        row.unknownFields = message.unknownFields.isEmpty ? nil : message.unknownFields
        return row
    }
}

extension WholeMessage {
    /// - Parameter expiresAt: The value of the property `expiresAt`.
    init(_ row: MessageRow, _ attachments: [NewAttachment], expiresAt: Timestamp? = nil) {
        self.init(
            id: row.id, text: row.text, senderSessionID: row.senderSessionID,
            recipientSessionID: row.recipientSessionID, timestamp: row.timestamp, status: row.status,
            isOutgoing: row.isOutgoing, isRead: row.isRead, attachmentURL: row.attachmentURL,
            attachmentType: row.attachmentType, replyToMessageID: row.replyToMessageID, createdAt: row.createdAt,
            editedAt: row.editedAt, timer: row.timer, expiresAt: expiresAt, attachments: attachments,
            unknownFields: row.unknownFields ?? [])
    }
}
