import StoreBasics
import TestBasics

@testable import StoreEngine

/// The fields of a message as the store has them.
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
    var kind: String
    var senderName: String
    var metadata: Metadata?

    /// Passes the message to `body` in the form of a row from SQLite.
    func withBorrowed(_ body: (BorrowedMessage) -> Void) {
        let texts: [String?] = [
            id.text, conversationID.text, text, senderSessionID,
            recipientSessionID, attachmentURL, attachmentType, replyToMessageID?.text, kind, senderName,
        ]
        let buffers = texts.map { text in
            text.map { text in
                let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
                copy.copyBytes(from: text.utf8)
                return UnsafeRawBufferPointer(copy)
            }
        }
        defer { buffers.forEach { $0?.deallocate() } }
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        let reactions = reactions.bytes.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            return UnsafeRawBufferPointer(copy)
        }
        defer { reactions?.deallocate() }
        let metadata = metadata.map { metadata in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: metadata.bytes.count, alignment: 1)
            copy.copyBytes(from: metadata.bytes)
            return UnsafeRawBufferPointer(copy)
        }
        defer { metadata?.deallocate() }
        attachments.withUnsafeBufferPointer { attachments in
            body(
                BorrowedMessage(
                    id: buffers[0] ?? empty, conversationID: buffers[1] ?? empty, text: buffers[2] ?? empty,
                    senderSessionID: buffers[3] ?? empty, recipientSessionID: buffers[4] ?? empty,
                    timestampMicroseconds: timestamp.microseconds, status: Int64(status.rawValue),
                    isOutgoing: isOutgoing, isRead: isRead, attachmentURL: buffers[5],
                    attachmentType: buffers[6], replyToMessageID: buffers[7],
                    createdAtMicroseconds: createdAt.microseconds,
                    editedAtMicroseconds: editedAt?.microseconds,
                    reactions: reactions.flatMap { try? BorrowedReactions($0) }, timer: timer,
                    expiresAtMicroseconds: expiresAt?.microseconds, attachments: attachments, kind: buffers[8],
                    senderName: buffers[9], metadata: metadata))
        }
    }
}

// The extension is in this file because Swift Testing's type of the same name is not visible here.
extension Attachment {
    static func random(
        _ name: String, _ source: String, byteCount: Int64, _ generator: inout SplitMix
    ) -> Attachment {
        Attachment(
            name: name, mimeType: MIMEType(trusted: "image/png"), byteCount: UInt64(bitPattern: byteCount),
            digest: AttachmentDigest(trusted: [UInt8](repeating: 7, count: AttachmentDigest.byteCount)),
            source: source.isEmpty ? nil : source, hasThumbnail: .random(using: &generator),
            isStored: .random(using: &generator),
            metadata: .random(using: &generator) ? try? Metadata(data: Array(name.utf8) + [0], type: source) : nil)
    }
}
