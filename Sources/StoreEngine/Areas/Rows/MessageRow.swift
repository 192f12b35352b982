import SQLCipher
import StoreBasics

/// A whole row of `messages`, for the writer.
struct MessageRow: Equatable, Bindable {
    var conversation: Int64
    var timestamp: Timestamp
    var sequence: Int64
    var id: EntityID
    var text: String
    var senderSessionID: String
    var recipientSessionID: String
    var status: MessageStatus
    var isOutgoing: Bool
    var isRead: Bool
    var attachmentURL: String?
    var attachmentType: String?
    var replyToMessageID: EntityID?
    var createdAt: Timestamp
    var editedAt: Timestamp?
    /// The encoded `ReactionCounts`; `nil` without reactions.
    var reactions: [UInt8]?
    var timer: MessageTimer?
    /// The store's age at which the message expires; `nil` while its timer does not run.
    var expiresAt: Int64?
    /// The number of the message's list of attachments; `nil` without attachments.
    var attachments: Int64?
    /// Fields of a later version, in the form of `TaggedFields.unknown`; `nil` without such fields.
    var unknownFields: [UInt8]?
    /// The kind; `nil` for none. The name of the sender below is also `nil` for none.
    var kind: String?
    var senderName: String?
    var metadata: Metadata?
    var conversationID: EntityID

    var place: MessagePlace { MessagePlace(conversation: conversation, timestamp: timestamp, id: id) }

    func hasSameBytes(as other: MessageRow) -> Bool {
        let texts = [
            text, senderSessionID, recipientSessionID, attachmentURL ?? "", attachmentType ?? "", kind ?? "",
            senderName ?? "",
        ]
        let others = [
            other.text, other.senderSessionID, other.recipientSessionID, other.attachmentURL ?? "",
            other.attachmentType ?? "", other.kind ?? "", other.senderName ?? "",
        ]
        return texts.haveSameBytes(as: others)
    }

    /// Returns the SQL that finds one message by its id `?1`.
    ///
    /// - Parameter columns: Columns of `messages AS m`; the conversation's id follows them.
    static func selectByID(_ columns: String) -> String {
        """
        SELECT \(columns), c.id FROM messages AS m INDEXED BY messages_by_id
        CROSS JOIN conversations AS c ON c.number = m.conversation WHERE m.id = ?1
        """
    }

    /// The columns of `messages` in the order of the table, of `init` and of `bind`.
    private static let columnNames = [
        "conversation", "timestamp", "sequence", "id", "text", "sender", "recipient", "status", "is_outgoing",
        "is_read", "attachment_url", "attachment_type", "reply_to", "created_at", "edited_at", "reactions", "timer",
        "expires_at", "attachments", "unknown_fields", "kind", "sender_name", "metadata",
    ]
    /// The index of `expires_at` in `columns`.
    static let expiryColumn = 17
    static let attachmentsColumn = 18
    /// The index of `kind` in `columns`. `sender_name` and `metadata` follow.
    static let kindColumn = 20
    /// The index of the conversation's id, which queries select after `columns`.
    static let conversationIDColumn = columnNames.count

    /// The list of the columns of `messages AS m` for a `SELECT`, with long texts and metadata.
    static let columns = "m.conversation, \(columnsInConversation)"

    /// `columns` without the conversation's number, for queries that have it.
    static let columnsInConversation = columnNames.dropFirst().map {
        LongTexts.names.contains($0) ? LongTexts.column($0, of: "m") : "m.\($0)"
    }.joined(separator: ", ")

    /// The list of the parameters of all columns for an `INSERT`.
    static let parameters = (1...columnNames.count).map { "?\($0)" }.joined(separator: ", ")

    init(_ row: borrowing Rows) throws(StoreError) {
        conversation = row.integer(0)
        timestamp = row.timestamp(1)
        sequence = row.integer(2)
        id = try row.name(3)
        text = try row.text(4)
        senderSessionID = try row.text(5)
        recipientSessionID = try row.text(6)
        status = try row.status(7)
        isOutgoing = row.bool(8)
        isRead = row.bool(9)
        attachmentURL = try row.optionalText(10)
        attachmentType = try row.optionalText(11)
        replyToMessageID = try row.optionalText(12).map { EntityID(trusted: $0) }
        createdAt = row.timestamp(13)
        editedAt = row.optionalInteger(14).map { Timestamp(microseconds: $0) }
        reactions = row.isNull(15) ? nil : row.bytes(15)
        timer = try row.messageTimer(16)
        expiresAt = row.optionalInteger(Self.expiryColumn)
        attachments = row.optionalInteger(Self.attachmentsColumn)
        unknownFields = row.isNull(19) ? nil : row.bytes(19)
        kind = try row.optionalText(Self.kindColumn)
        senderName = try row.optionalText(Self.kindColumn + 1)
        metadata = row.metadata(Self.kindColumn + 2)
        conversationID = try row.name(Self.conversationIDColumn)
    }

