package import StoreBasics

/// The status of a message's delivery. The raw values are stored on disk.
package enum MessageStatus: Int, Hashable, Sendable, CaseIterable {
    case pending = 1
    case sent = 2
    case delivered = 3
    case failed = 4
}

/// A message to save. If a message with the id exists, its fields are replaced, except `createdAt`, `editedAt` and
/// reactions. Its timer also stays, unless the request contains another timer.
package struct NewMessage: Hashable, Sendable {
    /// The id; `nil` for a new UUIDv7.
    package var id: EntityID?
    /// The conversation. An unknown session id creates it.
    package var conversation: ConversationReference
    package var text: String
    package var senderSessionID: String
    package var recipientSessionID: String
    /// The time of the message; `nil` for now, or to keep the time of an existing message.
    package var timestamp: Timestamp?
    package var status: MessageStatus
    package var isOutgoing: Bool
    package var isRead: Bool
    package var attachmentURL: String?
    package var attachmentType: String?
    package var replyToMessageID: EntityID?
    package var timer: TimerChoice
    package var attachments: [NewAttachment]
    /// True to keep the attachments of an existing message if `attachments` is empty.
    package var keepsAttachments: Bool
    /// A text of the application's choice; empty for none.
    package var kind: String
    /// The name of the sender when the message was sent; empty for none.
    package var senderName: String
    package var metadata: Metadata?

    package init(
        id: EntityID? = nil, conversation: ConversationReference, text: String, senderSessionID: String = "",
        recipientSessionID: String = "", timestamp: Timestamp? = nil, status: MessageStatus = .pending,
        isOutgoing: Bool = false, isRead: Bool = false, attachmentURL: String? = nil,
        attachmentType: String? = nil, replyToMessageID: EntityID? = nil, timer: TimerChoice = .inherited,
        attachments: [NewAttachment] = [], keepsAttachments: Bool = false, kind: String = "",
        senderName: String = "", metadata: Metadata? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.text = text
        self.senderSessionID = senderSessionID
        self.recipientSessionID = recipientSessionID
        self.timestamp = timestamp
        self.status = status
        self.isOutgoing = isOutgoing
        self.isRead = isRead
        self.attachmentURL = attachmentURL
        self.attachmentType = attachmentType
        self.replyToMessageID = replyToMessageID
        self.timer = timer
        self.attachments = attachments
        self.keepsAttachments = keepsAttachments
        self.kind = kind
        self.senderName = senderName
        self.metadata = metadata
    }
}

package enum MessageOrder: Hashable, Sendable {
    case newestFirst
    case oldestFirst
}

/// A query for messages, ordered by timestamp and then by id.
package struct MessageQuery: Hashable, Sendable {
    /// The conversation of the messages; `nil` for all conversations.
    package var conversation: ConversationReference?
    /// The most messages of a page, 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    package var order: MessageOrder
    /// Selects strictly older messages.
    package var before: MessageCursor?
    /// Selects strictly newer messages.
    package var after: MessageCursor?
    package var filter = MessageFilter()

    package init(
        conversation: ConversationReference? = nil, limit: Int = EngineLimits.pageRowsDefault,
        order: MessageOrder = .newestFirst
    ) {
        self.conversation = conversation
        self.limit = limit
        self.order = order
    }
}

/// The conditions of a query that messages have to meet; `nil` for no condition.
package struct MessageFilter: Hashable, Sendable {
    /// The lower limit of timestamps, inclusive.
    package var from: Timestamp?
    /// The upper limit of timestamps, exclusive.
    package var until: Timestamp?
    package var senderSessionID: String?
    package var isOutgoing: Bool?
    package var status: MessageStatus?
    package var hasAttachment: Bool?
    package var isRead: Bool?
    /// Empty for messages without a kind.
    package var kind: String?

    package init() {}
}

/// The position of a message in the order of lists, in its conversation and among the messages of all conversations. It
/// stays valid after the message is deleted, and is the same on every device.
package struct MessageCursor: Hashable, Sendable {
    let timestamp: Timestamp
    let id: EntityID

    init(timestamp: Timestamp, id: EntityID) {
        self.timestamp = timestamp
        self.id = id
    }

    /// The position before every message.
    static let first = MessageCursor(timestamp: Timestamp(microseconds: .min), id: .lowerBound)
    /// The position after every message.
    static let end = MessageCursor(timestamp: Timestamp(microseconds: .max), id: .upperBound)

    /// - Throws: `.invalidArgument` for a text that is not a cursor.
    package init(_ text: String) throws(StoreError) {
        guard let end = text.firstIndex(of: "."), let microseconds = Int64(text[..<end]) else { throw .foreignCursor }
        let id = EntityID(trusted: try NameCursor.name(String(text[text.index(after: end)...])))
        self.init(timestamp: Timestamp(microseconds: microseconds), id: id)
    }

    package var text: String {
        "\(timestamp.microseconds).\(NameCursor.text(id.text))"
    }
}

extension MessageCursor: Comparable {
    package static func < (left: MessageCursor, right: MessageCursor) -> Bool {
        left.timestamp == right.timestamp ? left.id < right.id : left.timestamp < right.timestamp
    }
}
