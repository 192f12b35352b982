import SQLCipher
import StoreBasics

extension StoreReader {
    /// Returns the commit that an update of a conversation would give, without performing the update. Its deletions are
    /// the existing messages that the new `keepFor` and `keepCount` would delete.
    ///
    /// - Throws: The errors of the update.
    package func preview(
        _ reference: ConversationReference, _ update: ConversationUpdate
    ) throws(StoreError) -> Commit {
        try update.check()
        return try readSnapshot { connection throws(StoreError) in
            let conversation = try ConversationLookup.row(reference, in: connection)
            defer { withExtendedLifetime(conversation) {} }
            let number = conversation.integer(0)
            var commit = Commit()
            commit.revision = try StatisticsRow.read(connection).revision
            commit.ids = [try conversation.text(1)]
            let change = try ConversationWrites.whatChanges(update, in: number, connection)
            guard change != ConversationUpdate() else { return commit }
            commit.updatedCount = 1
            if let retention = change.retention?.applied(to: ConversationRetention()) {
                commit.deletedCount = try deletedCount(under: retention, in: number, connection)
            }
            return commit
        }
    }

    private func deletedCount(
        under retention: ConversationRetention, in conversation: Int64, _ connection: Connection
    ) throws(StoreError) -> Int {
        let messages = try connection.first(Self.messageCount, conversation)?.int(0) ?? 0
        let beyond = max(0, messages - (retention.keepCount.map { Int($0) } ?? .max))
        guard let keepFor = retention.keepFor else { return beyond }
        let now = try clock.deletionTime(connection)
        let keptFrom = now.advanced(byMicroseconds: -keepFor.microseconds)
        return max(beyond, try connection.first(Self.countUpTo, conversation, keptFrom)?.int(0) ?? 0)
    }

    private static let messageCount = StatementText("SELECT message_count FROM conversations WHERE number = ?1")
    private static let countUpTo = StatementText(
        "SELECT count(*) FROM messages WHERE conversation = ?1 AND timestamp <= ?2")
}
