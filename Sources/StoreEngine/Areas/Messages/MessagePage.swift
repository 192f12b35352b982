import SQLCipher
import StoreBasics

/// A page of messages that is being filled.
struct MessagePage: ~Copyable {
    private let query: MessageQuery
    private let clock: StoreClock
    private let isFiltered: Bool
    private var ends = PageEnds()
    private var hasMore = false
    private var count = 0
    /// The number of rows of messages that have expired.
    private var overCount = 0
    private var bytes = PageBytes()
    private var scan = PageScan()

    init(_ query: MessageQuery, _ clock: StoreClock) {
        self.query = query
        self.clock = clock
        isFiltered = query.filter.isFiltered
    }

    /// The most rows to read: one row more than the page takes, to find out whether there are further messages.
    var rowsLeft: Int { isFiltered ? MessageCondition.unlimited : query.limit + 1 - count - overCount }

    /// True if the page takes no more rows.
    var isOver: Bool {
        // Without rows left, a statement may have ended at its limit, and not at the end of the conversation.
        hasMore || rowsLeft == 0
    }

    /// The end of the page, after all its rows were read.
    var end: MessagePageEnd { MessagePageEnd(first: ends.first, last: ends.last, hasMore: isOver) }

    /// Visits the next messages of the page.
    ///
    /// - Parameters:
    ///   - rows: At most `rowsLeft` rows of `MessageRow.columns`, in the order of the query.
    ///   - conversationID: The id of the rows' conversation, valid during the call.
    mutating func fill(
        _ rows: borrowing Rows, of conversationID: UnsafeRawBufferPointer, _ connection: Connection,
        _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> PageVisit {
        while try rows.next() {
            if clock.isOver(rows) {
                overCount += 1
                try ends.pass(rows)
                guard !isFiltered || scan.mayPassRow() else {
                    hasMore = true
                    break
                }
                continue
            }
            if isFiltered, try !query.filter.admits(rows) {
                guard scan.mayPassRow() else {
                    try ends.pass(rows)
                    hasMore = true
                    break
                }
                continue
            }
            guard count < query.limit else {
                hasMore = true
                break
            }
            let visited = try BorrowedMessage.read(rows, of: conversationID, clock, connection) {
                (message) -> PageVisit? in
                guard bytes.admit(message.byteCount) else { return nil }
                ends.show(message)
                return visit(message)
            }
            guard let visited else {
                hasMore = true
                break
            }
            guard visited == .goOn else { return .stop }
            count += 1
        }
        return .goOn
    }
}

/// The first and the last message of a page that is being read. Every row may turn out to be the last one. Therefore
/// only the bytes of the id are copied for each row, and the last id is converted to a text at the end of the page.
private struct PageEnds: ~Copyable {
    private(set) var first: MessageCursor?
    private var lastMicroseconds: Int64?
    private let lastID = UnsafeMutableRawBufferPointer.allocate(byteCount: EntityID.bytesMax, alignment: 1)
    private var lastIDByteCount = 0

    deinit {
        lastID.deallocate()
    }

    var last: MessageCursor? {
        lastMicroseconds.map { cursor($0, UnsafeRawBufferPointer(rebasing: lastID[..<lastIDByteCount])) }
    }

    /// Records a message that is part of the page.
    mutating func show(_ message: BorrowedMessage) {
        if first == nil {
            first = cursor(message.timestampMicroseconds, message.id)
        }
        recordLast(message.timestampMicroseconds, message.id)
    }

    /// Records a message that the page skips, in a row of `MessageRow.columns`.
    mutating func pass(_ row: borrowing Rows) throws(StoreError) {
        recordLast(row.integer(1), try row.borrowedText(3))
    }

    @inline(__always)
    private mutating func recordLast(_ microseconds: Int64, _ id: UnsafeRawBufferPointer) {
        lastMicroseconds = microseconds
        // Only a damaged database contains a longer id.
        lastIDByteCount = min(id.count, lastID.count)
        lastID.copyMemory(from: UnsafeRawBufferPointer(rebasing: id[..<lastIDByteCount]))
    }

    private func cursor(_ microseconds: Int64, _ id: UnsafeRawBufferPointer) -> MessageCursor {
        MessageCursor(
            timestamp: Timestamp(microseconds: microseconds),
            id: EntityID(trusted: String(decoding: id, as: UTF8.self)))
    }
}

/// The decision of a visitor after each message.
package enum PageVisit: Hashable, Sendable {
    case goOn
    /// Give up the page: the read returns `nil`, without cursors.
    case stop
}

/// The cursors of the first and the last message of a page.
package struct MessagePageEnd: Hashable, Sendable {
    /// The cursor of the page's first message.
    package var first: MessageCursor?
    /// The cursor of the page's last message, or of the last skipped row after this message.
    package var last: MessageCursor?
    /// True if more messages follow in the requested order.
    package var hasMore: Bool
}
