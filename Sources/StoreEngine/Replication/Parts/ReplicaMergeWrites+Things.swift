import ReplicaModel
import SQLCipher
import StoreBasics

/// Changes contacts, drafts, scene values, reactions and logs as merged records say.
extension ReplicaMergeWrites {
    func apply(
        _ outcome: ThingState.Outcome, toContact sessionID: String, _ state: ThingState
    ) throws(StoreError) {
        let present = try replica.things.present(ThingName(.contact, sessionID))
        guard state.isLive else {
            if present != nil {
                _ = try areas.contacts.deleteContact(SessionID(sessionID))
            }
            return
        }
        var contact = try outcome.applied(to: present?.values ?? [:]).entity(WholeContact.self, .contact)
        let identity = try ThingIdentity(of: sessionID, state)
        contact.id = try freeID(identity.id, for: sessionID, .contact)
        contact.sessionID = try SessionID(sessionID)
        contact.createdAt = identity.createdAt
        contact.updatedAt = Timestamp(microseconds: state.touchedAt)
        try replace(contact)
        try ReplicaNameRows.write(.contact, id: contact.id.text, sessionID: sessionID, connection)
    }

    func apply(
        _ outcome: ThingState.Outcome, toValueOf key: String, in scene: String
    ) throws(StoreError) {
        guard let change = outcome.valueChange else { return }
        let key = try SceneKey(key)
        let row = try connection.first(Self.sceneValueNumber, scene, key)
        let number = row?.integer(0)
        guard let bytes = change.value else {
            if number != nil {
                _ = try areas.scenes.delete(key, from: scene)
            }
            return
        }
        let value = try WholeSceneValue(body: bytes)
        _ = try areas.scenes.write(value.value, of: key, in: scene, over: number, at: value.updatedAt)
    }

    func apply(
        _ outcome: ThingState.Outcome, toDraftOf sessionID: String, _ merge: inout ReplicaMergeStep
    ) throws(StoreError) {
        // The draft is removed if the record says so, or if the record contains the removal of the draft's conversation
        // and no later value.
        guard let change = outcome.valueChange, let bytes = change.value else {
            guard outcome.valueChange != nil || outcome.forgotten.contains(.value) else { return }
            let reference = ConversationReference.session(try SessionID(sessionID))
            if let known = try areas.conversations.findConversation(reference) {
                _ = try areas.drafts.removeDraft(of: known)
                merge.touchedConversations.insert(sessionID)
            }
            return
        }
        var draft = try WholeDraft(body: bytes)
        draft.sessionID = try SessionID(sessionID)
        _ = try ensureConversation(sessionID, &merge)
        let before = try AttachmentRows.readWhole(
            connection.first(Self.draftAttachments, sessionID)?.optionalInteger(0), connection)
        try replica.contents.linkContents(of: draft.attachments)
        try areas.drafts.replace(draft)
        try replica.contents.recordContentsEndingGrace(of: draft.attachments, insteadOf: before, merge)
    }

    func apply(
        _ outcome: ThingState.Outcome, toMember sessionID: String, of conversation: String,
        _ merge: inout ReplicaMergeStep
    ) throws(StoreError) {
        // The member is removed if the record says so, or if the record contains the removal of the member's
        // conversation and no later value.
        guard let change = outcome.valueChange, let bytes = change.value else {
            guard outcome.valueChange != nil || outcome.forgotten.contains(.value) else { return }
            let reference = ConversationReference.session(try SessionID(conversation))
            if let known = try areas.conversations.findConversation(reference) {
                _ = try areas.members.remove(SessionID(sessionID), from: known)
                merge.touchedConversations.insert(conversation)
            }
            return
        }
        var member = try ConversationMember(body: bytes)
        member.sessionID = try SessionID(sessionID)
        try areas.members.set(member, in: ensureConversation(conversation, &merge))
    }

    /// - Returns: False if the reaction's message does not exist. The caller then does not store the reaction's state
    ///   either.
    func apply(_ outcome: ThingState.Outcome, toReaction parts: [String]) throws(StoreError) -> Bool {
        let id = try EntityID(parts[0])
        let mark = try ReplicaMessageRows.read(id.text, connection)
        guard !mark.isRemoved, String(mark.generation) == parts[1], try areas.messages.findMessage(id) != nil else {
            return false
        }
        guard let change = outcome.valueChange else { return true }
        let reaction = ReactionReference(
            messageID: id, authorSessionID: try SessionID(parts[2]), emoji: try Emoji(parts[3]))
        guard let bytes = change.value else {
            _ = try areas.reactions.removeReaction(reaction)
            return true
        }
        let time = try WholeReaction(body: bytes).createdAt
        _ = try areas.reactions.removeReaction(reaction)
        _ = try areas.reactions.reactIfRoom(reaction, at: time)
        return true
    }

    private static let draftAttachments = StatementText(
        """
        SELECT d.attachments FROM conversations AS c CROSS JOIN conversation_drafts AS d ON d.conversation = c.number
        WHERE c.session_id = ?1
        """)
    private static let sceneValueNumber = StatementText("SELECT number FROM scene_values WHERE scene = ?1 AND key = ?2")
}

extension ThingState.Outcome {
    /// The change of the only value of a thing; `nil` if the value does not change.
    var valueChange: FieldRecord? { changed.first { $0.field == .value } }

    /// Returns the values of a thing after it was changed as the outcome says.
    func applied(to present: ThingValues) -> ThingValues {
        var values = present
        for field in forgotten {
            values[field] = nil
        }
        for field in changed {
            values[field.field] = field.value
        }
        return values
    }
}

extension ThingIdentity {
    /// Returns the identity of a contact or a conversation. If no record contained an identity, every store derives the
    /// same one.
    init(of sessionID: String, _ state: ThingState) throws(StoreError) {
        if state.identity.isEmpty {
            let milliseconds = HybridClock.milliseconds(of: state.removal.time)
            self.init(
                id: .derived(from: sessionID, ""), createdAt: Timestamp(microseconds: Int64(milliseconds) * 1_000))
        } else {
            try self.init(state.identity)
        }
    }
}

extension EntityID {
    /// Returns an id derived from a session id and an id that another contact or conversation has. It is the same on
    /// every store.
    static func derived(from sessionID: String, _ taken: String) -> EntityID {
        var bytes: [UInt8] = []
        bytes.append(text: sessionID)
        bytes.append(text: taken)
        let digest = ValueDigest(of: bytes)
        // RFC 9562, section 5.8: version 8 is for application-specific UUIDs.
        let high = digest.high & ~0xf000 | 0x8000
        let low = digest.low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        return EntityID(trusted: UUIDWords(high: high, low: low).description)
    }
}
