import SQLCipher

extension StoreReader {
    /// Returns the draft of a conversation.
    ///
    /// - Returns: `nil` if the conversation has no draft.
    /// - Throws: `.conversationNotFound`.
    package func draft(in reference: ConversationReference) throws(StoreError) -> Draft? {
        try read { connection throws(StoreError) in
            let conversation = try ConversationLookup.row(reference, in: connection)
            defer { withExtendedLifetime(conversation) {} }
            guard let row = try connection.first(Self.draft, conversation.integer(0)) else { return nil }
            return try Draft(row, connection)
        }
    }

    /// Returns the drafts of all conversations, the most recently saved first. A page ends before
    /// `EngineLimits.pageBytesMax`.
    ///
    /// - Parameter cursor: The cursor of the previous page.
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func drafts(limit: Int, cursor: String?) throws(StoreError) -> DraftPage {
        try PageLimit.check(limit)
        let before = try cursor.map { (text) throws(StoreError) in try RevisionCursor.revision(text) } ?? .max
        return try read { connection throws(StoreError) in
            var page = DraftPage(drafts: [])
            var bytes = PageBytes()
            let rows = try connection.rows(Self.draftsByRevision, before, limit + 1)
            while try rows.next() {
                let draft = try Draft(rows, connection)
                guard page.drafts.count < limit, bytes.admit(draft.byteCount) else {
                    page.nextCursor = page.drafts.last.map { RevisionCursor.text($0.revision) }
                    break
                }
                page.drafts.append(draft)
            }
            return page
        }
    }

    private static let draft = StatementText(
        """
        SELECT \(Draft.columns) FROM conversation_drafts AS d CROSS JOIN conversations AS c ON c.number = d.conversation
        WHERE d.conversation = ?1
        """)
    private static let draftsByRevision = StatementText(
        """
        SELECT \(Draft.columns) FROM conversation_drafts AS d CROSS JOIN conversations AS c ON c.number = d.conversation
        WHERE d.revision < ?1 ORDER BY d.revision DESC LIMIT ?2
        """)
}
