import StoreClient

extension MessageStatus {
    var style: Style? {
        switch self {
        case .pending: .yellow
        case .failed: .red
        case .sent, .delivered, .unknown: nil
        }
    }
}

extension Message: Presentable, Named {
    /// Returns the message's JSON.
    ///
    /// - Parameter conversationSessionID: The session ID of the conversation; given for a line of an export.
    func json(_ form: JSONForm, conversationSessionID: String? = nil) -> JSONObject {
        var object = JSONObject(form, kind: MessageLine.kind)
        object.add("id", id)
        object.add("conversation_id", conversationID)
        object.add("conversation_session_id", ifPresent: conversationSessionID)
        object.add("text", text)
        object.add("message_kind", ifPresent: kind.isEmpty ? nil : kind)
        object.add("sender_session_id", senderSessionID)
        object.add("sender_name", ifPresent: senderName.isEmpty ? nil : senderName)
        object.add("recipient_session_id", recipientSessionID)
        object.add("timestamp_microseconds", timestamp.microseconds)
        object.add("status", status.word)
        object.add("is_outgoing", isOutgoing)
        object.add("is_read", isRead)
        object.add("attachment_url", ifPresent: attachmentURL)
        object.add("attachment_type", ifPresent: attachmentType)
        object.add("reply_to_message_id", ifPresent: replyToMessageID)
        object.add("edited_at_microseconds", ifPresent: editedAt?.microseconds)
        object.add(timer)
        object.add(metadata)
        if form == .shown {
            object.add("expires_at_microseconds", ifPresent: expiresAt?.microseconds)
            object.add("reactions", reactions.map(\.json))
            object.add("attachments", attachments.map(\.json))
        }
        object.addStoreTimes(form, createdAt)
        return object
    }

    var json: JSONObject { json(.shown) }

    var fields: FieldList {
        var list: FieldList = [
            "id": id, "conversation": conversationID, "direction": isOutgoing ? "outgoing" : "incoming",
            "kind": Optional(kind), "sender": Optional(senderSessionID), "sender name": Optional(senderName),
            "recipient": Optional(recipientSessionID), "time": timestamp,
            "status": shownStatus?.word, "read": isRead, "attachment url": attachmentURL,
            "attachment type": attachmentType, "reply to": replyToMessageID, "created": createdAt, "edited": editedAt,
            "reactions": reactions.isEmpty ? nil : reactions.map(\.word).joined(separator: ", "),
        ]
        for attachment in attachments {
            list.add("attachment", attachment.phrase)
        }
        list.add("timer", timer?.phrase)
        list.add("expires", expiresAt)
        list.add("metadata", metadata?.phrase)
        list.add("text", FieldList.Content(lines: text))
        return list
    }

    static let record = RecordForm(
        name: "id",
        [
            "id", "conversation_id", "text", "message_kind", "sender_session_id", "sender_name", "recipient_session_id",
            "timestamp_microseconds", "status", "is_outgoing", "is_read", "attachment_url", "attachment_type",
            "reply_to_message_id", "edited_at_microseconds", "lifetime_milliseconds", "lifetime_from",
            "metadata", "metadata_type", "expires_at_microseconds", "reactions", "attachments",
            "created_at_microseconds",
        ])

    /// The direction of the message, with a star while it is unread.
    var directionCell: Table.Cell { Table.Cell(isOutgoing ? "→" : isRead ? "←" : "←*") }

    /// The status for people. Only a message that was sent from here can be pending.
    fileprivate var shownStatus: MessageStatus? {
        !isOutgoing && status == .pending ? nil : status
    }

    /// The number of attachments, in the store and at a URL.
    fileprivate var attachedCount: Int {
        attachments.count + (attachmentURL == nil ? 0 : 1)
    }
}

/// A message in a list, with the name of its sender.
struct MessageRow: Tabular {
    let message: Message
    let sender: ShownName

    var json: JSONObject { message.json }

    static var record: RecordForm { Message.record }

