import SQLCipher
import StoreBasics

/// A message row for the writer: its key, its counters and its fields.
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
    var conversationID: EntityID

    var place: MessagePlace { MessagePlace(conversation: conversation, timestamp: timestamp, id: id) }

    func hasSameBytes(as other: MessageRow) -> Bool {
        let texts = [text, senderSessionID, recipientSessionID, attachmentURL ?? "", attachmentType ?? ""]
        let others = [
            other.text, other.senderSessionID, other.recipientSessionID, other.attachmentURL ?? "",
            other.attachmentType ?? "",
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

    /// The index of `expires_at` in `columns`.
    static let expiryColumn = 17
    /// The index of `attachments` in `columns`.
    static let attachmentsColumn = 18

    /// The index of the conversation's id, after `columns`.
    static let conversationIDColumn = 20

    /// The columns of `messages` in the order of `init` and `bind`, then the conversation's id.
    static let columns = "m.conversation, \(columnsInConversation)"

    /// Lists `columns` without the conversation's number, for queries that have it.
    static let columnsInConversation = """
        m.timestamp, m.sequence, m.id, \(LongTexts.column(of: "m")), m.sender, m.recipient, m.status, m.is_outgoing, \
        m.is_read, m.attachment_url, m.attachment_type, m.reply_to, m.created_at, m.edited_at, m.reactions, \
        m.timer, m.expires_at, m.attachments, m.unknown_fields
        """

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
    }

    /// Binds the twenty columns of the table. A long text is not among them (`LongTexts`).
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
    }
}

/// The primary key of a message, as three parameters.
struct MessagePlace: Hashable, Bindable {
    var conversation: Int64
    var timestamp: Timestamp
    var id: EntityID

    func bind(to statement: Statement, _ index: inout Int) {
        conversation.bind(to: statement, &index)
        timestamp.bind(to: statement, &index)
        id.bind(to: statement, &index)
    }

    /// The table for statements that find one message by its key. They name the index of the primary key, because
    /// otherwise SQLite would look in `messages_by_id` first and then for the row.
    static let table = "messages \(key)"
    /// The table `messages` as `m`, for joins that give the whole key.
    static let joinedTable = "messages AS m \(key)"
    private static let key = "INDEXED BY sqlite_autoindex_messages_1"

    /// The condition that selects a message by its key, parameters 1 to 3.
    static let condition = "conversation = ?1 AND timestamp = ?2 AND id = ?3"
}

extension MessagePlace {
    /// Returns the position before all messages of a conversation.
    static func start(of conversation: Int64) -> MessagePlace {
        MessagePlace(conversation: conversation, timestamp: Timestamp(microseconds: .min), id: .lowerBound)
    }

    /// Reads the key of a message from a row.
    init(_ row: borrowing Rows, conversation: Int, timestamp: Int, id: Int) throws(StoreError) {
        self.init(
            conversation: row.integer(conversation), timestamp: row.timestamp(timestamp), id: try row.name(id))
    }
}

/// The head of a message: its key, and the properties that counters and changes need, without texts. So requests about
/// thousands of messages need little memory.
struct MessageHead {
    var conversation: Int64
    var timestamp: Timestamp
    var sequence: Int64
    var id: EntityID
    var status: MessageStatus
    var isOutgoing: Bool
    var isRead: Bool
    var hasReactions: Bool
    var timer: MessageTimer?
    /// See `MessageRow.expiresAt`.
    var expiresAt: Int64?
    /// See `MessageRow.attachments`.
    var attachments: Int64?
    var conversationID: EntityID

    /// The columns of `messages` in the order of `init`, then the conversation's id.
    static let columns = """
        m.conversation, m.timestamp, m.sequence, m.id, m.status, m.is_outgoing, m.is_read, m.reactions IS NOT NULL, \
        m.timer, m.expires_at, m.attachments
        """

    init(_ row: borrowing Rows) throws(StoreError) {
        conversation = row.integer(0)
        timestamp = row.timestamp(1)
        sequence = row.integer(2)
        id = try row.name(3)
        status = try row.status(4)
        isOutgoing = row.bool(5)
        isRead = row.bool(6)
        hasReactions = row.bool(7)
        timer = try row.messageTimer(8)
        expiresAt = row.optionalInteger(9)
        attachments = row.optionalInteger(10)
        conversationID = try row.name(11)
    }

    var place: MessagePlace { MessagePlace(conversation: conversation, timestamp: timestamp, id: id) }
}

/// The order of the rows in the clustered table.
extension MessagePlace: Comparable {
    static func < (place: MessagePlace, other: MessagePlace) -> Bool {
        guard place.conversation == other.conversation else { return place.conversation < other.conversation }
        guard place.timestamp == other.timestamp else { return place.timestamp < other.timestamp }
        return place.id < other.id
    }
}
