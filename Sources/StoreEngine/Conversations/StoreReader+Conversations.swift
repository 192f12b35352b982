import SQLCipher
internal import StoreBasics

extension StoreReader {
    /// - Returns: `nil` when there is no such conversation.
    package func conversation(
        _ reference: ConversationReference, includeAvatar: Bool
    ) throws(StoreError) -> Conversation? {
        try read { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                try Self.conversation(reference, includeAvatar: includeAvatar, in: connection)
            }
        }
    }

    static func conversation(
        _ reference: ConversationReference, includeAvatar: Bool, in connection: Connection
    ) throws(SQLCipherError) -> Conversation? {
        let select: Statement
        switch reference {
        case .id(let id):
            select = try connection.statement(byID)
            select.bind(1, id.text)
        case .session(let sessionID):
            select = try connection.statement(bySession)
            select.bind(1, sessionID.text)
        }
        defer { select.reset() }
        return try select.step() ? try conversation(select, includeAvatar: includeAvatar, connection) : nil
    }

    /// A page of the list. It ends before `EngineLimits.pageBytesMax`: it is the last one only when it has no cursor.
    ///
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func conversations(_ query: ConversationQuery) throws(StoreError) -> ConversationPage {
        try PageLimit.check(query.limit)
        let start = try query.cursor.map(ConversationCursor.init) ?? .top
        return try readSnapshot { connection throws(StoreError) in
            try mapped { () throws(SQLCipherError) in
                var page = GrowingPage()
                for part in [true, false] where query.isPinned ?? part == part && (part == false || start.isPinned) {
                    let from = part == start.isPinned ? start : ConversationCursor(isPinned: part)
                    try Self.append(part: from, query: query, to: &page, connection)
                }
                return ConversationPage(
                    conversations: page.conversations, nextCursor: page.hasMore ? page.last?.text : nil)
            }
        }
    }

    private struct GrowingPage {
        var conversations: [Conversation] = []
        var last: ConversationCursor?
        var bytes = PageBytes()
        /// Further conversations lie beyond the page.
        var hasMore = false
    }

    private static func append(
        part start: ConversationCursor, query: ConversationQuery, to page: inout GrowingPage, _ connection: Connection
    ) throws(SQLCipherError) {
        guard !page.hasMore else { return }
        let select = try connection.statement(self.page)
        select.bind(1, start.isPinned)
        select.bind(2, start.lastActivityAt)
        select.bind(3, start.number)
        select.bind(4, query.isMuted.map { $0 ? 1 : 0 })
        select.bind(5, query.hasUnread.map { $0 ? 1 : 0 })
        // One more than there is room for tells whether there are more.
        select.bind(6, query.limit + 1 - page.conversations.count)
        defer { select.reset() }
        while try select.step() {
            guard page.conversations.count < query.limit else {
                page.hasMore = true
                return
            }
            let conversation = try conversation(select, includeAvatar: query.includeAvatars, connection)
            guard page.bytes.admit(conversation.byteCount) else {
                page.hasMore = true
                return
            }
            page.last = ConversationCursor(
                isPinned: conversation.isPinned, lastActivityAt: conversation.lastActivityAt.microseconds,
                number: select.integer(0))
            page.conversations.append(conversation)
        }
    }

    private static func conversation(
        _ row: Statement, includeAvatar: Bool, _ connection: Connection
    ) throws(SQLCipherError) -> Conversation {
        var conversation = try Conversation(row)
        if includeAvatar, conversation.hasAvatar {
            conversation.avatar = try avatar(of: row.integer(0), avatarText, connection)
        }
        return conversation
    }

    /// An entity's avatar by its row number.
    static func avatar(
        of number: Int64, _ text: StatementText, _ connection: Connection
    ) throws(SQLCipherError) -> [UInt8]? {
        let select = try connection.statement(text)
        select.bind(1, number)
        defer { select.reset() }
        return try select.step() ? select.bytes(0) : nil
    }

    private static let selectSQL = """
        SELECT c.number, c.id, c.session_id, c.display_name, c.is_pinned, c.is_muted, c.has_avatar, c.created_at,
            c.updated_at, c.message_count, c.unread_count, c.last_activity_at,
            m.id, m.text, m.timestamp, m.is_outgoing, m.status
        FROM conversations AS c LEFT JOIN messages AS m ON m.conversation = c.number
            AND m.timestamp = c.last_message_at AND m.sequence = c.last_message_sequence
        """
    private static let byID = StatementText(selectSQL + " WHERE c.id = ?1")
    private static let bySession = StatementText(selectSQL + " WHERE c.session_id = ?1")
    private static let page = StatementText(
        selectSQL + """
             WHERE c.is_pinned = ?1 AND c.last_activity_at <= ?2 AND (c.last_activity_at < ?2 OR c.number < ?3)
                AND (?4 IS NULL OR c.is_muted = ?4) AND (?5 IS NULL OR (c.unread_count > 0) = ?5)
            ORDER BY c.last_activity_at DESC, c.number DESC LIMIT ?6
            """)
    private static let avatarText = StatementText("SELECT data FROM conversation_avatars WHERE conversation = ?1")
}

extension Conversation {
    init(_ row: Statement) throws(SQLCipherError) {
        id = EntityID(trusted: try row.text(1))
        sessionID = SessionID(trusted: try row.text(2))
        displayName = try row.optionalText(3)
        avatar = nil
        isPinned = row.bool(4)
        isMuted = row.bool(5)
        hasAvatar = row.bool(6)
        createdAt = Timestamp(microseconds: row.integer(7))
        updatedAt = Timestamp(microseconds: row.integer(8))
        messageCount = row.int(9)
        unreadCount = row.int(10)
        lastActivityAt = Timestamp(microseconds: row.integer(11))
        lastMessage = nil
        if !row.isNull(12) {
            lastMessage = LastMessage(
                id: EntityID(trusted: try row.text(12)), text: try row.text(13),
                timestamp: Timestamp(microseconds: row.integer(14)), isOutgoing: row.bool(15),
                status: MessageStatus(rawValue: row.int(16)) ?? .failed)
        }
    }
}

/// A place in the list of conversations, as "pinned.microseconds.number".
struct ConversationCursor {
    static let top = ConversationCursor(isPinned: true)

    let isPinned: Bool
    let lastActivityAt: Int64
    let number: Int64

    init(isPinned: Bool, lastActivityAt: Int64 = .max, number: Int64 = .max) {
        self.isPinned = isPinned
        self.lastActivityAt = lastActivityAt
        self.number = number
    }

    init(_ text: String) throws(StoreError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "0" || parts[0] == "1", let activity = Int64(parts[1]),
            let number = Int64(parts[2])
        else {
            throw .invalidArgument("the cursor is not one the daemon gave; start again without it")
        }
        self.init(isPinned: parts[0] == "1", lastActivityAt: activity, number: number)
    }

    var text: String {
        "\(isPinned ? 1 : 0).\(lastActivityAt).\(number)"
    }
}
