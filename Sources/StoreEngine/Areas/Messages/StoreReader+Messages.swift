import SQLCipher
import StoreBasics

extension StoreReader {
    /// - Parameter visit: called at most once, with the message where SQLite holds it.
    /// - Returns: false when there is no such message.
    package func message(_ id: EntityID, _ visit: (BorrowedMessage) -> Void) throws(StoreError) -> Bool {
        try read { connection throws(StoreError) in
            guard let row = try connection.first(Self.messageByID, id), !clock.isOver(row) else { return false }
            let conversationID = try row.borrowedText(MessageRow.conversationIDColumn)
            try BorrowedMessage.read(row, of: conversationID, clock, connection, visit)
            return true
        }
    }

    /// A page of one conversation's messages, message by message, where SQLite holds them. It ends before
    /// `EngineLimits.pageBytesMax` and, where it passes rows over, after `EngineLimits.scanMilliseconds`: it is the
    /// last one only when `hasMore` is false.
    ///
    /// - Returns: `nil` when the visitor stopped.
    /// - Throws: `.conversationNotFound`, `.invalidArgument` for a limit out of range.
    package func messages(
        _ query: MessageQuery, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        try PageLimit.check(query.limit)
        return try read { connection throws(StoreError) in
            let conversation = try ConversationLookup.row(query.conversation, in: connection)
            let rowsMax = query.filter.isFiltered ? MessageCondition.unlimited : query.limit + 1
            let condition = MessageCondition(query, conversation: conversation.integer(0), limit: rowsMax)
            let rows = try connection.rows(Self.page(of: condition, in: query.order), condition)
            let end = try visitPage(
                rows, of: conversation.borrowedText(1), query, rowsMax: rowsMax, connection, visit)
            withExtendedLifetime(conversation) {}
            return end
        }
    }

    private func visitPage(
        _ rows: borrowing Rows, of conversationID: UnsafeRawBufferPointer, _ query: MessageQuery, rowsMax: Int,
        _ connection: Connection, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        var ends = PageEnds()
        var hasMore = false
        var count = 0
        var bytes = PageBytes()
        let isFiltered = query.filter.isFiltered
        var scan = PageScan()
        var overCount = 0
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
            guard visited == .goOn else { return nil }
            count += 1
        }
        // The statement may have ended with its limit and not with the conversation.
        hasMore = hasMore || overCount > 0 && count + overCount == rowsMax
        return MessagePageEnd(first: ends.first, last: ends.last, hasMore: hasMore)
    }

    /// The statement that reads the messages of a condition, in rows of `MessageRow.columns`.
    static func page(of condition: MessageCondition, in order: MessageOrder) -> StatementText {
        switch (order, condition.isBounded) {
        case (.newestFirst, false): newestFirst
        case (.newestFirst, true): newestFirstBetween
        case (.oldestFirst, false): oldestFirst
        case (.oldestFirst, true): oldestFirstBetween
        }
    }

    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
    private static let newestFirst = StatementText(pageSQL(MessageCondition.conversationSQL, "DESC"))
    private static let newestFirstBetween = StatementText(pageSQL(MessageCondition.intervalSQL, "DESC"))
    private static let oldestFirst = StatementText(pageSQL(MessageCondition.conversationSQL, "ASC"))
    private static let oldestFirstBetween = StatementText(pageSQL(MessageCondition.intervalSQL, "ASC"))

    /// What all rows have in common is not read from each of them.
    private static func pageSQL(_ condition: String, _ direction: String) -> String {
        """
        SELECT ?1, \(MessageRow.columnsInConversation) FROM messages AS m WHERE \(condition)
        ORDER BY m.timestamp \(direction), m.id \(direction) LIMIT \(MessageCondition.limitSQL)
        """
    }
}

/// One message where SQLite and its reader hold it: nothing is copied, and nothing may be kept after the call that
/// hands it out. It owns nothing either: a page makes copies of it, in which no references are counted.
///
/// The integers are as they are at rest; texts are UTF-8.
package struct BorrowedMessage: BitwiseCopyable {
    package var id: UnsafeRawBufferPointer
    package var conversationID: UnsafeRawBufferPointer
    package var text: UnsafeRawBufferPointer
    package var senderSessionID: UnsafeRawBufferPointer
    package var recipientSessionID: UnsafeRawBufferPointer
    package var timestampMicroseconds: Int64
    /// The raw value of a `MessageStatus`.
    package var status: Int64
    package var isOutgoing: Bool
    package var isRead: Bool
    package var attachmentURL: UnsafeRawBufferPointer?
    package var attachmentType: UnsafeRawBufferPointer?
    package var replyToMessageID: UnsafeRawBufferPointer?
    package var createdAtMicroseconds: Int64
    package var editedAtMicroseconds: Int64?
    package var reactions: BorrowedReactions?
    package var timer: MessageTimer?
    /// When it goes; `nil` while its timer does not run.
    package var expiresAtMicroseconds: Int64?
    package var attachments = UnsafeBufferPointer<Attachment>(start: nil, count: 0)
}

