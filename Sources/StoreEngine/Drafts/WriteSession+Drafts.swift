import SQLCipher

extension WriteSession {
    mutating func saveDraft(_ draft: NewDraft) throws(StoreError) -> Commit {
        try TextBounds.check(draft.content)
        if draft.content.isEmpty {
            return try deleteEmptiedDraft(in: draft.conversation)
        }
        let conversation = try conversationToSaveTo(draft.conversation)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        let old = try draftContent(of: conversation.number)
        guard old != draft.content else { return commit }
        try connection.run(Self.replaceDraft, conversation.number, draft.content, now, nextRevision)
        if old == nil {
            commit.createdCount = 1
            record(.draft, .created, id: conversation.id.text)
        } else {
            commit.updatedCount = 1
            removedContent = true
            record(.draft, .updated, id: conversation.id.text)
        }
        return commit
    }

    mutating func deleteDraft(_ reference: ConversationReference) throws(StoreError) -> Commit {
        let conversation = try conversation(reference)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        commit.deletedCount = try removeDraft(of: conversation) ? 1 : 0
        return commit
    }

    /// A party that has no conversation has no draft either, and gets none of both.
    private mutating func deleteEmptiedDraft(in reference: ConversationReference) throws(StoreError) -> Commit {
        if case .session = reference, try findConversation(reference) == nil {
            return Commit()
        }
        return try deleteDraft(reference)
    }

    /// - Returns: false when there is none.
    mutating func removeDraft(of conversation: KnownConversation) throws(StoreError) -> Bool {
        let changesBefore = connection.totalChanges
        try connection.run(Self.deleteDraft, conversation.number)
        guard connection.totalChanges != changesBefore else { return false }
        removedContent = true
        record(.draft, .deleted, id: conversation.id.text)
        return true
    }

    private func draftContent(of conversation: Int64) throws(StoreError) -> DraftContent? {
        guard let row = try connection.first(Self.selectDraft, conversation) else { return nil }
        return try DraftContent(row)
    }

    private static let selectDraft = StatementText(
        "SELECT \(DraftContent.columns) FROM conversation_drafts AS d WHERE d.conversation = ?1")
    static let replaceDraft = StatementText(
        "INSERT OR REPLACE INTO conversation_drafts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    private static let deleteDraft = StatementText("DELETE FROM conversation_drafts WHERE conversation = ?1")
}
