import SQLCipher

extension WriteSession {
    /// Deletes everything that applications have put into the store, for every reader at once. Rows of messages and of
    /// logs, which are many, are out of reach with what they belong to and are removed later. Children first, so that
    /// SQLite can drop whole trees. Kept answers that are conversations or logs hold names, so that their keys go as
    /// well.
    mutating func clearAllData() throws(StoreError) -> Commit {
        var commit = Commit()
        commit.deletedCount = statistics.conversationCount + statistics.messageCount + statistics.contactCount
        try mapped(
            connection.execute(
                """
                DELETE FROM conversation_avatars; DELETE FROM conversations;
                DELETE FROM contact_avatars; DELETE FROM contacts;
                DELETE FROM scene_values;
                DELETE FROM logs;
                DELETE FROM idempotency_keys WHERE result_kind IN (\(MutationResultCodec.Kind.conversation.rawValue),
                    \(MutationResultCodec.Kind.log.rawValue))
                """))
        // Every number so far; those that come are greater.
        try leaveBehind(.messages, 0...Int64(statistics.revision))
        try leaveBehind(.logEntries, 0...Int64(statistics.revision))
        knownConversations.removeAll()
        openLogs.removeAll()
        statistics.conversationCount = 0
        statistics.messageCount = 0
        statistics.contactCount = 0
        statistics.unreadCount = 0
        removedContent = true
        record(.store, .cleared, id: "")
        return commit
    }

    /// Forgets changes up to a revision, for every reader at once; their rows are removed later.
    ///
    /// - Returns: the revision through which changes are forgotten.
    mutating func compactChanges(through revision: UInt64) throws(StoreError) -> UInt64 {
        let through = min(revision, statistics.revision)
        guard through > statistics.compactedThroughRevision else { return statistics.compactedThroughRevision }
        try connection.run(Self.markCompacted, through)
        leftRowsBehind = true
        statistics.compactedThroughRevision = through
        return through
    }

    private static let markCompacted = StatementText("UPDATE store SET compacted_through = ?1")
}
