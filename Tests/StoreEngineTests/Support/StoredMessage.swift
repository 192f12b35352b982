import StoreBasics

@testable import StoreEngine

/// A message copied from the memory of a reader.
struct StoredMessage: Hashable {
    var id: EntityID
    var conversationID: EntityID
    var text: String
    var senderSessionID: String
    var recipientSessionID: String
    var timestamp: Timestamp
    var status: MessageStatus?
    var isOutgoing: Bool
    var isRead: Bool
    var attachmentURL: String?
    var attachmentType: String?
    var replyToMessageID: EntityID?
    var createdAt: Timestamp
    var editedAt: Timestamp?
    var reactions: [ReactionSum]
    var attachments: [Attachment]
    var kind: String?
    var senderName: String?
    var metadata: Metadata?

    init(_ borrowed: BorrowedMessage) {
        func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
        id = EntityID(trusted: text(borrowed.id))
        conversationID = EntityID(trusted: text(borrowed.conversationID))
        self.text = text(borrowed.text)
        senderSessionID = text(borrowed.senderSessionID)
        recipientSessionID = text(borrowed.recipientSessionID)
        timestamp = Timestamp(microseconds: borrowed.timestampMicroseconds)
        status = MessageStatus(rawValue: Int(borrowed.status))
        isOutgoing = borrowed.isOutgoing
        isRead = borrowed.isRead
        attachmentURL = borrowed.attachmentURL.map(text)
        attachmentType = borrowed.attachmentType.map(text)
        replyToMessageID = borrowed.replyToMessageID.map { EntityID(trusted: text($0)) }
        createdAt = Timestamp(microseconds: borrowed.createdAtMicroseconds)
        editedAt = borrowed.editedAtMicroseconds.map { Timestamp(microseconds: $0) }
        reactions = borrowed.reactions.map { $0.map { ReactionSum(emoji: text($0.emoji), count: $0.count) } } ?? []
        attachments = Array(borrowed.attachments)
        kind = borrowed.kind.map(text)
        senderName = borrowed.senderName.map(text)
        metadata = borrowed.metadata.map { Metadata(stored: [UInt8]($0)) }
    }
}

struct ReactionSum: Hashable {
    var emoji: String
    var count: Int
}

struct StoredMessagePage {
    var messages: [StoredMessage] = []
    var first: MessageCursor?
    var last: MessageCursor?
    var hasMore = false
}

extension StoreReader {
    func message(_ id: EntityID) throws(StoreError) -> StoredMessage? {
        var found: StoredMessage?
        _ = try message(id) { found = StoredMessage($0) }
        return found
    }

    func messages(_ query: MessageQuery) throws(StoreError) -> StoredMessagePage {
        var page = StoredMessagePage()
        let end = try messages(query) { message in
            page.messages.append(StoredMessage(message))
            return .goOn
        }
        page.first = end?.first
        page.last = end?.last
        page.hasMore = end?.hasMore ?? false
        return page
    }
}
