import StoreBasics

/// Inserts whole messages, for archives and replication.
extension MessageWrites {
    /// Inserts a message that does not exist.
    ///
    /// - Parameter expiresAt: The store's age at which the message expires; `nil` to derive it from the timer.
    func insert(
        _ message: WholeMessage, _ expiresAt: Int64?, in conversation: KnownConversation
    ) throws(StoreError) {
        var row = MessageRow(message, in: conversation, sequence: Int64(nextRevision))
        row.expiresAt = expiresAt
        if expiresAt == nil {
            row.expiresAt = try expiries.expiry(of: row)
        }
        if try !insert(row, message.attachments) {
            try insertOverLeftover(&row, message.attachments)
        }
        try retention.scheduleOldestDeletion(row, under: conversation.retention)
    }
}
