import SQLCipher
import StoreBasics

extension ArchiveRestoring {
    func restore(_ contact: ArchivedContact, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let present = try presentContact(contact.sessionID)
        let outcome =
            present.map {
                mode.outcome(
                    contact.updatedAt, than: $0.contact.updatedAt, isSame: $0.contact.isSame(as: contact))
            } ?? .added
        guard outcome.writes, !mode.isDryRun else { return outcome }
        let number: Int64
        if let present {
            number = present.number
        } else {
            number = try insertContact(contact)
        }
        try connection.run(
            Self.fillContact, number, contact.displayName?.nilIfEmpty,
            ContactSortKey.make(displayName: contact.displayName), contact.notes?.nilIfEmpty, contact.isBlocked,
            contact.isTrusted, contact.hasAvatar, contact.updatedAt)
        try AvatarRows.set(
            contact.avatar ?? [], of: number, delete: Self.deleteContactAvatar, insert: Self.insertContactAvatar,
            connection)
        if let present {
            removedContent = true
            record(.contact, .updated, id: present.contact.id.text)
        }
        return outcome
    }

    /// - Returns: its number.
    private func insertContact(_ contact: ArchivedContact) throws(StoreError) -> Int64 {
        let sortKey = ContactSortKey.make(displayName: nil)
        var id = contact.id
        if try !connection.runUnlessTaken(
            Self.insertRestoredContact, id, contact.sessionID, sortKey, contact.createdAt, contact.updatedAt)
        {
            // Another party has the id here: its session id is what it is known by.
            id = .fresh()
            try connection.run(
                Self.insertRestoredContact, id, contact.sessionID, sortKey, contact.createdAt, contact.updatedAt)
        }
        let number = connection.lastInsertedRow
        statistics.contactCount += 1
        record(.contact, .created, id: id.text)
        return number
    }

    private func presentContact(
        _ sessionID: SessionID
    ) throws(StoreError) -> (number: Int64, contact: ArchivedContact)? {
        guard let row = try connection.first(Self.selectContact, sessionID) else { return nil }
        let contact = ArchivedContact(
            id: try row.name(1), sessionID: sessionID, displayName: try row.optionalText(2),
            avatar: row.isNull(8) ? nil : row.bytes(8), notes: try row.optionalText(3), isBlocked: row.bool(4),
            isTrusted: row.bool(5), createdAt: row.timestamp(6), updatedAt: row.timestamp(7))
        return (row.integer(0), contact)
    }

    func restore(
        _ conversation: ArchivedConversation, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        let present = try presentConversation(conversation.sessionID)
        let outcome =
            present.map {
                mode.outcome(
                    conversation.updatedAt, than: $0.conversation.updatedAt,
                    isSame: $0.conversation.isSame(as: conversation))
            } ?? .added
        guard outcome.writes, !mode.isDryRun else { return outcome }
        let number: Int64
        if let present {
            number = present.number
        } else {
            number = try insertConversation(conversation)
        }
        try connection.run(
            Self.fillConversation, number, conversation.displayName?.nilIfEmpty, conversation.isPinned,
            conversation.isMuted, conversation.hasAvatar, conversation.updatedAt)
        try AvatarRows.set(
            conversation.avatar ?? [], of: number, delete: Self.deleteConversationAvatar,
            insert: Self.insertConversationAvatar, connection)
        let presentRetention = present?.conversation.retention
        let retention =
            mode.changedAt == nil ? conversation.retention.keeping(presentRetention) : conversation.retention
        if retention != presentRetention ?? ConversationRetention() {
            try areas.conversations.set(retention, of: number)
        }
        if let present {
            removedContent = true
            record(.conversation, .updated, id: present.conversation.id.text)
        }
        return outcome
    }

    /// - Returns: its number.
    private func insertConversation(_ conversation: ArchivedConversation) throws(StoreError) -> Int64 {
        let number = Int64(nextRevision)
        var id = conversation.id
        if try !connection.runUnlessTaken(
            Self.insertRestoredConversation, number, id, conversation.sessionID, conversation.createdAt,
            conversation.updatedAt)
        {
            id = .fresh()
            try connection.run(
                Self.insertRestoredConversation, number, id, conversation.sessionID, conversation.createdAt,
                conversation.updatedAt)
        }
        statistics.conversationCount += 1
        record(.conversation, .created, id: id.text)
        return number
    }

    private func presentConversation(
        _ sessionID: SessionID
    ) throws(StoreError) -> (number: Int64, conversation: ArchivedConversation)? {
        guard let row = try connection.first(Self.selectConversation, sessionID) else { return nil }
        let conversation = ArchivedConversation(
            id: try row.name(1), sessionID: sessionID, displayName: try row.optionalText(2),
            avatar: row.isNull(7) ? nil : row.bytes(7), isPinned: row.bool(3), isMuted: row.bool(4),
            retention: try row.conversationRetention(8), createdAt: row.timestamp(5), updatedAt: row.timestamp(6))
        return (row.integer(0), conversation)
    }

