import StoreBasics
import TestBasics

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
    var attachments: [Attachment]
}

// Here, where Swift Testing's type of the same name is not seen.
extension Attachment {
    static func random(
        _ name: String, _ source: String, byteCount: Int64, _ generator: inout SplitMix
    ) -> Attachment {
        Attachment(
            name: name, mimeType: MIMEType(trusted: "image/png"), byteCount: UInt64(bitPattern: byteCount),
            digest: AttachmentDigest(trusted: [UInt8](repeating: 7, count: AttachmentDigest.byteCount)),
            source: source.isEmpty ? nil : source, hasThumbnail: .random(using: &generator),
            isStored: .random(using: &generator))
    }
}
