import SQLCipher
import StoreBasics

/// The result of comparing a stored draft with another one for the same conversation.
struct PresentDraft {
    let attachments: Int64?
    let updatedAt: Timestamp
    let hasSameText: Bool
    let hasSameAttachments: Bool

    var hasSameContent: Bool { hasSameText && hasSameAttachments }
}

/// Reads and replaces whole drafts, for archives and replication.
extension DraftWrites {
    /// Saves a whole draft: replaces the stored draft of its conversation, or creates one. Does nothing if the stored
    /// draft is equal.
    func replace(_ draft: WholeDraft) throws(StoreError) {
        let present = try compare(draft)
        if let present, present.hasSameContent, present.updatedAt == draft.updatedAt { return }
        try put(draft, over: present)
    }

    /// Compares a draft with the stored draft of its conversation.
    ///
    /// - Returns: `nil` if the conversation has no draft.
    func compare(_ draft: WholeDraft) throws(StoreError) -> PresentDraft? {
        guard let known = try conversations.findConversation(.session(draft.sessionID)),
            let row = try connection.first(Self.selectPresentDraft, known.number)
        else { return nil }
        let list = row.optionalInteger(5)
        return PresentDraft(
            attachments: list, updatedAt: row.timestamp(4), hasSameText: try DraftContent(row) == draft.content,
            hasSameAttachments: try AttachmentRows.isSame(list, as: draft.attachments, connection))
    }

    /// Replaces an existing draft, or creates one. Also creates the conversation if it does not exist.
    ///
    /// - Parameter present: The result of `compare`.
    func put(_ draft: WholeDraft, over present: PresentDraft?) throws(StoreError) {
        let conversation = try conversations.conversationToSaveTo(.session(draft.sessionID))
        let newList = draft.attachments.isEmpty ? nil : Int64(nextRevision)
        let hasSameAttachments = present?.hasSameAttachments ?? draft.attachments.isEmpty
        let list = hasSameAttachments ? present?.attachments : newList
        try attachments.replaceAttachments(present?.attachments, by: draft.attachments, list: list, at: nil)
        try connection.run(
            Self.writeDraft(isThere: present != nil), conversation.number, draft.content, draft.updatedAt,
            nextRevision, list)
        removedContent = removedContent || present != nil
        record(.draft, present == nil ? .created : .updated, id: conversation.id.text)
    }

    private static let selectPresentDraft = StatementText(
        """
        SELECT \(DraftContent.columns), d.updated_at, d.attachments FROM conversation_drafts AS d
        WHERE d.conversation = ?1
        """)
}

extension WholeDraft {
    static let selectSQL = """
        SELECT \(DraftContent.columns), d.updated_at, d.revision, c.session_id, d.attachments
        FROM conversation_drafts AS d CROSS JOIN conversations AS c ON c.number = d.conversation
        """

    /// - Parameter row: A row of `selectSQL`.
    init(_ row: borrowing Rows, _ connection: Connection) throws(StoreError) {
        self.init(
            sessionID: try row.name(6), content: try DraftContent(row),
            attachments: try AttachmentRows.readWhole(row.optionalInteger(7), connection),
            updatedAt: row.timestamp(4))
    }
}
