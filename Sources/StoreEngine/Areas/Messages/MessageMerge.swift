import HeapModule
import SQLCipher
import StoreBasics

/// Merges the messages of all conversations into one order. No index has this order, because every save would have to
/// update it. The next message is always the first remaining message of one of the conversations.
///
/// Messages of one conversation that follow each other in the merged order are a run, which one statement reads. Each
/// conversation needs one lookup of its first message, and another lookup after each of its runs. If the newest
/// messages come first, a conversation is looked up only when the merge reaches the time of its newest message.
/// Otherwise all conversations are looked up at the start. A conversation takes the memory of one entry in the heap.
struct MessageMerge: ~Copyable {
    /// A conversation with messages that are not read yet.
    private struct Source: Comparable {
        let conversation: Int64
        /// The position after which nothing of the conversation is read; `nil` for the start of the query.
        let start: MessageCursor?
        /// The first message after `start`.
        let head: MessageCursor

        static func == (left: Source, right: Source) -> Bool { left.head == right.head }
        static func < (left: Source, right: Source) -> Bool { left.head < right.head }
    }

    private let order: MessageOrder
    private let whole: MessageCondition
    private let connection: Connection
    private var unopened: ActiveConversations
    private var sources = Heap<Source>()
    /// The conversation of the current run, and the position before which the run ends; `nil` if the run ends with the
    /// conversation.
    private var current: (conversation: Int64, end: MessageCursor)?

    /// - Parameter connection: The connection, in a transaction.
    init(_ query: MessageQuery, _ connection: Connection) throws(StoreError) {
        let (order, whole) = (query.order, MessageCondition(query, conversation: 0, limit: 1))
        let unopened = try ActiveConversations(since: whole.earliest, connection)
        self.order = order
        self.whole = whole
        self.connection = connection
        self.unopened = unopened
    }

    /// Returns the condition of the next run of messages; `nil` at the end. The previous run must have been read.
    ///
    /// - Parameter limit: The most messages of the run.
    mutating func next(atMost limit: Int) throws(StoreError) -> MessageCondition? {
        if let run = current {
            current = nil
            try seek(run.conversation, after: run.end)
        }
        try open()
        guard let source = order == .newestFirst ? sources.popMax() : sources.popMin() else { return nil }
        // The run ends before the first message of every other conversation, even if that one is not open yet.
        let ends = [next?.head, unopened.next.map { MessageCursor(timestamp: $0.newest, id: .upperBound) }]
        let end = ends.compactMap(\.self).min(by: order.isAhead)
        current = end.map { (source.conversation, $0) }
        return whole.part(of: source.conversation, from: source.start, to: end, in: order, limit: limit)
    }

    /// Opens the conversations that may have the next message: newest first, those that are active at the time of the
    /// next known message or later; oldest first, all.
    mutating func open() throws(StoreError) {
        while let candidate = unopened.next {
            if order == .newestFirst, let head = next?.head, candidate.newest < head.timestamp { return }
            try unopened.advance()
            try seek(candidate.number, after: nil)
        }
    }

    /// The conversation with the next message of those that are open.
    private var next: Source? { order == .newestFirst ? sources.max : sources.min }

    private mutating func seek(_ conversation: Int64, after start: MessageCursor?) throws(StoreError) {
        let rest = whole.part(of: conversation, from: start, to: nil, in: order, limit: 1)
        guard let row = try connection.first(StoreReader.first(in: order), rest) else { return }
        let head = MessageCursor(timestamp: row.timestamp(0), id: try row.name(1))
        sources.insert(Source(conversation: conversation, start: start, head: head))
    }
}

extension MessageOrder {
    /// True if a message at `left` comes before a message at `right`.
    fileprivate func isAhead(_ left: MessageCursor, _ right: MessageCursor) -> Bool {
        self == .newestFirst ? left > right : left < right
    }
}

/// The conversations with messages, by the times of their newest messages, latest first.
struct ActiveConversations: ~Copyable {
    struct Candidate {
        let number: Int64
        /// The timestamp that no message of the conversation exceeds.
        let newest: Timestamp
    }

    private let rows: Rows
    private(set) var next: Candidate?

    /// - Parameter earliest: Leaves out conversations whose messages are all older.
    init(since earliest: Timestamp, _ connection: Connection) throws(StoreError) {
        let rows = try connection.rows(Self.byActivity, earliest)
        let next = try Self.candidate(rows)
        self.rows = rows
        self.next = next
    }

    mutating func advance() throws(StoreError) {
        next = try Self.candidate(rows)
    }

    private static func candidate(_ rows: borrowing Rows) throws(StoreError) -> Candidate? {
        try rows.next() ? Candidate(number: rows.integer(0), newest: rows.timestamp(1)) : nil
    }

    static let byActivity = StatementText(
        """
        SELECT number, last_activity_at FROM conversations WHERE is_pinned = 0 AND last_activity_at >= ?1
            AND last_message_at IS NOT NULL
        UNION ALL SELECT number, last_activity_at FROM conversations WHERE is_pinned = 1 AND last_activity_at >= ?1
            AND last_message_at IS NOT NULL
        ORDER BY last_activity_at DESC
        """)
}
