import ReplicaModel
import SQLCipher
import StoreBasics

/// Merges conversations, and creates and removes them for messages and drafts.
extension ReplicaMergeWrites {
    /// Merges a conversation. A removal does not remove the conversation's messages, because these have records of
    /// their own. If messages were saved elsewhere in the meantime, they stay, and so does the conversation.
    func mergeConversation(_ record: ThingRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        let (name, sessionID) = (record.name, record.name.parts[0])
        var state = try merge.states.state(of: name, connection)
        let outcome = try state.merge(record)
        guard !outcome.isEmpty else { return }
        let present = try replica.things.present(name)
        if outcome.isRemoved, let known = try areas.conversations.findConversation(.session(SessionID(sessionID))) {
            merge.touchedConversations.insert(sessionID)
            let draft = try merge.states.state(of: ThingName(.draft, sessionID), connection)
            if draft.newestStamp <= state.removal {
                _ = try areas.drafts.removeDraft(of: known)
            }
            for member in try MemberRows.all(of: known.number, connection) {
                let name = ThingName(.member, sessionID, member.sessionID.text)
                if try merge.states.state(of: name, connection).newestStamp <= state.removal {
                    _ = try areas.members.remove(member.sessionID, from: known)
                }
            }
        }
        merge.states.set(state, of: name)
        if try isSupported(sessionID, state) {
            try makeConversation(sessionID, outcome.applied(to: present?.values ?? [:]), state)
        }
    }

    /// Returns whether the conversation is needed: it is not removed itself, or it contains something.
    private func isSupported(_ sessionID: String, _ state: ThingState) throws(StoreError) -> Bool {
        guard !state.isLive else { return true }
        return try connection.first(Self.support, sessionID) != nil
    }

    /// Deletes a removed conversation that contains nothing any more.
    func removeUnlessSupported(_ sessionID: String, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        let state = try merge.states.state(of: ThingName(.conversation, sessionID), connection)
        guard try !isSupported(sessionID, state),
            let known = try areas.conversations.findConversation(.session(SessionID(sessionID)))
        else { return }
        _ = try areas.conversations.deleteConversation(.id(known.id))
    }

    /// Returns the conversation into which a message or a draft is merged, and creates it if necessary.
    func ensureConversation(
        _ sessionID: String, _ merge: inout ReplicaMergeStep
    ) throws(StoreError) -> KnownConversation {
        let reference = ConversationReference.session(try SessionID(sessionID))
        if let known = try areas.conversations.findConversation(reference) { return known }
        let state = try merge.states.state(of: ThingName(.conversation, sessionID), connection)
        try makeConversation(sessionID, [:], state)
        return try areas.conversations.conversation(reference)
    }

    /// Creates the conversation, or updates its identity and its values.
    func makeConversation(
        _ sessionID: String, _ values: ThingValues, _ state: ThingState
    ) throws(StoreError) {
        let identity = try ThingIdentity(of: sessionID, state)
        let id = try freeID(identity.id, for: sessionID, .conversation)
        if let row = try connection.first(Self.conversationRow, sessionID) {
            let (number, oldID) = (row.integer(0), try row.text(1))
            if !oldID.hasSameBytes(as: id.text) || row.timestamp(2) != identity.createdAt {
                try connection.run(Self.setConversationIdentity, number, id, identity.createdAt)
                rename(.conversation, oldID, id, kindName: try areas.conversations.kind(of: number))
            }
        }
        var conversation = try values.entity(WholeConversation.self, .conversation)
        conversation.id = id
        conversation.sessionID = try SessionID(sessionID)
        conversation.createdAt = identity.createdAt
        conversation.updatedAt = Timestamp(microseconds: state.touchedAt)
        try areas.conversations.replace(conversation)
        try ReplicaNameRows.write(.conversation, id: id.text, sessionID: sessionID, connection)
    }

    /// Creates the contact, or updates its identity and its values.
    func replace(_ contact: WholeContact) throws(StoreError) {
        if let row = try connection.first(Self.contactRow, contact.sessionID) {
            let (number, oldID) = (row.integer(0), try row.text(1))
            if !oldID.hasSameBytes(as: contact.id.text) || row.timestamp(2) != contact.createdAt {
                try connection.run(Self.setContactIdentity, number, contact.id, contact.createdAt)
                rename(.contact, oldID, contact.id)
            }
        }
        try areas.contacts.replace(contact)
    }

    private func rename(_ kind: EntityKind, _ oldID: String, _ id: EntityID, kindName: String? = nil) {
        areas.conversations.knownConversations.removeAll()
        guard !oldID.hasSameBytes(as: id.text) else {
            record(kind, .updated, id: id.text, kindName: kindName)
            return
        }
        record(kind, .deleted, id: oldID, kindName: kindName)
        record(kind, .created, id: id.text, kindName: kindName)
    }

    /// Returns the id of a contact or a conversation. If two contacts or two conversations got the same id on different
    /// devices, the second in the order of session ids gets a derived id.
    func freeID(
        _ id: EntityID, for sessionID: String, _ kind: ThingKind
    ) throws(StoreError) -> EntityID {
        let isContact = kind == .contact
        guard let row = try connection.first(isContact ? Self.contactOfID : Self.conversationOfID, id) else {
            return id
        }
        let other = try row.text(0)
        guard !other.hasSameBytes(as: sessionID) else { return id }
        guard sessionID.utf8.lexicographicallyPrecedes(other.utf8) else { return .derived(from: sessionID, id.text) }
        let renamed = EntityID.derived(from: other, id.text)
        let number = row.integer(1)
        try connection.run(isContact ? Self.setContactID : Self.setConversationID, number, renamed)
        rename(
            isContact ? .contact : .conversation, id.text, renamed,
            kindName: try isContact ? nil : areas.conversations.kind(of: number))
        return id
    }

    private static let support = StatementText(
        """
        SELECT 1 FROM conversations AS c WHERE c.session_id = ?1
            AND (c.message_count > 0
                OR EXISTS (SELECT 1 FROM conversation_drafts AS d WHERE d.conversation = c.number)
                OR EXISTS (SELECT 1 FROM conversation_members AS m WHERE m.conversation = c.number))
        """)
    private static let conversationRow = StatementText(
        "SELECT number, id, created_at FROM conversations WHERE session_id = ?1")
    private static let setConversationIdentity = StatementText(
        """
        UPDATE OR FAIL conversations SET id = ?2, created_at = ?3, last_activity_at = ifnull(last_message_at, ?3)
        WHERE number = ?1
        """)
    private static let contactRow = StatementText("SELECT number, id, created_at FROM contacts WHERE session_id = ?1")
    private static let setContactIdentity = StatementText(
        "UPDATE OR FAIL contacts SET id = ?2, created_at = ?3 WHERE number = ?1")
    private static let contactOfID = StatementText("SELECT session_id, number FROM contacts WHERE id = ?1")
    private static let conversationOfID = StatementText("SELECT session_id, number FROM conversations WHERE id = ?1")
    private static let setContactID = StatementText("UPDATE OR FAIL contacts SET id = ?2 WHERE number = ?1")
    private static let setConversationID = StatementText("UPDATE OR FAIL conversations SET id = ?2 WHERE number = ?1")
}
