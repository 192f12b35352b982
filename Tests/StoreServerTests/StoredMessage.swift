import StoreBasics

@testable import StoreEngine

/// What a message of the store says, of which a test makes a `BorrowedMessage`.
struct StoredMessage {
    var id: EntityID
    var conversationID: EntityID
    var text: String
    var senderSessionID: String
    var recipientSessionID: String
    var timestamp: Timestamp
    var status: MessageStatus
    var isOutgoing: Bool
    var isRead: Bool
    var attachmentURL: String?
    var attachmentType: String?
    var replyToMessageID: EntityID?
    var createdAt: Timestamp
    var editedAt: Timestamp?
    var reactions: ReactionCounts
    var timer: MessageTimer?
    var expiresAt: Timestamp?
}
