import SQLCipher

/// One message where SQLite holds it: nothing is copied, and nothing may be kept after the call that hands it out.
///
/// The integers are as they are at rest; texts are UTF-8.
public struct BorrowedMessage {
    public var id: UnsafeRawBufferPointer
    public var conversationID: UnsafeRawBufferPointer
    public var text: UnsafeRawBufferPointer
    public var senderSessionID: UnsafeRawBufferPointer
    public var recipientSessionID: UnsafeRawBufferPointer
    public var timestampMicroseconds: Int64
    /// The raw value of a `MessageStatus`.
    public var status: Int64
    public var isOutgoing: Bool
    public var isRead: Bool
    public var attachmentURL: UnsafeRawBufferPointer?
    public var attachmentType: UnsafeRawBufferPointer?
    public var replyToMessageID: UnsafeRawBufferPointer?
    public var createdAtMicroseconds: Int64
    public var editedAtMicroseconds: Int64?
}

extension BorrowedMessage {
    /// - Parameter row: a row of `MessageRow.columns` followed by the conversation's id.
    init(_ row: Statement) throws(SQLCipherError) {
        id = try row.borrowedText(3)
        conversationID = try row.borrowedText(15)
        text = try row.borrowedText(4)
        senderSessionID = try row.borrowedText(5)
        recipientSessionID = try row.borrowedText(6)
        timestampMicroseconds = row.integer(1)
        status = row.integer(7)
        isOutgoing = row.bool(8)
        isRead = row.bool(9)
        attachmentURL = try row.optionalBorrowedText(10)
        attachmentType = try row.optionalBorrowedText(11)
        replyToMessageID = try row.optionalBorrowedText(12)
        createdAtMicroseconds = row.integer(13)
        editedAtMicroseconds = row.optionalInteger(14)
    }
}

/// What a visitor of a page's messages wants next.
public enum PageVisit: Hashable, Sendable {
    case goOn
    /// Read no further: the page is not wanted any more.
    case stop
}

/// Where a page ended.
public struct MessagePageEnd: Hashable, Sendable {
    public var first: MessageCursor?
    public var last: MessageCursor?
    /// Further messages lie beyond this page in the asked order.
    public var hasMore: Bool
}
