import ReplicaModel
import SQLCipher
import StoreBasics

/// The part of replication that reads things in the form in which they are merged, field by field.
struct ReplicaThings: ReplicaPart {
    unowned let replica: ReplicaWrites
}

extension ReplicaThings {
    /// Returns the present values of a thing and the time of its last update; `nil` if the store does not contain the
    /// thing.
    func present(_ name: ThingName) throws(StoreError) -> PresentThing? {
        let parts = name.parts
        switch name.kind {
        case .contact: return try presentContact(parts[0])
        case .conversation: return try presentConversation(parts[0])
        case .draft: return try presentDraft(parts[0])
        case .sceneValue: return try presentSceneValue(scene: parts[0], key: parts[1])
        case .member: return try presentMember(of: parts[0], parts[1])
        case .reaction: return try presentReaction(message: parts[0], author: parts[2], emoji: parts[3])
        case .file: return try presentFile(FilePath(name))
        case .log: return try replica.logs.presentLog(LogName(trusted: parts[0]))
        }
    }

    /// Returns what is at a path, without the digest of its content, which takes several steps to compute.
    private func presentFile(_ path: FilePath) throws(StoreError) -> PresentThing? {
        guard let row = try FileRow.find(path, connection) else { return nil }
        return PresentThing(
            values: [.value: ReplicaFileValue.unread(row)], touchedAt: row.modifiedAt.microseconds)
    }

    private func presentContact(_ sessionID: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(WholeContact.bySessionID, sessionID) else { return nil }
        let contact = try WholeContact(row)
        return PresentThing(values: ThingValues(of: contact), touchedAt: contact.updatedAt.microseconds)
    }

    private func presentConversation(_ sessionID: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(WholeConversation.bySessionID, sessionID) else { return nil }
        let conversation = try WholeConversation(row)
        return PresentThing(values: ThingValues(of: conversation), touchedAt: conversation.updatedAt.microseconds)
    }

    private func presentDraft(_ sessionID: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.draft, sessionID) else { return nil }
        let draft = try WholeDraft(row, connection)
        return PresentThing(values: [.value: draft.body], touchedAt: draft.updatedAt.microseconds)
    }

    private func presentSceneValue(scene: String, key: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.sceneValue, scene, key) else { return nil }
        let value = WholeSceneValue(key: SceneKey(trusted: key), value: row.bytes(1), updatedAt: row.timestamp(0))
        return PresentThing(values: [.value: value.body], touchedAt: row.integer(0))
    }

    private func presentReaction(
        message: String, author: String, emoji: String
    ) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.reaction, message, author, emoji) else { return nil }
        let reaction = WholeReaction(authorSessionID: SessionID(trusted: author), createdAt: row.timestamp(0))
        return PresentThing(values: [.value: reaction.body], touchedAt: row.integer(0))
    }

    private func presentMember(of conversation: String, _ sessionID: String) throws(StoreError) -> PresentThing? {
        guard let row = try connection.first(Self.member, conversation, sessionID) else { return nil }
        return PresentThing(values: [.value: try ConversationMember(row).body], touchedAt: row.integer(3))
    }

    private static let member = StatementText(
        """
        SELECT m.session_id, m.name, m.role, c.created_at FROM conversations AS c
        CROSS JOIN conversation_members AS m ON m.conversation = c.number
        WHERE c.session_id = ?1 AND m.session_id = ?2
        """)
    private static let draft = StatementText(WholeDraft.selectSQL + " WHERE c.session_id = ?1")
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
