import SQLCipher
import StoreBasics

extension StoreReader {
    /// Returns a conversation, with its avatar if requested; `nil` if no conversation has the id or session id.
    package func conversation(
        _ reference: ConversationReference, includeAvatar: Bool
    ) throws(StoreError) -> Conversation? {
        try read { connection throws(StoreError) in
            try Self.conversation(reference, includeAvatar: includeAvatar, in: connection, clock)
        }
    }

    static func conversation(
        _ reference: ConversationReference, includeAvatar: Bool, in connection: Connection, _ clock: StoreClock
    ) throws(StoreError) -> Conversation? {
        let row =
            switch reference {
            case .id(let id): try connection.first(byID, id)
            case .session(let sessionID): try connection.first(bySession, sessionID)
            }
        guard let row else { return nil }
        return try conversation(row, includeAvatar: includeAvatar, connection, clock)
    }

    /// Returns a page of conversations. It ends before `EngineLimits.pageBytesMax` and, if it skips rows, after
    /// `EngineLimits.scanMilliseconds`. A short page may therefore be followed by others: only the last page has no
    /// cursor.
    ///
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func conversations(_ query: ConversationQuery) throws(StoreError) -> ConversationPage {
        try PageLimit.check(query.limit)
        let start = try query.cursor.map(ConversationCursor.init) ?? .top
        return try readSnapshot { connection throws(StoreError) in
            var page = GrowingPage()
            for part in [true, false] where query.isPinned ?? part == part && (part == false || start.isPinned) {
                let from = part == start.isPinned ? start : ConversationCursor(isPinned: part)
                try Self.append(part: from, query: query, to: &page, connection, clock)
            }
            return ConversationPage(
                conversations: page.conversations, nextCursor: page.hasMore ? page.last?.text : nil)
        }
    }

    private struct GrowingPage {
        var conversations: [Conversation] = []
        var last: ConversationCursor?
        var bytes = PageBytes()
        var scan = PageScan()
        /// True if there are conversations after the page.
        var hasMore = false
    }

    private static func append(
        part start: ConversationCursor, query: ConversationQuery, to page: inout GrowingPage, _ connection: Connection,
        _ clock: StoreClock
    ) throws(StoreError) {
        guard !page.hasMore else { return }
        // Read one row more than the page takes, to find out whether there are further conversations.
        let isFiltered = query.isFiltered
        let rows = try connection.rows(
            isFiltered ? self.bare : self.page, start.isPinned, start.lastActivityAt, start.id,
            isFiltered ? -1 : query.limit + 1 - page.conversations.count)
        while try rows.next() {
            let place = ConversationCursor(
                isPinned: start.isPinned, lastActivityAt: rows.integer(11), id: try rows.name(1))
            if isFiltered, try !query.admits(rows) {
                page.last = place
                page.hasMore = !page.scan.mayPassRow(bytes: try query.passedBytes(rows))
                guard page.hasMore else { continue }
                return
            }
            let isBeyond = page.conversations.count == query.limit
            let conversation =
                isBeyond
                ? nil
                : try conversation(rows, includeAvatar: query.includeAvatars, isBare: isFiltered, connection, clock)
            guard let conversation, page.bytes.admit(conversation.byteCount) else {
                page.hasMore = true
                return
            }
            page.last = place
            page.conversations.append(conversation)
        }
    }

    /// - Parameter isBare: True if the row lacks the columns of the last message.
    private static func conversation(
        _ row: borrowing Rows, includeAvatar: Bool, isBare: Bool = false, _ connection: Connection,
        _ clock: StoreClock
    ) throws(StoreError) -> Conversation {
        var conversation = try Conversation(row, clock)
        if isBare, let last = try connection.first(lastMessage, row.integer(0)),
            !clock.isOver(last, LastMessage.expiryColumn)
        {
            conversation.lastMessage = try LastMessage(last, from: 0)
        }
        if includeAvatar, conversation.hasAvatar {
            conversation.avatar = try LargeValueRows.conversationAvatars.read(row.integer(0), connection)
        }
        if row.bool(17) {
            conversation.metadata = try LargeValueRows.conversationMetadata.read(row.integer(0), connection)
                .map(Metadata.init(stored:))
        }
        return conversation
    }