extension BorrowedMessage {
    /// Hands out the message of a row.
    ///
    /// - Parameters:
    ///   - row: a row of `MessageRow.columns`.
    ///   - conversationID: valid as long as the row.
    ///   - clock: of the store.
    ///   - connection: that of the row, for what the message has beside it.
    @inline(__always)
    static func read<Result>(
        _ row: borrowing Rows, of conversationID: UnsafeRawBufferPointer, _ clock: StoreClock,
        _ connection: Connection, _ body: (BorrowedMessage) -> Result
    ) throws(StoreError) -> Result {
        let message = try BorrowedMessage(row, of: conversationID, clock)
        guard let list = row.optionalInteger(MessageRow.attachmentsColumn) else { return body(message) }
        return try AttachmentRows.read(list, connection).withUnsafeBufferPointer { attachments in
            var message = message
            message.attachments = attachments
            return body(message)
        }
    }

    /// All of it but attachments.
    @inline(__always)
    private init(
        _ row: borrowing Rows, of conversationID: UnsafeRawBufferPointer, _ clock: StoreClock
    ) throws(StoreError) {
        id = try row.borrowedText(3)
        self.conversationID = conversationID
        text = try row.borrowedText(4)
        senderSessionID = try row.borrowedText(5)
        recipientSessionID = try row.borrowedText(6)
        timestampMicroseconds = row.integer(1)
        status = Int64(try row.status(7).rawValue)
        isOutgoing = row.bool(8)
        isRead = row.bool(9)
        attachmentURL = try row.optionalBorrowedText(10)
        attachmentType = try row.optionalBorrowedText(11)
        replyToMessageID = try row.optionalBorrowedText(12)
        createdAtMicroseconds = row.integer(13)
        editedAtMicroseconds = row.optionalInteger(14)
        reactions = row.isNull(15) ? nil : try BorrowedReactions(row.borrowedBytes(15))
        // Most have none: one look tells.
        if let timer = try row.messageTimer(16) {
            self.timer = timer
            expiresAtMicroseconds = row.optionalInteger(MessageRow.expiryColumn).map {
                clock.time(ofAge: $0).microseconds
            }
        }
    }

    /// Of its texts, reactions and attachments.
    var byteCount: Int {
        var count = id.count + conversationID.count + text.count + senderSessionID.count + recipientSessionID.count
        count += (attachmentURL?.count ?? 0) + (attachmentType?.count ?? 0) + (replyToMessageID?.count ?? 0)
        count += reactions?.byteCount ?? 0
        for attachment in attachments {
            count += attachment.textBytes
        }
        return count
    }
}

/// The first and the last message of a page that is being read. Every row may be the last one, so its id becomes a
/// text only when the page is over.
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

    /// Notes a message that the page shows.
    mutating func show(_ message: BorrowedMessage) {
        if first == nil {
            first = cursor(message.timestampMicroseconds, message.id)
        }
        note(message.timestampMicroseconds, message.id)
    }

    /// Notes a message that the page passes over, in a row of `MessageRow.columns`.
    mutating func pass(_ row: borrowing Rows) throws(StoreError) {
        note(row.integer(1), try row.borrowedText(3))
    }

    @inline(__always)
    private mutating func note(_ microseconds: Int64, _ id: UnsafeRawBufferPointer) {
        lastMicroseconds = microseconds
        // Only a damaged database holds a longer id.
        lastIDByteCount = min(id.count, lastID.count)
        lastID.copyMemory(from: UnsafeRawBufferPointer(rebasing: id[..<lastIDByteCount]))
    }

    private func cursor(_ microseconds: Int64, _ id: UnsafeRawBufferPointer) -> MessageCursor {
        MessageCursor(
            timestamp: Timestamp(microseconds: microseconds),
            id: EntityID(trusted: String(decoding: id, as: UTF8.self)))
    }
}

/// What a visitor of a page's messages wants next.
package enum PageVisit: Hashable, Sendable {
    case goOn
    /// Read no further: the page is not wanted any more.
    case stop
}

/// Where a page ended.
package struct MessagePageEnd: Hashable, Sendable {
    /// Of its first message.
    package var first: MessageCursor?
    /// Of its last message, or of the last row that was passed over behind it.
    package var last: MessageCursor?
    /// Further messages lie beyond this page in the asked order.
    package var hasMore: Bool
}