    func restore(_ draft: ArchivedDraft, _ mode: RestoreMode) throws(StoreError) -> RestoreOutcome {
        let reference = ConversationReference.session(draft.sessionID)
        let known = try areas.conversations.findConversation(reference)
        var outcome = RestoreOutcome.added
        var (isThere, oldList, hasSameAttachments) = (false, Int64?.none, draft.attachments.isEmpty)
        if let known, let row = try connection.first(Self.selectPresentDraft, known.number) {
            isThere = true
            oldList = row.optionalInteger(5)
            hasSameAttachments = try AttachmentRows.isSame(oldList, as: draft.attachments, connection)
            let hasSameContent = try DraftContent(row) == draft.content
            let hasSameTime = mode.hasSameTime(draft.updatedAt, as: row.timestamp(4))
            outcome = mode.outcome(
                draft.updatedAt, than: row.timestamp(4),
                isSame: hasSameContent && hasSameAttachments && hasSameTime)
        }
        guard outcome.writes, !mode.isDryRun else { return outcome }
        let conversation = try areas.conversations.conversationToSaveTo(reference)
        let newList = draft.attachments.isEmpty ? nil : Int64(nextRevision)
        let list = hasSameAttachments ? oldList : newList
        try areas.attachments.replaceAttachments(oldList, by: draft.attachments, list: list, at: nil)
        try connection.run(
            DraftWrites.writeDraft(isThere: isThere), conversation.number, draft.content, draft.updatedAt, nextRevision,
            list)
        removedContent = removedContent || outcome == .updated
        record(.draft, outcome == .added ? .created : .updated, id: conversation.id.text)
        return outcome
    }

    private static let selectContact = StatementText(
        """
        SELECT c.number, c.id, c.display_name, c.notes, c.is_blocked, c.is_trusted, c.created_at, c.updated_at, a.data
        FROM contacts AS c LEFT JOIN contact_avatars AS a ON a.contact = c.number WHERE c.session_id = ?1
        """)
    private static let insertRestoredContact = StatementText(
        "INSERT INTO contacts (id, session_id, sort_key, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let fillContact = StatementText(
        """
        UPDATE OR FAIL contacts SET display_name = ?2, sort_key = ?3, notes = ?4, is_blocked = ?5, is_trusted = ?6,
            has_avatar = ?7, updated_at = ?8
        WHERE number = ?1
        """)
    private static let deleteContactAvatar = StatementText("DELETE FROM contact_avatars WHERE contact = ?1")
    private static let insertContactAvatar = StatementText("INSERT INTO contact_avatars VALUES (?1, ?2)")
    private static let selectConversation = StatementText(
        """
        SELECT c.number, c.id, c.display_name, c.is_pinned, c.is_muted, c.created_at, c.updated_at, a.data,
            \(ConversationRetention.columns)
        FROM conversations AS c LEFT JOIN conversation_avatars AS a ON a.conversation = c.number
        WHERE c.session_id = ?1
        """)
    private static let insertRestoredConversation = StatementText(
        """
        INSERT INTO conversations (number, id, session_id, created_at, updated_at, last_activity_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?4)
        """)
    private static let fillConversation = StatementText(
        """
        UPDATE OR FAIL conversations SET
            display_name = ?2, is_pinned = ?3, is_muted = ?4, has_avatar = ?5, updated_at = ?6
        WHERE number = ?1
        """)
    private static let deleteConversationAvatar = StatementText(
        "DELETE FROM conversation_avatars WHERE conversation = ?1")
    private static let insertConversationAvatar = StatementText("INSERT INTO conversation_avatars VALUES (?1, ?2)")
    private static let selectPresentDraft = StatementText(
        """
        SELECT \(DraftContent.columns), d.updated_at, d.attachments FROM conversation_drafts AS d
        WHERE d.conversation = ?1
        """)
}

extension ArchivedContact {
    fileprivate var hasAvatar: Bool { !(avatar ?? []).isEmpty }

    /// What restoring `other` would change is as it is there; ids and the time it was made stay in any case.
    fileprivate func isSame(as other: ArchivedContact) -> Bool {
        let texts = [displayName ?? "", notes ?? ""]
        return texts.haveSameBytes(as: [other.displayName ?? "", other.notes ?? ""])
            && avatar ?? [] == other.avatar ?? [] && isBlocked == other.isBlocked && isTrusted == other.isTrusted
            && updatedAt == other.updatedAt
    }
}

extension ArchivedConversation {
    fileprivate var hasAvatar: Bool { !(avatar ?? []).isEmpty }

    /// As `ArchivedContact.isSame`.
    fileprivate func isSame(as other: ArchivedConversation) -> Bool {
        [displayName ?? ""].haveSameBytes(as: [other.displayName ?? ""]) && avatar ?? [] == other.avatar ?? []
            && isPinned == other.isPinned && isMuted == other.isMuted && retention == other.retention
            && updatedAt == other.updatedAt
    }
}

extension ConversationRetention {
    /// A restore never removes anything: messages that are there stay for as long as they would have.
    ///
    /// - Parameter present: of the conversation that is there, if it is.
    fileprivate func keeping(_ present: ConversationRetention?) -> ConversationRetention {
        guard let present else { return self }
        var lenient = self
        lenient.keepFor = keepFor.flatMap { own in present.keepFor.map { $0.microseconds > own.microseconds ? $0 : own }
        }
        lenient.keepCount = keepCount.flatMap { own in present.keepCount.map { max($0, own) } }
        return lenient
    }
}
