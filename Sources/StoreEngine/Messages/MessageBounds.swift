import SQLCipher
internal import StoreBasics

extension MessageQuery {
    /// Rows are passed over: how many are read for one page is not known before.
    var isFiltered: Bool {
        senderSessionID != nil || isOutgoing != nil || status != nil || hasAttachment != nil || isRead != nil
    }

    /// True for a page that is quickly read unless its texts are long: few rows, none passed over.
    package var mayBeShort: Bool {
        limit <= EngineLimits.shortPageRowsMax && !isFiltered
    }
}

/// The open interval of (timestamp, sequence) that a query asks for.
struct MessageBounds {
    private(set) var lower = MessageCursor(timestamp: Timestamp(microseconds: .min), sequence: .min)
    private(set) var upper = MessageCursor(timestamp: Timestamp(microseconds: .max), sequence: .max)

    init(_ query: MessageQuery) {
        // Sequences start at 1, so (from, minimum) lies before every message of that instant.
        if let from = query.from {
            raise(to: MessageCursor(timestamp: from, sequence: .min))
        }
        if let until = query.until {
            sink(to: MessageCursor(timestamp: until, sequence: .min))
        }
        if let after = query.after {
            raise(to: after)
        }
        if let before = query.before {
            sink(to: before)
        }
    }

    private mutating func raise(to cursor: MessageCursor) {
        if (lower.timestamp.microseconds, lower.sequence) < (cursor.timestamp.microseconds, cursor.sequence) {
            lower = cursor
        }
    }

    private mutating func sink(to cursor: MessageCursor) {
        if (cursor.timestamp.microseconds, cursor.sequence) < (upper.timestamp.microseconds, upper.sequence) {
            upper = cursor
        }
    }

    /// What parameters 1 to 5 mean, of messages `m`. The bounds on (timestamp, sequence) are spelled out so that SQLite
    /// 3.15 walks the primary key between them.
    static let intervalSQL = """
        m.conversation = ?1 AND m.timestamp >= ?2 AND m.timestamp <= ?4
            AND (m.timestamp > ?2 OR m.sequence > ?3) AND (m.timestamp < ?4 OR m.sequence < ?5)
        """

    /// What parameters 6 to 10 mean.
    static let filterSQL = """
        AND (?6 IS NULL OR m.sender = ?6) AND (?7 IS NULL OR m.is_outgoing = ?7)
        AND (?8 IS NULL OR m.status = ?8) AND (?9 IS NULL OR (m.attachment_url IS NOT NULL) = ?9)
        AND (?10 IS NULL OR m.is_read = ?10)
        """

    static let conditionSQL = intervalSQL + " " + filterSQL

    /// Binds the parameters of `conditionSQL`, and ?11 for a limit.
    func bind(to statement: Statement, conversation: Int64, query: MessageQuery) {
        statement.bind(1, conversation)
        statement.bind(2, lower.timestamp.microseconds)
        statement.bind(3, lower.sequence)
        statement.bind(4, upper.timestamp.microseconds)
        statement.bind(5, upper.sequence)
        // One more than asked tells whether there are more.
        statement.bind(11, query.limit + 1)
        statement.bind(6, query.senderSessionID)
        statement.bind(7, query.isOutgoing.map { $0 ? 1 : 0 })
        statement.bind(8, query.status.map { Int64($0.rawValue) })
        statement.bind(9, query.hasAttachment.map { $0 ? 1 : 0 })
        statement.bind(10, query.isRead.map { $0 ? 1 : 0 })
    }
}
