import SQLCipher
internal import StoreBasics

/// A message without what it says: its place, and what counters and changes need. Requests about thousands of messages
/// hold thousands of these, however long the texts are.
struct MessageHead {
    var conversation: Int64
    var timestamp: Timestamp
    var sequence: Int64
    var id: EntityID
    var status: MessageStatus
    var isOutgoing: Bool
    var isRead: Bool
    var conversationID: EntityID

    var isUnread: Bool { !isOutgoing && !isRead }

    /// The columns of `messages` in the order of `init`, then the conversation's id.
    static let columns = "m.conversation, m.timestamp, m.sequence, m.id, m.status, m.is_outgoing, m.is_read"

    init(_ row: Statement) throws(SQLCipherError) {
        conversation = row.integer(0)
        timestamp = Timestamp(microseconds: row.integer(1))
        sequence = row.integer(2)
        id = EntityID(trusted: try row.text(3))
        status = MessageStatus(rawValue: row.int(4)) ?? .failed
        isOutgoing = row.bool(5)
        isRead = row.bool(6)
        conversationID = EntityID(trusted: try row.text(7))
    }

    /// Binds the primary key to parameters 1 to 3.
    func bindPlace(to statement: Statement) {
        statement.bind(1, conversation)
        statement.bind(2, timestamp.microseconds)
        statement.bind(3, sequence)
    }
}
