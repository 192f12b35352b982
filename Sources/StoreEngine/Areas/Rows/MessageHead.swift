import SQLCipher
import StoreBasics

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
    var kind: String?
    var conversationID: EntityID

    /// The columns of `messages` in the order of `init`, then the conversation's id.
    static let columns = """
        m.conversation, m.timestamp, m.sequence, m.id, m.status, m.is_outgoing, m.is_read, m.reactions IS NOT NULL, \
        m.timer, m.expires_at, m.attachments, m.kind
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
        kind = try row.optionalText(11)
        conversationID = try row.name(12)
    }

    var place: MessagePlace { MessagePlace(conversation: conversation, timestamp: timestamp, id: id) }
}
