import SQLCipher

/// The part of a transaction that saves and deletes drafts.
struct DraftWrites: TransactionWork {
    let transaction: Transaction
    let attachments: AttachmentWrites
    let conversations: ConversationWrites

    func saveDraft(_ draft: NewDraft) throws(StoreError) -> Commit {
        try FieldLimits.check(draft.content)
        try attachments.check(draft.attachments)
        if draft.isEmpty {
            return try deleteEmptiedDraft(in: draft.conversation)
        }
        let conversation = try conversations.conversationToSaveTo(draft.conversation)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        let row = try draftRow(of: conversation.number)
        let (old, oldList) = (row?.content, row?.attachments)
        let hasSameAttachments = try AttachmentRows.isSame(oldList, as: draft.attachments, connection)
        let newList = draft.attachments.isEmpty ? nil : Int64(nextRevision)
        let list = hasSameAttachments ? oldList : newList
        try attachments.replaceAttachments(oldList, by: draft.attachments, list: list, at: nil)
        guard old != draft.content || !hasSameAttachments else { return commit }
        try connection.run(
            Self.writeDraft(isThere: row != nil), conversation.number, draft.content, now, nextRevision, list)
        if row == nil {
            commit.createdCount = 1
            record(.draft, .created, id: conversation.id.text)
        } else {
            commit.updatedCount = 1
            removedContent = true
            record(.draft, .updated, id: conversation.id.text)
        }
        return commit
    }

    func deleteDraft(_ reference: ConversationReference) throws(StoreError) -> Commit {
        let conversation = try conversations.conversation(reference)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        commit.deletedCount = try removeDraft(of: conversation) ? 1 : 0
        return commit
    }

    /// Deletes a draft that was saved empty. A session id without a conversation has no draft, and no conversation is
    /// created for it.
    private func deleteEmptiedDraft(in reference: ConversationReference) throws(StoreError) -> Commit {
        if case .session = reference, try conversations.findConversation(reference) == nil {
            return Commit()
        }
        return try deleteDraft(reference)
    }

    /// - Returns: False if the conversation has no draft.
    func removeDraft(of conversation: KnownConversation) throws(StoreError) -> Bool {
        guard let row = try draftRow(of: conversation.number) else { return false }
        try connection.run(Self.deleteDraft, conversation.number)
        if let list = row.attachments {
            try attachments.leaveAttachmentsBehind(list)
        }
        removedContent = true
        record(.draft, .deleted, id: conversation.id.text)
        return true
    }

    private func draftRow(of conversation: Int64) throws(StoreError) -> (content: DraftContent, attachments: Int64?)? {
        try Self.draftRow(of: conversation, connection)
    }

    private static func draftRow(
        of conversation: Int64, _ connection: Connection
    ) throws(StoreError) -> (content: DraftContent, attachments: Int64?)? {
        guard let row = try connection.first(selectDraft, conversation) else { return nil }
        return (try DraftContent(row), row.optionalInteger(4))
    }

    private static let selectDraft = StatementText(
        "SELECT \(DraftContent.columns), d.attachments FROM conversation_drafts AS d WHERE d.conversation = ?1")
    /// Returns the statement that writes a draft. Its parameters are conversation, content, time, revision and list of
    /// attachments.
    static func writeDraft(isThere: Bool) -> StatementText { isThere ? updateDraft : insertDraft }

    private static let insertDraft = StatementText(
        """
        INSERT INTO conversation_drafts
            (conversation, text, attachment_url, attachment_type, reply_to, updated_at, revision, attachments)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        """)
    private static let updateDraft = StatementText(
        """
        UPDATE OR FAIL conversation_drafts
        SET text = ?2, attachment_url = ?3, attachment_type = ?4, reply_to = ?5, updated_at = ?6, revision = ?7,
            attachments = ?8
        WHERE conversation = ?1
        """)
    private static let deleteDraft = StatementText("DELETE FROM conversation_drafts WHERE conversation = ?1")
}