    init(
        _ message: NewMessage, id: EntityID, conversation: KnownConversation, sequence: Int64,
        now: Timestamp
    ) {
        self.conversation = conversation.number
        conversationID = conversation.id
        timestamp = message.timestamp ?? now
        self.sequence = sequence
        self.id = id
        text = message.text
        senderSessionID = message.senderSessionID
        recipientSessionID = message.recipientSessionID
        status = message.status
        isOutgoing = message.isOutgoing
        isRead = message.isRead
        attachmentURL = message.attachmentURL?.nilIfEmpty
        attachmentType = message.attachmentType?.nilIfEmpty
        replyToMessageID = message.replyToMessageID
        createdAt = now
        editedAt = nil
        reactions = nil
        switch message.timer {
        case .inherited: timer = conversation.retention.messageTimer
        case .none: timer = nil
        case .timer(let given): timer = given
        }
        expiresAt = nil
        attachments = message.attachments.isEmpty ? nil : sequence
        unknownFields = nil
        kind = message.kind.nilIfEmpty
        senderName = message.senderName.nilIfEmpty
        metadata = message.metadata?.ifSet
    }

    /// Binds all columns of the table. A long text and long metadata are not among them (`LongTexts`).
    func bind(to statement: Statement, _ index: inout Int) {
        conversation.bind(to: statement, &index)
        timestamp.bind(to: statement, &index)
        sequence.bind(to: statement, &index)
        id.bind(to: statement, &index)
        InlineText(text: text).bind(to: statement, &index)
        senderSessionID.bind(to: statement, &index)
        recipientSessionID.bind(to: statement, &index)
        status.bind(to: statement, &index)
        isOutgoing.bind(to: statement, &index)
        isRead.bind(to: statement, &index)
        attachmentURL.bind(to: statement, &index)
        attachmentType.bind(to: statement, &index)
        replyToMessageID.bind(to: statement, &index)
        createdAt.bind(to: statement, &index)
        editedAt.bind(to: statement, &index)
        reactions.bind(to: statement, &index)
        (timer?.number).bind(to: statement, &index)
        expiresAt.bind(to: statement, &index)
        attachments.bind(to: statement, &index)
        unknownFields.bind(to: statement, &index)
        kind.bind(to: statement, &index)
        senderName.bind(to: statement, &index)
        (metadata?.inlineBytes).bind(to: statement, &index)
    }
}

extension MessageRow {
    /// Creates the row of a message from an archive or from another device. The row has no reactions and does not
    /// expire yet.
    init(_ message: WholeMessage, in conversation: KnownConversation, sequence: Int64) {
        self.init(
            message.newMessage(in: .id(conversation.id)), id: message.id, conversation: conversation,
            sequence: sequence, now: message.createdAt)
        editedAt = message.editedAt
        unknownFields = message.unknownFields.isEmpty ? nil : message.unknownFields
    }
}

extension WholeMessage {
    /// - Parameter expiresAt: The time at which the message expires, by the wall clock. The row has the store's age
    ///   instead.
    init(_ row: MessageRow, _ attachments: [NewAttachment], expiresAt: Timestamp? = nil) {
        self.init(
            id: row.id, text: row.text, senderSessionID: row.senderSessionID,
            recipientSessionID: row.recipientSessionID, timestamp: row.timestamp, status: row.status,
            isOutgoing: row.isOutgoing, isRead: row.isRead, attachmentURL: row.attachmentURL,
            attachmentType: row.attachmentType, replyToMessageID: row.replyToMessageID, createdAt: row.createdAt,
            editedAt: row.editedAt, timer: row.timer, expiresAt: expiresAt, attachments: attachments,
            kind: row.kind ?? "", senderName: row.senderName ?? "", metadata: row.metadata,
            unknownFields: row.unknownFields ?? [])
    }
}
