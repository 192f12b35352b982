import SQLCipher
import StoreBasics

/// Deletes everything that applications have put into the store, and compacts the change log.
struct StoreClearing: AreaWork {
    let areas: AreaWrites
    let keptKeys: KeptKeyCache
    let replica: ReplicaWrites

    /// Deletes everything that applications have put into the store, for every reader at once. Also deletes what refers
    /// to it: all earlier changes, and the idempotency keys with their stored answers. All rows become unreachable, and
    /// background maintenance removes them.
    ///
    /// - Parameter leavingGroup: True to let a store of a replica group leave it. The other devices keep everything.
    /// - Throws: `.storeInReplicaGroup` if the store belongs to a group and must not leave it.
    func clearAllData(leavingGroup: Bool) throws(StoreError) -> Commit {
        var commit = Commit()
        commit.leftReplicaGroup = try ReplicaGroupRow.isThere(connection)
        guard leavingGroup || !commit.leftReplicaGroup else { throw .storeInReplicaGroup }
        // Memory is updated at the end, because a request that fails before it has written anything is not rolled back.
        defer { areas.leftovers.leftRowsBehind = true }
        commit.deletedCount = try entityCount()
        if commit.deletedCount == 0, !commit.leftReplicaGroup, try isCleared() {
            try ClearedTables.replace(["idempotency_keys"], connection)
            keptKeys.keys.startOver()
            return commit
        }
        try ClearedTables.replace(Self.clearedTables, connection)
        try EvictableBytes.startOver(connection)
        try SearchIndexState.startOver(.whole, after: statistics.revision, connection)
        // These ranges cover every number assigned so far; new numbers are greater.
        try areas.leftovers.leaveBehind(.messages, 0...Int64(statistics.revision))
        try areas.leftovers.leaveBehind(.logEntries, 0...Int64(statistics.revision))
        try connection.run(Self.markCompacted, statistics.revision)
        keptKeys.keys.startOver()
        areas.conversations.knownConversations.removeAll()
        areas.logs.openLogs.removeAll()
        statistics.conversationCount = 0
        statistics.messageCount = 0
        statistics.contactCount = 0
        statistics.unreadCount = 0
        statistics.compactedThroughRevision = statistics.revision
        transaction.forgetChanges()
        removedContent = true
        areas.contents.hasReleasedAllContents = true
        record(.store, .cleared, id: "")
        return commit
    }

    /// Returns the number of objects that have a kind of their own in the change log. Reactions are not counted,
    /// because they belong to their messages.
    private func entityCount() throws(StoreError) -> Int {
        let row = try connection.first(Self.countNamed)
        return statistics.conversationCount + statistics.messageCount + statistics.contactCount + (row?.int(0) ?? 0)
    }

    /// Returns whether nothing has happened since the store was created or cleared.
    private func isCleared() throws(StoreError) -> Bool {
        // Look for contents in their table, because a content that was written without a message or draft has no entry
        // in the change log.
        guard try connection.first(Self.anyAttachmentContent) == nil else { return false }
        if let last = transaction.changes.last {
            return last.kind == .store
        }
        guard let row = try connection.first(Self.newestEntries) else { return true }
        return try ChangeCodec.decode(row.borrowedBytes(0)).map(\.kind) == [.store]
    }

    /// Forgets changes up to a revision, for every reader at once. Background maintenance removes their rows. A store
    /// that was in a group, but does not publish to one now, first stamps the changes that have no stamp yet.
    ///
    /// - Returns: The revision up to which changes are forgotten.
    func compactChanges(through revision: UInt64) throws(StoreError) -> WorkStep<UInt64> {
        let isPublished = try ReplicaGroupRow.read(connection)?.isPublishedTo(by: statistics.history) ?? false
        if !isPublished {
            guard try stampChangesOutsideGroup() else { return .unfinished(ProgressFoundAnew()) }
        }
        return .done(try forgetChanges(through: revision))
    }

    /// Stamps the changes of a store that does not publish to a group, as many as fit in a step.
    ///
    /// - Returns: True if all changes have stamps, or the store keeps no stamps.
    private func stampChangesOutsideGroup() throws(StoreError) -> Bool {
        guard var former = try FormerGroupRow.current(connection) else { return true }
        let isDone = try replica.collecting.stampChanges(outside: &former)
        if var group = try ReplicaGroupRow.read(connection) {
            group.collectedThrough = former.collectedThrough
            try group.write(connection)
        } else {
            try former.write(connection)
        }
        return isDone
    }

    /// - Returns: The revision up to which changes are forgotten.
    private func forgetChanges(through revision: UInt64) throws(StoreError) -> UInt64 {
        var through = min(revision, statistics.revision)
        if let group = try ReplicaGroupRow.read(connection) {
            // A change that is in no batch yet must be kept, because it has to be published to the group.
            through = min(through, group.collectedThrough)
        }
        guard through > statistics.compactedThroughRevision else { return statistics.compactedThroughRevision }
        try connection.run(Self.markCompacted, through)
        areas.leftovers.leftRowsBehind = true
        statistics.compactedThroughRevision = through
        return through
    }

    /// The tables that clearing replaces by empty ones. Messages and log entries are not replaced: they become
    /// unreachable with their conversations and logs. Changes are not replaced either, because they are compacted.
    private static let clearedTables =
        [
            "conversations", "conversation_avatars", "conversation_metadata", "conversation_members",
            "conversation_drafts", "contacts", "contact_avatars", "contact_metadata", "scene_values", "logs",
            "reactions", "message_expiries", "files",
            "file_contents", "content_chunks", "content_freed_slots",
            "attachments", "attachment_contents", "idempotency_keys",
        ] + ReplicaTables.names + ReplicaLogTables.names
    private static let countNamed = StatementText(
        """
        SELECT (SELECT count(*) FROM scene_values) + (SELECT count(*) FROM logs)
            + (SELECT count(*) FROM conversation_drafts)
            + (SELECT count(*) FROM files WHERE parent <> \(FileRow.top))
        """)
    private static let anyAttachmentContent = StatementText("SELECT 1 FROM attachment_contents LIMIT 1")
    private static let newestEntries = StatementText(
        "SELECT entries FROM changes ORDER BY first_revision DESC LIMIT 1")
    private static let markCompacted = StatementText("UPDATE OR FAIL store SET compacted_through = ?1")
}

extension StoreError {
    static var storeInReplicaGroup: StoreError {
        StoreError(
            .storeInReplicaGroup,
            "the store belongs to a replica group, and clearing removes it from the group; confirm that the store "
                + "leaves the group, or delete entries one by one, which deletes them on all devices")
    }
}
