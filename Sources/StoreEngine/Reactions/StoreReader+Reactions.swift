import SQLCipher

extension StoreReader {
    /// The reactions to a message, in the order in which they were added.
    ///
    /// - Parameter cursor: from the page before.
    /// - Throws: `.messageNotFound`, `.invalidArgument` for a limit out of range or a foreign cursor.
    package func reactions(
        to id: EntityID, limit: Int, cursor: String?
    ) throws(StoreError) -> ReactionPage {
        try PageLimit.check(limit)
        let after = try cursor.map { (text) throws(StoreError) in try RevisionCursor.revision(text) } ?? 0
        return try read { connection throws(StoreError) in
            guard let message = try connection.first(Self.reactedMessage, id), !clock.isOver(message, 1) else {
                throw StoreError(.messageNotFound, "there is no such message")
            }
            var page = ReactionPage(reactions: [])
            let rows = try connection.rows(Self.reactions, message.integer(0), after, limit + 1)
            while try rows.next() {
                guard page.reactions.count < limit else {
                    page.nextCursor = page.reactions.last.map { RevisionCursor.text($0.revision) }
                    break
                }
                page.reactions.append(try Reaction(rows))
            }
            withExtendedLifetime(message) {}
            return page
        }
    }

    private static let reactedMessage = StatementText(MessageRow.selectByID("m.sequence, m.expires_at"))
    private static let reactions = StatementText(
        """
        SELECT emoji, author, created_at, revision FROM reactions WHERE message_sequence = ?1 AND revision > ?2
        ORDER BY revision LIMIT ?3
        """)
}

extension Reaction {
    fileprivate init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            emoji: Emoji(trusted: try row.text(0)), authorSessionID: try row.name(1), createdAt: row.timestamp(2),
            revision: row.unsigned(3))
    }
}
