import SQLCipher
import StoreBasics

extension StoreReader {
    /// Reads one message.
    ///
    /// - Parameter visit: Called at most once, with the message in SQLite's memory.
    /// - Returns: False if the message does not exist.
    package func message(_ id: EntityID, _ visit: (BorrowedMessage) -> Void) throws(StoreError) -> Bool {
        try read { connection throws(StoreError) in
            guard let row = try connection.first(Self.messageByID, id), !clock.isOver(row) else { return false }
            let conversationID = try row.borrowedText(MessageRow.conversationIDColumn)
            try BorrowedMessage.read(row, of: conversationID, clock, connection, visit)
            return true
        }
    }

    /// Reads a page of a conversation's messages, one by one, in SQLite's memory. A page ends before
    /// `EngineLimits.pageBytesMax` and, if it skips rows, after `EngineLimits.scanMilliseconds`. A short page may
    /// therefore be followed by others: `hasMore` is false only for the last page.
    ///
    /// - Returns: `nil` if the visitor stopped.
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
        // The statement may have ended at its limit, and not at the end of the conversation.
        hasMore = hasMore || overCount > 0 && count + overCount == rowsMax
        return MessagePageEnd(first: ends.first, last: ends.last, hasMore: hasMore)
    }

    /// Returns the statement that reads the messages of a condition, in rows of `MessageRow.columns`.
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

    /// Returns the SQL of a page. The conversation's number and id are not read from each row, because all rows have
    /// the same.
    private static func pageSQL(_ condition: String, _ direction: String) -> String {
        """
        SELECT ?1, \(MessageRow.columnsInConversation) FROM messages AS m WHERE \(condition)
        ORDER BY m.timestamp \(direction), m.id \(direction) LIMIT \(MessageCondition.limitSQL)
        """
    }
}

/// One message in the memory of SQLite and of its reader. The value must not be used after the call that passes it,
/// because the message's bytes are not copied. Copying the value itself is cheap, because it owns no memory.
///
/// Integers are as stored; texts are UTF-8.
package struct BorrowedMessage: BitwiseCopyable {
    package var id: UnsafeRawBufferPointer
    package var conversationID: UnsafeRawBufferPointer
    package var text: UnsafeRawBufferPointer
    package var senderSessionID: UnsafeRawBufferPointer
    package var recipientSessionID: UnsafeRawBufferPointer
    package var timestampMicroseconds: Int64
    /// The status, as the raw value of a `MessageStatus`.
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
    /// The time at which the message expires; `nil` while its timer does not run.
    package var expiresAtMicroseconds: Int64?
    package var attachments = UnsafeBufferPointer<Attachment>(start: nil, count: 0)
    package var kind: UnsafeRawBufferPointer?
    package var senderName: UnsafeRawBufferPointer?
    /// The encoded metadata.
    package var metadata: UnsafeRawBufferPointer?
}

extension BorrowedMessage {
    /// Passes the message of a row to `body`.
    ///
    /// - Parameters:
    ///   - row: A row of `MessageRow.columns`.
    ///   - conversationID: Valid as long as the row.
    ///   - clock: The clock of the store.
    ///   - connection: The connection of the row, to read the attachments.
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

    /// Reads everything except attachments.
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
        // Most messages have no timer, so `expires_at` is read only if there is a timer.
        if let timer = try row.messageTimer(16) {
            self.timer = timer
            expiresAtMicroseconds = row.optionalInteger(MessageRow.expiryColumn).map {
                clock.time(ofAge: $0).microseconds
            }
        }
        kind = try row.optionalBorrowedText(MessageRow.kindColumn)
        senderName = try row.optionalBorrowedText(MessageRow.kindColumn + 1)
        let metadataColumn = MessageRow.kindColumn + 2
        metadata = row.isNull(metadataColumn) ? nil : row.borrowedBytes(metadataColumn)
    }

    /// The number of bytes of the message's texts, reactions, attachments and metadata.
    var byteCount: Int {
        var count = id.count + conversationID.count + text.count + senderSessionID.count + recipientSessionID.count
        count += (attachmentURL?.count ?? 0) + (attachmentType?.count ?? 0) + (replyToMessageID?.count ?? 0)
        count += (kind?.count ?? 0) + (senderName?.count ?? 0) + (metadata?.count ?? 0)
        count += reactions?.byteCount ?? 0
        for attachment in attachments {
            count += attachment.byteCountInList
        }
        return count
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
