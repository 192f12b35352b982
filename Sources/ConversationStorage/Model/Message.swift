public import StoreClient

/// A message as an application shows it.
public struct Message: Identifiable, Hashable, Sendable {
    public enum Status: Hashable, Sendable, CaseIterable {
        /// On its way; kept as pending.
        case sending
        case sent
        case delivered
        case failed
    }

    public struct Attachment: Hashable, Sendable {
        /// At most 4,096 bytes.
        public var url: String
        /// At most 256 bytes, such as "image/png".
        public var type: String?

        public init(url: String, type: String? = nil) {
            self.url = url
            self.type = type
        }
    }

    public var id: String
    public var text: String
    public var isOutgoing: Bool
    public var status: Status
    public var timestamp: Timestamp
    public var isRead: Bool
    public var attachment: Attachment?
    public var replyToMessageID: String?
    /// When its text was last replaced by `editMessage`; not written by saving.
    public var editedAt: Timestamp?
    /// Filled in when the message was read from the store; not written by saving.
    public var conversationID: String?
    public var senderSessionID: String?
    public var recipientSessionID: String?

    /// - Parameter id: a fresh UUIDv7 by default; saving the same id again updates.
    public init(
        id: String = UUIDv7().description, text: String, isOutgoing: Bool, status: Status = .sending,
        timestamp: Timestamp = .now, isRead: Bool = false, attachment: Attachment? = nil,
        replyToMessageID: String? = nil
    ) {
        self.id = id
        self.text = text
        self.isOutgoing = isOutgoing
        self.status = status
        self.timestamp = timestamp
        self.isRead = isRead
        self.attachment = attachment
        self.replyToMessageID = replyToMessageID
    }
}

extension Message {
    init(_ stored: StoredMessage) {
        self.init(
            id: stored.id, text: stored.text, isOutgoing: stored.isOutgoing, status: Status(stored.status),
            timestamp: stored.timestamp, isRead: stored.isRead,
            attachment: stored.attachmentURL.map { Attachment(url: $0, type: stored.attachmentType) },
            replyToMessageID: stored.replyToMessageID)
        editedAt = stored.editedAt
        conversationID = stored.conversationID
        senderSessionID = stored.senderSessionID
        recipientSessionID = stored.recipientSessionID
    }

    func newMessage(
        in conversation: ConversationReference, senderSessionID: String, recipientSessionID: String
    ) -> NewMessage {
        NewMessage(
            id: id, conversation: conversation, text: text, senderSessionID: senderSessionID,
            recipientSessionID: recipientSessionID, timestamp: timestamp, status: MessageStatus(status),
            isOutgoing: isOutgoing, isRead: isRead, attachmentURL: attachment?.url,
            attachmentType: attachment?.type, replyToMessageID: replyToMessageID)
    }
}

extension Message.Status {
    init(_ stored: MessageStatus) {
        switch stored {
        case .pending: self = .sending
        case .sent: self = .sent
        case .delivered: self = .delivered
        case .failed: self = .failed
        }
    }
}

extension MessageStatus {
    init(_ status: Message.Status) {
        switch status {
        case .sending: self = .pending
        case .sent: self = .sent
        case .delivered: self = .delivered
        case .failed: self = .failed
        }
    }
}
