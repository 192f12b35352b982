import SQLCipher
import StoreBasics

/// What an archive of changes says was removed goes here too, unless it was changed here later.
extension WriteSession {
    /// - Returns: `.updated` for what went, `.equal` where there was nothing.
    mutating func restore(
        _ removal: ArchivedRemoval, _ mode: RestoreMode, _ keeping: inout KeptUpdateTime
    ) throws(StoreError) -> RestoreOutcome {
        switch removal.subject {
        case .contact(let id):
            return try removeContact(id, removal.removedAt, mode)
        case .conversation(let id):
            // Messages of it that were removed before this are no news of it.
            try putBack(&keeping)
            guard let row = try connection.first(Self.conversationTimes, id) else { return .equal }
            return try remove(changedAt: max(row.timestamp(0), row.timestamp(1)), removal, mode) {
                (session) throws(StoreError) in
                _ = try session.deleteConversation(.id(id))
            }
        case .message(let id):
            guard let row = try findMessage(id), let head = try head(id) else { return .equal }
            return try remove(changedAt: row.changedAt, removal, mode) { (session) throws(StoreError) in
                try session.keepUpdateTime(of: row.conversation, &keeping)
                try session.delete([head])
            }
        case .draft(let id):
            guard let row = try connection.first(Self.draftTime, id) else { return .equal }
            return try remove(changedAt: row.timestamp(0), removal, mode) { (session) throws(StoreError) in
                _ = try session.deleteDraft(.id(id))
            }
        case .sceneValue(let scene, let key):
            let scene = scene?.text ?? SceneTiers.globalScene
            guard let row = try connection.first(Self.valueTime, scene, key) else { return .equal }
            return try remove(changedAt: row.timestamp(0), removal, mode) { (session) throws(StoreError) in
                _ = try session.delete(key, from: scene)
            }
        case .scene(let scene): return try removeValues(of: scene, removal.removedAt, mode)
        case .log(let name):
            guard let log = try findLog(name) else { return .equal }
            return try remove(changedAt: log.createdAt, removal, mode) { (session) throws(StoreError) in
                _ = try session.deleteLog(name)
            }
        case .file(let path): return try removeFile(path, removal, mode)
        case .reactions: throw StoreError(.internal, "reactions are removed with those that stay")
        }
    }

    /// - Parameter changedAt: of what is here.
    private mutating func remove(
        changedAt: Timestamp, _ removal: ArchivedRemoval, _ mode: RestoreMode,
        _ body: (inout WriteSession) throws(StoreError) -> Void
    ) throws(StoreError) -> RestoreOutcome {
        guard changedAt <= removal.removedAt else { return .kept }
        if !mode.isDryRun {
            try body(&self)
        }
        return .updated
    }

    private mutating func removeContact(
        _ id: EntityID, _ removedAt: Timestamp, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard let row = try connection.first(Self.contactTime, id) else { return .equal }
        let session: SessionID = try row.name(0)
        return try remove(
            changedAt: row.timestamp(1), ArchivedRemoval(.contact(id), removedAt: removedAt), mode
        ) { (writing) throws(StoreError) in
            _ = try writing.deleteContact(session)
        }
    }

    /// Values that were set later stay, each for itself.
    private mutating func removeValues(
        of scene: SceneName, _ removedAt: Timestamp, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        let rows = try connection.rows(Self.keysOfScene, scene)
        var (keys, keptCount) = ([SceneKey](), 0)
        while try rows.next() {
            if rows.timestamp(1) <= removedAt {
                keys.append(try rows.name(0))
            } else {
                keptCount += 1
            }
        }
        guard !keys.isEmpty else { return keptCount > 0 ? .kept : .equal }
        guard !mode.isDryRun else { return .updated }
        for key in keys {
            _ = try delete(key, from: scene.text)
        }
        return .updated
    }

    /// A directory stays with all that it holds where a file in it was written later.
    private mutating func removeFile(
        _ path: FilePath, _ removal: ArchivedRemoval, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard let row = try FileRow.find(path, connection) else { return .equal }
        switch row.kind {
        case .file(let content, _):
            return try remove(changedAt: row.modifiedAt, removal, mode) { (session) throws(StoreError) in
                try session.remove(row, with: content, at: path)
            }
        case .directory:
            let newest = try connection.first(Self.newestBelow, row.number)?.optionalInteger(0)
            let changedAt = Timestamp(microseconds: newest ?? .min)
            return try remove(changedAt: changedAt, removal, mode) { (session) throws(StoreError) in
                try session.remove(row)
                try session.leaveBehind(.fileChildren, row.number...row.number)
                session.removedContent = true
                session.record(.file, .deleted, id: path.text)
            }
        }
    }

    /// Reactions to a message that were there before become those that the archive has, in their order.
    mutating func restoreReactions(
        _ wanted: [ArchivedReaction], of id: EntityID, removedAt: Timestamp, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard let message = try findMessage(id) else { return .equal }
        let present = try ArchivedReaction.all(to: message.sequence, connection)
        let later = present.filter { reaction in
            reaction.createdAt > removedAt && !wanted.contains { $0.isSame(as: reaction) }
        }
        guard present != wanted + later else { return .equal }
        guard !mode.isDryRun else { return .updated }
        for reaction in present {
            _ = try removeReaction(reaction.reference(to: id))
        }
        for reaction in wanted + later {
            do throws(StoreError) {
                _ = try react(reaction.reference(to: id), at: reaction.createdAt)
            } catch {
                // Those of both together are more than a message may have.
                guard error.reason == .tooManyReactions else { throw error }
            }
        }
        return .updated
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
    private static let keysOfScene = StatementText("SELECT key, updated_at FROM scene_values WHERE scene = ?1")
    private static let newestBelow = StatementText(
        """
        WITH RECURSIVE below (number) AS (
            SELECT ?1 UNION SELECT f.number FROM below AS b CROSS JOIN files AS f ON f.parent = b.number)
        SELECT max(f.modified_at) FROM below AS b CROSS JOIN files AS f ON f.number = b.number
        WHERE f.content IS NOT NULL
        """)
}

extension ArchivedReaction {
    fileprivate func isSame(as other: ArchivedReaction) -> Bool {
        authorSessionID == other.authorSessionID && emoji == other.emoji
    }

    fileprivate func reference(to message: EntityID) -> ReactionReference {
        ReactionReference(messageID: message, authorSessionID: authorSessionID, emoji: emoji)
    }
}
