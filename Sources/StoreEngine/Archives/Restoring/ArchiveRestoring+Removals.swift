import SQLCipher
import StoreBasics

/// Applies removals from an archive of changes. A thing that was changed in this store after the time of the removal
/// stays.
extension ArchiveRestoring {
    /// - Returns: `.updated` for a removed thing, `.kept` for a thing that was changed later, `.equal` if the thing did
    ///   not exist.
    func restore(
        _ removal: ArchivedRemoval, _ mode: RestoreMode, _ progress: RemovalProgress?,
        _ keeping: inout KeptUpdateTimes
    ) throws(StoreError) -> RestoreStep {
        switch removal.subject {
        case .scene(let scene): try removeValues(of: scene, removal.removedAt, mode, after: progress)
        case .file(let path): try removeFile(path, removal, mode, after: progress)
        case .contact, .conversation, .message, .draft, .sceneValue, .log, .reactions:
            .done(try restoreAtOnce(removal, mode, &keeping))
        }
    }

    private func restoreAtOnce(
        _ removal: ArchivedRemoval, _ mode: RestoreMode, _ keeping: inout KeptUpdateTimes
    ) throws(StoreError) -> RestoreOutcome {
        switch removal.subject {
        case .contact(let id):
            return try removeContact(id, removal.removedAt, mode)
        case .conversation(let id):
            // Restore the conversation's update time first. Otherwise the removal of its messages, in records before
            // this one, would count as a change after the removal of the conversation.
            try areas.conversations.putBack(&keeping)
            guard let row = try connection.first(Self.conversationTimes, id) else { return .equal }
            return try remove(changedAt: max(row.timestamp(0), row.timestamp(1)), removal, mode) {
                () throws(StoreError) in
                _ = try areas.conversations.deleteConversation(.id(id))
            }
        case .message(let id):
            guard let row = try areas.messages.findMessage(id), let head = try areas.messages.head(id) else {
                return .equal
            }
            return try remove(changedAt: row.changedAt, removal, mode) { () throws(StoreError) in
                try areas.conversations.keepUpdateTime(of: row.conversation, &keeping)
                try areas.messages.delete([head])
            }
        case .draft(let id):
            guard let row = try connection.first(Self.draftTime, id) else { return .equal }
            return try remove(changedAt: row.timestamp(0), removal, mode) { () throws(StoreError) in
                _ = try areas.drafts.deleteDraft(.id(id))
            }
        case .sceneValue(let scene, let key):
            let scene = scene?.text ?? SceneTiers.globalScene
            guard let row = try connection.first(Self.valueTime, scene, key) else { return .equal }
            return try remove(changedAt: row.timestamp(0), removal, mode) { () throws(StoreError) in
                _ = try areas.scenes.delete(key, from: scene)
            }
        case .log(let name):
            guard let log = try areas.logs.findLog(name) else { return .equal }
            return try remove(changedAt: log.createdAt, removal, mode) { () throws(StoreError) in
                _ = try areas.logs.deleteLog(name)
            }
        case .scene, .file, .reactions: throw .fault("the removal of many entries must be done in steps")
        }
    }

    /// Removes a thing, unless it was changed after the removal.
    ///
    /// - Parameter changedAt: When the existing thing was changed.
    func remove(
        changedAt: Timestamp, _ removal: ArchivedRemoval, _ mode: RestoreMode,
        _ body: () throws(StoreError) -> Void
    ) throws(StoreError) -> RestoreOutcome {
        guard changedAt <= removal.removedAt else { return .kept }
        if !mode.isDryRun {
            try body()
        }
        return .updated
    }

    private func removeContact(
        _ id: EntityID, _ removedAt: Timestamp, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard let row = try connection.first(Self.contactTime, id) else { return .equal }
        let session: SessionID = try row.name(0)
        return try remove(
            changedAt: row.timestamp(1), ArchivedRemoval(.contact(id), removedAt: removedAt), mode
        ) { () throws(StoreError) in
            _ = try areas.contacts.deleteContact(session)
        }
    }

    private static let contactTime = StatementText("SELECT session_id, updated_at FROM contacts WHERE id = ?1")
    private static let conversationTimes = StatementText(
        """
        SELECT c.updated_at, ifnull(d.updated_at, c.updated_at) FROM conversations AS c
        LEFT JOIN conversation_drafts AS d ON d.conversation = c.number WHERE c.id = ?1
        """)
    private static let draftTime = StatementText(
        """
        SELECT d.updated_at FROM conversations AS c CROSS JOIN conversation_drafts AS d ON d.conversation = c.number
        WHERE c.id = ?1
        """)
    private static let valueTime = StatementText("SELECT updated_at FROM scene_values WHERE scene = ?1 AND key = ?2")
}
