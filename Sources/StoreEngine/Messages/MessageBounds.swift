import SQLCipher

extension MessageQuery {
    /// Rows are passed over: how many are read for one page is not known before.
    var isFiltered: Bool {
        senderSessionID != nil || isOutgoing != nil || status != nil || hasAttachment != nil || isRead != nil
    }

    /// True for a page that is quickly read unless its texts are long: few rows, none passed over.
    public var mayBeShort: Bool {
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

    /// Binds the parameters of the page statements.
    func bind(to statement: Statement, conversation: Int64, query: MessageQuery) {
        statement.bind(1, conversation)
        statement.bind(2, lower.timestamp.microseconds)
        statement.bind(3, lower.sequence)
        statement.bind(4, upper.timestamp.microseconds)
        statement.bind(5, upper.sequence)
        // One more than asked tells whether there are more.
        statement.bind(11, query.limit + 1)
        guard query.isFiltered else { return }
        statement.bind(6, query.senderSessionID)
        statement.bind(7, query.isOutgoing.map { $0 ? 1 : 0 })
        statement.bind(8, query.status.map { Int64($0.rawValue) })
        statement.bind(9, query.hasAttachment.map { $0 ? 1 : 0 })
        statement.bind(10, query.isRead.map { $0 ? 1 : 0 })
    }
}
