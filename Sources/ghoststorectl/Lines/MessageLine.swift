import StoreClient

/// A message as a line of an export, and back.
struct MessageLine {
    static let kind = "message"

    /// The fields a line may have. `created_at_microseconds` and `conversation_id` are told and, on import, not used:
    /// the store sets the one, and the session id says the other.
    private static let names: Set<String> = [
        "kind", "id", "conversation_id", "conversation_session_id", "text", "sender_session_id",
        "recipient_session_id", "timestamp_microseconds", "status", "is_outgoing", "is_read", "attachment_url",
        "attachment_type", "reply_to_message_id", "edited_at_microseconds", "created_at_microseconds",
    ]

    let message: Message
    let conversationSessionID: String?
    let withStoreTimes: Bool

    func object(withKind: Bool) -> JSONObject {
        var object = JSONObject()
        if withKind {
            object.add("kind", Self.kind)
        }
        object.add("id", message.id)
        object.add("conversation_id", message.conversationID)
        object.add("conversation_session_id", ifPresent: conversationSessionID)
        object.add("text", message.text)
        object.add("sender_session_id", message.senderSessionID)
        object.add("recipient_session_id", message.recipientSessionID)
        object.add("timestamp_microseconds", message.timestamp.microseconds)
        object.add("status", message.status.word)
        object.add("is_outgoing", message.isOutgoing)
        object.add("is_read", message.isRead)
        object.add("attachment_url", ifPresent: message.attachmentURL)
        object.add("attachment_type", ifPresent: message.attachmentType)
        object.add("reply_to_message_id", ifPresent: message.replyToMessageID)
        if let editedAt = message.editedAt {
            object.add("edited_at_microseconds", editedAt.microseconds)
        }
        if withStoreTimes {
            object.add("created_at_microseconds", message.createdAt.microseconds)
        }
        return object
    }

    static func parse(_ record: JSONRecord) throws(JSONError) -> ImportedMessage {
        try record.allowOnly(names)
        let word = try record.optionalText("status") ?? MessageStatus.pending.word
        guard let status = MessageStatus(word: word) else {
            throw JSONError("the field 'status' is none of pending, sent, delivered, failed")
        }
        let timestamp = try record.optionalInteger("timestamp_microseconds").map(Timestamp.init(microseconds:))
        let message = NewMessage(
            id: try record.optionalText("id") ?? UUIDv7().description, conversation: try conversation(of: record),
            text: try record.text("text"), senderSessionID: try record.optionalText("sender_session_id") ?? "",
            recipientSessionID: try record.optionalText("recipient_session_id") ?? "",
            timestamp: timestamp ?? .now, status: status, isOutgoing: try record.flag("is_outgoing"),
            isRead: try record.flag("is_read"), attachmentURL: try record.optionalText("attachment_url"),
            attachmentType: try record.optionalText("attachment_type"),
            replyToMessageID: try record.optionalText("reply_to_message_id"))
        let editedAt = try record.optionalInteger("edited_at_microseconds").map(Timestamp.init(microseconds:))
        return ImportedMessage(message: message, editedAt: editedAt)
    }

    private static func conversation(of record: JSONRecord) throws(JSONError) -> ConversationReference {
        if let sessionID = try record.optionalText("conversation_session_id") {
            return .sessionID(sessionID)
        }
        guard let id = try record.optionalText("conversation_id") else {
            throw JSONError("the fields 'conversation_session_id' and 'conversation_id' are both missing")
        }
        return .id(id)
    }
}

/// A message to save, and when it was last edited.
struct ImportedMessage: Sendable {
    var message: NewMessage
    var editedAt: Timestamp?
}
