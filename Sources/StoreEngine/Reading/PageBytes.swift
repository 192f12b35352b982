/// Bounds the bytes of a page of entities: it ends before the entity that would take it past
/// `EngineLimits.pageBytesMax`, and holds at least one, so that who asks page by page always gets on.
struct PageBytes {
    /// More than the numbers, tags and lengths of one entity take on the wire.
    private static let entityOverheadBytes = 256

    private var count = 0

    /// - Parameter bytes: of the entity's texts and avatar.
    /// - Returns: false when the page ends before this entity.
    mutating func admit(_ bytes: Int) -> Bool {
        let sum = count + bytes + Self.entityOverheadBytes
        guard count == 0 || sum <= EngineLimits.pageBytesMax else { return false }
        count = sum
        return true
    }
}

extension BorrowedMessage {
    var byteCount: Int {
        var count = id.count + conversationID.count + text.count + senderSessionID.count + recipientSessionID.count
        count += (attachmentURL?.count ?? 0) + (attachmentType?.count ?? 0) + (replyToMessageID?.count ?? 0)
        return count
    }
}

extension Conversation {
    var byteCount: Int {
        var count = id.text.utf8.count + sessionID.text.utf8.count + (displayName?.utf8.count ?? 0)
        count += avatar?.count ?? 0
        count += lastMessage.map { $0.id.text.utf8.count + $0.text.utf8.count } ?? 0
        return count
    }
}

extension Contact {
    var byteCount: Int {
        let names = id.text.utf8.count + sessionID.text.utf8.count + (displayName?.utf8.count ?? 0)
        return names + (notes?.utf8.count ?? 0) + (avatar?.count ?? 0)
    }
}
