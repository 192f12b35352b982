import SQLCipher
internal import StoreBasics

/// A message row as the writer needs it: its place, its counters and its fields.
struct MessageRow: Equatable {
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
    var conversationID: EntityID

    var isUnread: Bool { !isOutgoing && !isRead }

    func isInSamePlace(as other: MessageRow) -> Bool {
        conversation == other.conversation && timestamp == other.timestamp && sequence == other.sequence
    }

    /// Swift's comparison of strings is by canonical equivalence; what is stored is bytes.
    func hasSameBytes(as other: MessageRow) -> Bool {
        let texts = [text, senderSessionID, recipientSessionID, attachmentURL ?? "", attachmentType ?? ""]
        let others = [
            other.text, other.senderSessionID, other.recipientSessionID, other.attachmentURL ?? "",
            other.attachmentType ?? "",
        ]
        return zip(texts, others).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Finds one message by its id `?1`.
    /// - Parameter columns: of `messages AS m`; the conversation's id follows them.
    static func selectByID(_ columns: String) -> String {
        """
        SELECT \(columns), c.id FROM messages AS m INDEXED BY messages_by_id
        CROSS JOIN conversations AS c ON c.number = m.conversation WHERE m.id = ?1
        """
    }

    /// The columns of `messages` in the order of `init` and `bind`, then the conversation's id.
    static let columns = """
        m.conversation, m.timestamp, m.sequence, m.id, m.text, m.sender, m.recipient, m.status, m.is_outgoing, \
        m.is_read, m.attachment_url, m.attachment_type, m.reply_to, m.created_at, m.edited_at
        """

    init(_ row: Statement) throws(SQLCipherError) {
        conversation = row.integer(0)
        timestamp = Timestamp(microseconds: row.integer(1))
        sequence = row.integer(2)
        id = EntityID(trusted: try row.text(3))
        text = try row.text(4)
        senderSessionID = try row.text(5)
        recipientSessionID = try row.text(6)
        status = MessageStatus(rawValue: row.int(7)) ?? .failed
        isOutgoing = row.bool(8)
        isRead = row.bool(9)
        attachmentURL = try row.optionalText(10)
        attachmentType = try row.optionalText(11)
        replyToMessageID = try row.optionalText(12).map { EntityID(trusted: $0) }
        createdAt = Timestamp(microseconds: row.integer(13))
        editedAt = row.optionalInteger(14).map { Timestamp(microseconds: $0) }
        conversationID = EntityID(trusted: try row.text(15))
    }

    init(
        _ message: NewMessage, id: EntityID, conversation: ConversationNumberCache.Entry, sequence: Int64,
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
    }

    /// Binds the fifteen columns of the table, from parameter 1.
    func bind(to statement: Statement) {
        statement.bind(1, conversation)
        statement.bind(2, timestamp.microseconds)
        statement.bind(3, sequence)
        statement.bind(4, id.text)
        statement.bind(5, text)
        statement.bind(6, senderSessionID)
        statement.bind(7, recipientSessionID)
        statement.bind(8, status.rawValue)
        statement.bind(9, isOutgoing)
        statement.bind(10, isRead)
        statement.bind(11, attachmentURL)
        statement.bind(12, attachmentType)
        statement.bind(13, replyToMessageID?.text)
        statement.bind(14, createdAt.microseconds)
        statement.bind(15, editedAt?.microseconds)
    }
}