    private static let columns = """
        c.number, c.id, c.session_id, c.display_name, c.is_pinned, c.is_muted, c.has_avatar, c.created_at, \
        c.updated_at, c.message_count, c.unread_count, c.last_activity_at, \
        \(ConversationRetention.columns), c.kind, c.has_metadata
        """
    private static let lastMessageColumns = """
        m.id, \(LongTexts.column(of: "m")), m.timestamp, m.is_outgoing, m.status, m.expires_at
        """
    private static let lastMessageSQL = """
        \(MessagePlace.joinedTable) ON m.conversation = c.number
            AND m.timestamp = c.last_message_at AND m.id = c.last_message_id
        """
    private static let selectSQL =
        "SELECT \(columns), \(lastMessageColumns) FROM conversations AS c LEFT JOIN \(lastMessageSQL)"
    private static let partSQL = """
         WHERE c.is_pinned = ?1 AND (c.last_activity_at, c.id) < (?2, ?3)
        ORDER BY c.last_activity_at DESC, c.id DESC LIMIT ?4
        """
    private static let byID = StatementText(selectSQL + " WHERE c.id = ?1")
    private static let bySession = StatementText(selectSQL + " WHERE c.session_id = ?1")
    private static let page = StatementText(selectSQL + partSQL)
    /// The query without the last messages, because most of them are not needed if rows are skipped.
    private static let bare = StatementText(
        "SELECT \(columns), NULL FROM conversations AS c" + partSQL)
    private static let lastMessage = StatementText(
        "SELECT \(lastMessageColumns) FROM conversations AS c CROSS JOIN \(lastMessageSQL) WHERE c.number = ?1")
}

extension Conversation {
    fileprivate init(_ row: borrowing Rows, _ clock: StoreClock) throws(StoreError) {
        id = try row.name(1)
        sessionID = try row.name(2)
        displayName = try row.optionalText(3)
        avatar = nil
        isPinned = row.bool(4)
        isMuted = row.bool(5)
        hasAvatar = row.bool(6)
        createdAt = row.timestamp(7)
        updatedAt = row.timestamp(8)
        messageCount = row.int(9)
        unreadCount = row.int(10)
        lastActivityAt = row.timestamp(11)
        retention = try row.conversationRetention(12)
        kind = try row.optionalText(16)
        let last = 18
        let isShown = !row.isNull(last) && !clock.isOver(row, last + LastMessage.expiryColumn)
        lastMessage = isShown ? try LastMessage(row, from: last) : nil
    }

    /// The number of bytes of the conversation's texts, avatar and metadata.
    var byteCount: Int {
        var count = id.text.utf8.count + sessionID.text.utf8.count + (displayName?.utf8.count ?? 0)
        count += (avatar?.count ?? 0) + (kind?.utf8.count ?? 0) + (metadata?.bytes.count ?? 0)
        count += lastMessage.map { $0.id.text.utf8.count + $0.text.utf8.count } ?? 0
        return count
    }
}

extension LastMessage {
    /// The number of columns from the first column of the last message to `expires_at`.
    fileprivate static let expiryColumn = 5

    fileprivate init(_ row: borrowing Rows, from column: Int) throws(StoreError) {
        id = try row.name(column)
        text = try row.text(column + 1)
        timestamp = row.timestamp(column + 2)
        isOutgoing = row.bool(column + 3)
        status = try row.status(column + 4)
    }
}

extension ConversationQuery {
    fileprivate var isFiltered: Bool { isMuted != nil || hasUnread != nil || search != nil || kind != nil }

    fileprivate func admits(_ row: borrowing Rows) throws(StoreError) -> Bool {
        guard isMuted.map({ $0 == row.bool(5) }) ?? true, hasUnread.map({ $0 == (row.integer(10) > 0) }) ?? true
        else { return false }
        if let kind, try !row.hasText(kind, in: 16) { return false }
        guard let search else { return true }
        return try NameColumns.match(search, row)
    }

    /// Returns the number of bytes of the row's names, which the search has read; 0 without a search.
    fileprivate func passedBytes(_ row: borrowing Rows) throws(StoreError) -> Int {
        search == nil ? 0 : try NameColumns.byteCount(row)
    }
}

/// A position in the list of conversations, written as "pinned.microseconds.id".
private struct ConversationCursor {
    static let top = ConversationCursor(isPinned: true)

    let isPinned: Bool
    let lastActivityAt: Int64
    let id: EntityID

    init(isPinned: Bool, lastActivityAt: Int64 = .max, id: EntityID = .upperBound) {
        self.isPinned = isPinned
        self.lastActivityAt = lastActivityAt
        self.id = id
    }

    init(_ text: String) throws(StoreError) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "0" || parts[0] == "1", let activity = Int64(parts[1])
        else { throw .foreignCursor }
        let id = EntityID(trusted: try NameCursor.name(String(parts[2])))
        self.init(isPinned: parts[0] == "1", lastActivityAt: activity, id: id)
    }

    var text: String {
        "\(isPinned ? 1 : 0).\(lastActivityAt).\(NameCursor.text(id.text))"
    }
}
