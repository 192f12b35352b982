package import StoreBasics

/// A message with all that the store holds of it but its conversation and its reactions, as archives and replication
/// have it.
package struct WholeMessage: Hashable, Sendable {
    package var id: EntityID
    package var text: String
    package var senderSessionID: String
    package var recipientSessionID: String
    package var timestamp: Timestamp
    package var status: MessageStatus
    package var isOutgoing: Bool
    package var isRead: Bool
    package var attachmentURL: String?
    package var attachmentType: String?
    package var replyToMessageID: EntityID?
    package var createdAt: Timestamp
    package var editedAt: Timestamp?
    package var timer: MessageTimer?
    /// When it goes, by the wall clock; `nil` while its timer does not run.
    package var expiresAt: Timestamp?
    package var attachments: [NewAttachment]
    /// Fields of a later version, in the form of `TaggedFields.unknown`.
    package var unknownFields: [UInt8]

    package init(
        id: EntityID, text: String, senderSessionID: String, recipientSessionID: String, timestamp: Timestamp,
        status: MessageStatus, isOutgoing: Bool, isRead: Bool, attachmentURL: String?, attachmentType: String?,
        replyToMessageID: EntityID?, createdAt: Timestamp, editedAt: Timestamp?, timer: MessageTimer?,
        expiresAt: Timestamp?, attachments: [NewAttachment] = [], unknownFields: [UInt8] = []
    ) {
        self.id = id
        self.text = text
        self.senderSessionID = senderSessionID
        self.recipientSessionID = recipientSessionID
        self.timestamp = timestamp
        self.status = status
        self.isOutgoing = isOutgoing
        self.isRead = isRead
        self.attachmentURL = attachmentURL
        self.attachmentType = attachmentType
        self.replyToMessageID = replyToMessageID
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.timer = timer
        self.expiresAt = expiresAt
        self.attachments = attachments
        self.unknownFields = unknownFields
    }
}

extension WholeMessage {
    func newMessage(in conversation: ConversationReference) -> NewMessage {
        NewMessage(
            id: id, conversation: conversation, text: text, senderSessionID: senderSessionID,
            recipientSessionID: recipientSessionID, timestamp: timestamp, status: status, isOutgoing: isOutgoing,
            isRead: isRead, attachmentURL: attachmentURL, attachmentType: attachmentType,
            replyToMessageID: replyToMessageID, timer: timer.map { .timer($0) } ?? .none,
            attachments: attachments)
    }
}
