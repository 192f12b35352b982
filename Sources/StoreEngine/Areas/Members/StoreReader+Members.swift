import SQLCipher
import StoreBasics

extension StoreReader {
    /// Returns a page of the members of a conversation, ordered by session id.
    ///
    /// - Parameter cursor: The cursor of the previous page.
    /// - Throws: `.conversationNotFound`, `.invalidArgument` for a limit out of range or a foreign cursor.
    package func members(
        of reference: ConversationReference, limit: Int, cursor: String?
    ) throws(StoreError) -> ConversationMemberPage {
        try PageLimit.check(limit)
        let after = try cursor.map { (text) throws(StoreError) in try NameCursor.name(text) } ?? ""
        return try read { connection throws(StoreError) in
            let conversation = try ConversationLookup.row(reference, in: connection)
            var page = ConversationMemberPage()
            let rows = try connection.rows(Self.members, conversation.integer(0), after, limit + 1)
            while try rows.next() {
                guard page.members.count < limit else {
                    page.nextCursor = page.members.last.map { NameCursor.text($0.sessionID.text) }
                    break
                }
                page.members.append(try ConversationMember(rows))
            }
            withExtendedLifetime(conversation) {}
            return page
        }
    }

    private static let members = StatementText(
        """
        SELECT \(MemberRows.columns) FROM conversation_members WHERE conversation = ?1 AND session_id > ?2
        ORDER BY session_id LIMIT ?3
        """)
}