    static let table: [TableColumn<MessageRow>] = [
        .init(.fixed("time", worth: 4), \.message.timestamp), .init(.fixed("", worth: 6), \.message.directionCell),
        .init(.text("sender", worth: 5), \.sender.cell), .init(.fixed("status"), \.statusCell),
        .init(.number("files", worth: 3)) { $0.message.attachedCount == 0 ? "" : "\($0.message.attachedCount)" },
        .init(.extra("kind"), \.message.kind), .init(.extra("id")) { Table.Cell($0.message.id, .dim) },
        .init(.text("text", columnsMin: 34, columnsWanted: 50, worth: 9), \.textCell),
    ]

    /// The text; without a text, the kind of the message, such as a call.
    private var textCell: Table.Cell {
        message.text.isEmpty && !message.kind.isEmpty ? Table.Cell("[\(message.kind)]", .dim) : Table.Cell(message.text)
    }

    private var statusCell: Table.Cell {
        Table.Cell(message.shownStatus?.word ?? "", message.shownStatus?.style)
    }
}

extension DisplayNames {
    func placedRow(_ message: Message) async throws(StoreClientError) -> PlacedRow<MessageRow> {
        PlacedRow(row: try await row(message), conversation: try await conversation(message.conversationID))
    }

    func row(_ message: Message) async throws(StoreClientError) -> MessageRow {
        MessageRow(message: message, sender: try await sender(of: message))
    }
}

/// A message from a line of an export.
enum MessageLine {
    static let kind = "message"

    /// The fields that a line may have in addition to its text and its conversation.
    static let optionalNames = [
        "id", "sender_session_id", "recipient_session_id", "timestamp_microseconds", "status", "is_outgoing",
        "is_read", "attachment_url", "attachment_type", "reply_to_message_id", "edited_at_microseconds",
        "lifetime_milliseconds", "lifetime_from", "message_kind", "sender_name", "metadata", "metadata_type",
    ]

    /// All fields that a line may have. An export contains `created_at_microseconds` and `conversation_id`, but an
    /// import ignores them: the store sets the time, and the session ID identifies the conversation.
    static let names = Set(optionalNames).union([
        "kind", "conversation_id", "conversation_session_id", "text", "created_at_microseconds",
    ])

    /// The texts from which `LineIdentities` derives the ID of a line that has no ID: everything that does not change
    /// later.
    static func identifyingTexts(of message: NewMessage) -> [String] {
        [
            message.text, message.senderSessionID, message.recipientSessionID, message.isOutgoing ? "out" : "in",
            message.attachmentURL ?? "", message.attachmentType ?? "", message.replyToMessageID ?? "",
        ]
    }

    static func parse(_ record: JSONRecord) throws(JSONError) -> ImportedMessage {
        try record.allowOnly(names)
        let word = try record.optionalText("status") ?? MessageStatus.pending.word
        guard let status = MessageStatus(word: word) else {
            throw JSONError("the field 'status' must be pending, sent, delivered or failed")
        }
        let timestamp = try record.optionalInteger("timestamp_microseconds").map(Timestamp.init(microseconds:))
        let id = try record.optionalText("id")
        let message = NewMessage(
            id: id ?? "", conversation: try conversation(of: record),
            text: try record.text("text"), senderSessionID: try record.optionalText("sender_session_id") ?? "",
            recipientSessionID: try record.optionalText("recipient_session_id") ?? "",
            timestamp: timestamp ?? .now, status: status, isOutgoing: try record.flag("is_outgoing"),
            isRead: try record.flag("is_read"), attachmentURL: try record.optionalText("attachment_url"),
            attachmentType: try record.optionalText("attachment_type"),
            replyToMessageID: try record.optionalText("reply_to_message_id"),
            // A line without a timer means a message without one, even if its conversation has a default timer now.
            timer: try record.timer() ?? .never,
            // An export does not contain attachments, so the attachments in the store stay.
            keepsAttachments: true, kind: try record.optionalText("message_kind") ?? "",
            senderName: try record.optionalText("sender_name") ?? "", metadata: try record.metadata())
        let editedAt = try record.optionalInteger("edited_at_microseconds").map(Timestamp.init(microseconds:))
        return ImportedMessage(message: message, editedAt: editedAt, hasNoID: id == nil, hasNoTime: timestamp == nil)
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

/// A message to save, with the time of its last edit.
struct ImportedMessage: Sendable {
    var message: NewMessage
    var editedAt: Timestamp?
    /// True if the line has no ID, so that `LineIdentities` sets it.
    var hasNoID = false
    var hasNoTime = false
}
