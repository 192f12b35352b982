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

    /// Reads a page of the messages of a conversation, or of all conversations, one by one, in SQLite's memory. A page
    /// ends before `EngineLimits.pageBytesMax` and, if it skips rows, after `EngineLimits.scanMilliseconds`. So further
    /// pages may follow a short one: `hasMore` is false only for the last page.
    ///
    /// - Returns: `nil` if the visitor stopped.
    /// - Throws: `.conversationNotFound`, `.invalidArgument` for a limit out of range.
    package func messages(
        _ query: MessageQuery, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        try PageLimit.check(query.limit)
        guard let reference = query.conversation else { return try messagesOfAll(query, visit) }
        return try read { connection throws(StoreError) in
            let conversation = try ConversationLookup.row(reference, in: connection)
            var page = MessagePage(query, clock)
            let condition = MessageCondition(query, conversation: conversation.integer(0), limit: page.rowsLeft)
            let rows = try connection.rows(Self.page(of: condition, in: query.order), condition)
            let visited = try page.fill(rows, of: conversation.borrowedText(1), connection, visit)
            withExtendedLifetime(conversation) {}
            return visited == .goOn ? page.end : nil
        }
    }

    private func messagesOfAll(
        _ query: MessageQuery, _ visit: (BorrowedMessage) -> PageVisit
    ) throws(StoreError) -> MessagePageEnd? {
        try readSnapshot { connection throws(StoreError) in
            var merge = try MessageMerge(query, connection)
            try merge.open()
            // The next page would have to open the same conversations again, so the time of a page starts afterwards.
            var page = MessagePage(query, clock)
            while !page.isOver, let run = try merge.next(atMost: page.rowsLeft) {
                let conversation = try ConversationLookup.row(number: run.conversation, in: connection)
                let rows = try connection.rows(Self.page(of: run, in: query.order), run)
                let visited = try page.fill(rows, of: conversation.borrowedText(1), connection, visit)
                withExtendedLifetime(conversation) {}
                guard visited == .goOn else { return nil }
            }
            return page.end
        }
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

    /// Returns the statement that reads the timestamp and the id of the first message of a condition.
    static func first(in order: MessageOrder) -> StatementText {
        order == .newestFirst ? newest : oldest
    }

    private static let messageByID = StatementText(MessageRow.selectByID(MessageRow.columns))
    private static let newestFirst = StatementText(pageSQL(MessageCondition.conversationSQL, "DESC"))
    private static let newestFirstBetween = StatementText(pageSQL(MessageCondition.intervalSQL, "DESC"))
    private static let oldestFirst = StatementText(pageSQL(MessageCondition.conversationSQL, "ASC"))
    private static let oldestFirstBetween = StatementText(pageSQL(MessageCondition.intervalSQL, "ASC"))
    private static let newest = StatementText(pageSQL(MessageCondition.intervalSQL, "DESC", columns: place))
    private static let oldest = StatementText(pageSQL(MessageCondition.intervalSQL, "ASC", columns: place))
    private static let place = "m.timestamp, m.id"

    /// Returns the SQL of a page. The conversation's number and id are not read from each row, because all rows have
    /// the same.
    private static func pageSQL(
        _ condition: String, _ direction: String, columns: String = "?1, \(MessageRow.columnsInConversation)"
    ) -> String {
        """
        SELECT \(columns) FROM messages AS m WHERE \(condition)
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
