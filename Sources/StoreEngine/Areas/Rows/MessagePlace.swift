import SQLCipher
import StoreBasics

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

    /// The table `messages`, for statements that find one message by its key. It includes the index to use, because
    /// otherwise SQLite would look up the id in `messages_by_id`, and then the row.
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

/// The order of the rows in the clustered table.
extension MessagePlace: Comparable {
    static func < (place: MessagePlace, other: MessagePlace) -> Bool {
        guard place.conversation == other.conversation else { return place.conversation < other.conversation }
        guard place.timestamp == other.timestamp else { return place.timestamp < other.timestamp }
        return place.id < other.id
    }
}
