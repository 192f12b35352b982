import SQLCipher

extension Rows {
    /// - Returns: `nil` for a message without a timer.
    borrowing func messageTimer(_ column: Int) throws(StoreError) -> MessageTimer? {
        guard let number = optionalInteger(column) else { return nil }
        return try MessageTimer(number: number)
    }

    /// - Parameter column: The column with the lifetime of the timer; the next column has its start.
    /// - Returns: `nil` for a conversation without a timer for its messages.
    private borrowing func conversationTimer(_ column: Int) throws(StoreError) -> MessageTimer? {
        guard let lifetime = optionalInteger(column) else { return nil }
        guard let start = MessageTimer.Start(rawValue: int(column + 1)) else {
            throw .databaseDamaged("a timer of messages is invalid")
        }
        return MessageTimer(lifetime: try RetentionPeriod(microseconds: lifetime), start: start)
    }

    /// - Parameter column: The first of `ConversationRetention.columns`.
    borrowing func conversationRetention(_ column: Int) throws(StoreError) -> ConversationRetention {
        var retention = ConversationRetention()
        retention.messageTimer = try conversationTimer(column)
        if let keepFor = optionalInteger(column + 2) {
            retention.keepFor = try RetentionPeriod(microseconds: keepFor)
        }
        if let keepCount = optionalInteger(column + 3) {
            guard let keepCount = UInt32(exactly: keepCount), keepCount > 0 else {
                throw .databaseDamaged("the number of messages to keep is invalid")
            }
            retention.keepCount = keepCount
        }
        return retention
    }
}

extension ConversationRetention {
    static let columns = "message_lifetime, message_lifetime_from, keep_for, keep_count"
}
