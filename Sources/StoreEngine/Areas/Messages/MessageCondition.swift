import SQLCipher
import StoreBasics

extension MessageFilter {
    /// True if the query may skip rows, so that the number of rows read for one page is not known in advance.
    var isFiltered: Bool {
        senderSessionID != nil || isOutgoing != nil || status != nil || hasAttachment != nil || isRead != nil
            || kind != nil
    }

    /// - Parameter row: A row of `MessageRow.columns`.
    func admits(_ row: borrowing Rows) throws(StoreError) -> Bool {
        guard isOutgoing.map({ $0 == row.bool(8) }) ?? true, isRead.map({ $0 == row.bool(9) }) ?? true,
            status.map({ $0.rawValue == row.int(7) }) ?? true,
            hasAttachment.map({ $0 != (row.isNull(10) && row.isNull(MessageRow.attachmentsColumn)) }) ?? true
        else { return false }
        if let kind, try !row.hasText(kind, in: MessageRow.kindColumn) { return false }
        guard let senderSessionID else { return true }
        return try row.borrowedText(5).hasSameBytes(as: senderSessionID)
    }
}

extension MessageQuery {
    /// True for a page that is quickly read unless its texts are long: few rows of one conversation, none skipped.
    package var mayBeShort: Bool {
        conversation != nil && limit <= EngineLimits.shortPageRowsMax && !filter.isFiltered
    }
}

/// The condition of a query on messages `m`, as SQL and as the values of its parameters 1 to 12.
struct MessageCondition: Bindable {
    private(set) var conversation: Int64
    // The open interval of (timestamp, id).
    private var lower = MessageCursor.first
    private var upper = MessageCursor.end
    private let query: MessageQuery
    private var limit: Int

    init(_ query: MessageQuery, conversation: Int64, limit: Int) {
        self.conversation = conversation
        self.query = query
        self.limit = limit
        if let from = query.filter.from {
            lower = max(lower, MessageCursor(timestamp: from, id: .lowerBound))
        }
        if let until = query.filter.until {
            upper = min(upper, MessageCursor(timestamp: until, id: .lowerBound))
        }
        if let after = query.after {
            lower = max(lower, after)
        }
        if let before = query.before {
            upper = min(upper, before)
        }
    }

    /// Returns the condition for the messages of a conversation between two positions in an order.
    ///
    /// - Parameters:
    ///   - start: The position after which the messages begin; `nil` for the start of the query.
    ///   - end: The position before which the messages end; `nil` for the end of the query.
    func part(
        of conversation: Int64, from start: MessageCursor?, to end: MessageCursor?, in order: MessageOrder, limit: Int
    ) -> MessageCondition {
        let (least, greatest) = order == .newestFirst ? (end, start) : (start, end)
        var part = self
        part.conversation = conversation
        part.limit = limit
        part.lower = least.map { max(lower, $0) } ?? lower
        part.upper = greatest.map { min(upper, $0) } ?? upper
        return part
    }

    /// The earliest timestamp that a message of the query can have.
    var earliest: Timestamp { lower.timestamp }

    static let conversationSQL = "m.conversation = ?1"

    /// True if the query is about a part of the conversation, so that `conversationSQL` is not enough.
    var isBounded: Bool { lower != .first || upper != .end }

    /// The condition for conversation and interval. SQLite seeks to either end of the interval, also among messages
    /// with equal timestamps.
    static let intervalSQL = """
        \(conversationSQL) AND (m.timestamp, m.id) > (?2, ?3) AND (m.timestamp, m.id) < (?4, ?5)
        """

    /// The complete condition, including the filters that skip rows.
    static let wholeSQL =
        intervalSQL + """
             AND (?6 IS NULL OR m.sender = ?6) AND (?7 IS NULL OR m.is_outgoing = ?7)
            AND (?8 IS NULL OR m.status = ?8)
            AND (?9 IS NULL OR (m.attachment_url IS NOT NULL OR m.attachments IS NOT NULL) = ?9)
            AND (?10 IS NULL OR m.is_read = ?10) AND (?11 IS NULL OR ifnull(m.kind, '') = ?11)
            """

    static let limitSQL = "?12"
    /// SQLite reads a negative limit as no limit (lang_select.html).
    static let unlimited = -1

    func bind(to statement: Statement, _ index: inout Int) {
        conversation.bind(to: statement, &index)
        lower.timestamp.bind(to: statement, &index)
        lower.id.bind(to: statement, &index)
        upper.timestamp.bind(to: statement, &index)
        upper.id.bind(to: statement, &index)
        let filter = query.filter
        filter.senderSessionID.bind(to: statement, &index)
        filter.isOutgoing.bind(to: statement, &index)
        filter.status.bind(to: statement, &index)
        filter.hasAttachment.bind(to: statement, &index)
        filter.isRead.bind(to: statement, &index)
        filter.kind.bind(to: statement, &index)
        limit.bind(to: statement, &index)
    }
}
