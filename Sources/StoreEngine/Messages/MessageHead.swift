import SQLCipher
internal import StoreBasics

/// The primary key of a message, as three parameters.
struct MessagePlace: Hashable, Bindable {
    var conversation: Int64
    var timestamp: Timestamp
    var sequence: Int64

    func bind(to statement: Statement, _ index: inout Int) {
        conversation.bind(to: statement, &index)
        timestamp.bind(to: statement, &index)
        sequence.bind(to: statement, &index)
    }
}

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

    init(_ row: borrowing Rows) throws(StoreError) {
        conversation = row.integer(0)
        timestamp = row.timestamp(1)
        sequence = row.integer(2)
        id = try row.name(3)
        status = try row.status(4)
        isOutgoing = row.bool(5)
        isRead = row.bool(6)
        conversationID = try row.name(7)
    }

    var place: MessagePlace { MessagePlace(conversation: conversation, timestamp: timestamp, sequence: sequence) }
}
