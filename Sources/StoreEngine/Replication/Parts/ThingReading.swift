import ReplicaModel
import SQLCipher
import StoreBasics

/// Reads the present state of a thing that is merged field by field.
struct ReplicaThings: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Reads things by the names that applications give them.
extension ReplicaThings {
    /// `nil`: there is none.
    func present(_ name: ThingName) throws(StoreError) -> PresentThing? {
        let parts = name.parts
        switch name.kind {
        case .contact: return try presentContact(parts[0])
        case .conversation: return try presentConversation(parts[0])
        case .draft: return try presentDraft(parts[0])
        case .sceneValue: return try presentSceneValue(scene: parts[0], key: parts[1])
        case .reaction: return try presentReaction(message: parts[0], author: parts[2], emoji: parts[3])
        case .file: return try presentFile(FilePath(name))
        case .log: return try replica.logs.presentLog(LogName(trusted: parts[0]))
        }
    }

    /// Without what its bytes are, which takes steps to find out.
    private func presentFile(_ path: FilePath) throws(StoreError) -> PresentThing? {
        guard let row = try FileRow.find(path, connection) else { return nil }
        return PresentThing(
            values: [.value: ReplicaFileValue.unread(row)], touchedAt: row.modifiedAt.microseconds)
    }

    private func presentContact(_ sessionID: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.contact, sessionID) else { return nil }
        var values = ThingValues()
        values[.identity] = ThingIdentity(id: try row.name(0), createdAt: row.timestamp(1)).bytes
        values[.displayName] = ThingFieldForm.text(.displayName, try row.optionalText(3))
        values[.notes] = ThingFieldForm.text(.notes, try row.optionalText(4))
        values[.isBlocked] = ThingFieldForm.flag(.isBlocked, row.bool(5))
        values[.isTrusted] = ThingFieldForm.flag(.isTrusted, row.bool(6))
        values[.avatar] = ThingFieldForm.bytes(.avatar, row.isNull(7) ? nil : row.bytes(7))
        return PresentThing(values: values, touchedAt: row.integer(2))
    }

    private func presentConversation(_ sessionID: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.conversation, sessionID) else { return nil }
        var values = ThingValues()
        values[.identity] = ThingIdentity(id: try row.name(0), createdAt: row.timestamp(1)).bytes
        values[.displayName] = ThingFieldForm.text(.displayName, try row.optionalText(3))
        values[.isPinned] = ThingFieldForm.flag(.isPinned, row.bool(4))
        values[.isMuted] = ThingFieldForm.flag(.isMuted, row.bool(5))
        values[.avatar] = ThingFieldForm.bytes(.avatar, row.isNull(6) ? nil : row.bytes(6))
        values[.retention] = ThingFieldForm.retention(try row.conversationRetention(7))
        return PresentThing(values: values, touchedAt: row.integer(2))
    }

    private func presentDraft(_ sessionID: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.draft, sessionID) else { return nil }
        let draft = DraftValue(
            content: try DraftContent(row), updatedAt: row.timestamp(4),
            attachments: try AttachmentRows.readWhole(row.optionalInteger(5), connection))
        return PresentThing(values: [.value: draft.bytes], touchedAt: row.integer(4))
    }

    private func presentSceneValue(scene: String, key: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.sceneValue, scene, key) else { return nil }
        let value = SceneValueBytes(updatedAt: row.timestamp(0), value: row.bytes(1))
        return PresentThing(values: [.value: value.bytes], touchedAt: row.integer(0))
    }

    private func presentReaction(
        message: String, author: String, emoji: String
    ) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.reaction, message, author, emoji) else { return nil }
        let value = ReactionValue(createdAt: row.timestamp(0))
        return PresentThing(values: [.value: value.bytes], touchedAt: row.integer(0))
    }

    private static let contact = StatementText(
        """
        SELECT c.id, c.created_at, c.updated_at, c.display_name, c.notes, c.is_blocked, c.is_trusted, a.data
        FROM contacts AS c LEFT JOIN contact_avatars AS a ON a.contact = c.number WHERE c.session_id = ?1
        """)
    private static let conversation = StatementText(
        """
        SELECT c.id, c.created_at, c.updated_at, c.display_name, c.is_pinned, c.is_muted, a.data,
            \(ConversationRetention.columns)
        FROM conversations AS c LEFT JOIN conversation_avatars AS a ON a.conversation = c.number
        WHERE c.session_id = ?1
        """)
    private static let draft = StatementText(
        """
        SELECT \(DraftContent.columns), d.updated_at, d.attachments
        FROM conversations AS c CROSS JOIN conversation_drafts AS d ON d.conversation = c.number
        WHERE c.session_id = ?1
        """)
    private static let sceneValue = StatementText(
        "SELECT updated_at, value FROM scene_values WHERE scene = ?1 AND key = ?2")
    private static let reaction = StatementText(
        """
        SELECT r.created_at FROM messages AS m INDEXED BY messages_by_id
        CROSS JOIN conversations AS c ON c.number = m.conversation
        CROSS JOIN reactions AS r ON r.message_sequence = m.sequence
        WHERE m.id = ?1 AND r.author = ?2 AND r.emoji = ?3
        """)
}
