import SQLCipher
import StoreBasics

extension StoreReader {
    /// Returns the reactions to a message in the order of their times, then authors, then emoji.
    ///
    /// - Parameter cursor: The cursor of the previous page.
    /// - Throws: `.messageNotFound`, `.invalidArgument` for a limit out of range or a foreign cursor.
    package func reactions(
        to id: EntityID, limit: Int, cursor: String?
    ) throws(StoreError) -> ReactionPage {
        try PageLimit.check(limit)
        let after = try cursor.map { (text) throws(StoreError) in try ReactionCursor(text) } ?? .first
        return try read { connection throws(StoreError) in
            guard let message = try connection.first(Self.reactedMessage, id), !clock.isOver(message, 1) else {
                throw StoreError(.messageNotFound, "there is no such message")
            }
            var page = ReactionPage(reactions: [])
            let rows = try connection.rows(Self.reactions, message.integer(0), after, limit + 1)
            while try rows.next() {
                guard page.reactions.count < limit else {
                    page.nextCursor = page.reactions.last.map { ReactionCursor($0).text }
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
        SELECT emoji, author, created_at, revision FROM reactions
        WHERE message_sequence = ?1 AND (created_at, author, emoji) > (?2, ?3, ?4)
        ORDER BY \(ReactionCursor.order) LIMIT ?5
        """)
}

/// A position in the order of a message's reactions, which is the same on every device.
struct ReactionCursor: Bindable {
    static let order = "created_at, author, emoji"
    static let first = ReactionCursor(createdAt: Timestamp(microseconds: .min), author: "", emoji: "")

    private let createdAt: Timestamp
    private let author: String
    private let emoji: String

    private init(createdAt: Timestamp, author: String, emoji: String) {
        self.createdAt = createdAt
        self.author = author
        self.emoji = emoji
    }

    init(_ reaction: Reaction) {
        self.init(createdAt: reaction.createdAt, author: reaction.authorSessionID.text, emoji: reaction.emoji.text)
    }

    /// - Throws: `.invalidArgument` for a text that is not a cursor.
    init(_ text: String) throws(StoreError) {
        guard let end = text.firstIndex(of: "."), let time = Int64(text[..<end]) else { throw .foreignCursor }
        let names = try NameCursor.names(String(text[text.index(after: end)...]), count: 2)
        self.init(createdAt: Timestamp(microseconds: time), author: names[0], emoji: names[1])
    }

    var text: String { "\(createdAt.microseconds).\(NameCursor.text(author, emoji))" }

    func bind(to statement: Statement, _ index: inout Int) {
        createdAt.bind(to: statement, &index)
        author.bind(to: statement, &index)
        emoji.bind(to: statement, &index)
    }
}

extension Reaction {
    fileprivate init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            emoji: Emoji(trusted: try row.text(0)), authorSessionID: try row.name(1), createdAt: row.timestamp(2),
            revision: row.unsigned(3))
    }
}
