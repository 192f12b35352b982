import SQLCipher

/// One message where SQLite holds it: nothing is copied, and nothing may be kept after the call that hands it out.
///
/// The integers are as they are at rest; texts are UTF-8.
package struct BorrowedMessage {
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
}

extension BorrowedMessage {
    /// - Parameter row: a row of `MessageRow.columns` followed by the conversation's id.
    init(_ row: borrowing Rows) throws(StoreError) {
        id = try row.borrowedText(3)
        conversationID = try row.borrowedText(15)
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
    }

    /// Of its texts.
    var byteCount: Int {
        var count = id.count + conversationID.count + text.count + senderSessionID.count + recipientSessionID.count
        count += (attachmentURL?.count ?? 0) + (attachmentType?.count ?? 0) + (replyToMessageID?.count ?? 0)
        return count
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
    package var first: MessageCursor?
    package var last: MessageCursor?
    /// Further messages lie beyond this page in the asked order.
    package var hasMore: Bool
}
