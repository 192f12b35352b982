package import StoreBasics

/// A message with everything that the store has of it, except its conversation and its reactions, for archives and
/// replication.
package struct WholeMessage: Hashable, Sendable {
    package var id: EntityID
    package var text = ""
    package var senderSessionID = ""
    package var recipientSessionID = ""
    package var timestamp = Timestamp(microseconds: 0)
    package var status = MessageStatus.pending
    package var isOutgoing = false
    package var isRead = false
    package var attachmentURL: String?
    package var attachmentType: String?
    package var replyToMessageID: EntityID?
    package var createdAt = Timestamp(microseconds: 0)
    package var editedAt: Timestamp?
    package var timer: MessageTimer?
    /// The time at which the message expires, by the wall clock; `nil` while its timer does not run.
    package var expiresAt: Timestamp?
    package var attachments: [NewAttachment] = []
    package var kind = ""
    package var senderName = ""
    package var metadata: Metadata?
    /// Fields of a later version, in the form of `TaggedFields.unknown`.
    package var unknownFields: [UInt8] = []
}

/// An `ArchivedMessage` of archives.proto. In a replicated batch it is the body of a record, and lacks the fields that
/// the record contains beside the body.
extension WholeMessage: FieldMessage {
    package init() {
        self.init(id: EntityID(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        if try form.isWhole(1) { try form.field(1, &id) }
        try form.field(2, &text)
        try form.field(3, &senderSessionID)
        try form.field(4, &recipientSessionID)
        try form.field(5, &timestamp)
        if try form.isWhole(6) { try form.field(6, &status) }
        try form.field(7, &isOutgoing)
        if try form.isWhole(8) { try form.field(8, &isRead) }
        try form.field(9, &attachmentURL)
        try form.field(10, &attachmentType)
        try form.field(11, &replyToMessageID)
        try form.field(12, &createdAt)
        try form.field(13, &editedAt)
        try form.field(14, &timer)
        if try form.isWhole(15) { try form.field(15, &expiresAt) }
        try form.field(16, &attachments)
        try form.field(17, &kind)
        try form.field(18, &senderName)
        try form.field(19, &metadata)
        form.others(&unknownFields)
    }
}

extension WholeMessage {
    func newMessage(in conversation: ConversationReference) -> NewMessage {
        NewMessage(
            id: id, conversation: conversation, text: text, senderSessionID: senderSessionID,
            recipientSessionID: recipientSessionID, timestamp: timestamp, status: status, isOutgoing: isOutgoing,
            isRead: isRead, attachmentURL: attachmentURL, attachmentType: attachmentType,
            replyToMessageID: replyToMessageID, timer: timer.map { .timer($0) } ?? .none,
            attachments: attachments, kind: kind, senderName: senderName, metadata: metadata)
    }
}
