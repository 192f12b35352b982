package import StoreBasics

/// How far a message has come. The raw values are kept at rest.
package enum MessageStatus: Int, Hashable, Sendable, CaseIterable {
    case pending = 1
    case sent = 2
    case delivered = 3
    case failed = 4
}

/// A message to save. Saving an id that exists replaces its fields; `createdAt`, `editedAt` and reactions are kept, and
/// so is the timer unless another is given.
package struct NewMessage: Hashable, Sendable {
    /// `nil` lets the engine make a UUIDv7.
    package var id: EntityID?
    /// A session id that is not known yet creates its conversation.
    package var conversation: ConversationReference
    package var text: String
    package var senderSessionID: String
    package var recipientSessionID: String
    /// `nil` means now.
    package var timestamp: Timestamp?
    package var status: MessageStatus
    package var isOutgoing: Bool
    package var isRead: Bool
    package var attachmentURL: String?
    package var attachmentType: String?
    package var replyToMessageID: EntityID?
    package var timer: TimerChoice
    package var attachments: [NewAttachment]
    /// Without attachments here, those of a message with the id stay.
    package var keepsAttachments: Bool

    package init(
        id: EntityID? = nil, conversation: ConversationReference, text: String, senderSessionID: String = "",
        recipientSessionID: String = "", timestamp: Timestamp? = nil, status: MessageStatus = .pending,
        isOutgoing: Bool = false, isRead: Bool = false, attachmentURL: String? = nil,
        attachmentType: String? = nil, replyToMessageID: EntityID? = nil, timer: TimerChoice = .inherited,
        attachments: [NewAttachment] = [], keepsAttachments: Bool = false
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
    }
}

package enum MessageOrder: Hashable, Sendable {
    case newestFirst
    case oldestFirst
}

/// A page of one conversation's messages, ordered by timestamp and then by id.
package struct MessageQuery: Hashable, Sendable {
    package var conversation: ConversationReference
    /// 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    package var order: MessageOrder
    /// Only strictly older messages.
    package var before: MessageCursor?
    /// Only strictly newer messages.
    package var after: MessageCursor?
    package var filter = MessageFilter()

    package init(
        conversation: ConversationReference, limit: Int = EngineLimits.pageRowsDefault,
        order: MessageOrder = .newestFirst
    ) {
        self.conversation = conversation
        self.limit = limit
        self.order = order
    }
}

/// Which messages are wanted.
package struct MessageFilter: Hashable, Sendable {
    /// Only at or after this time.
    package var from: Timestamp?
    /// Only before this time.
    package var until: Timestamp?
    package var senderSessionID: String?
    package var isOutgoing: Bool?
    package var status: MessageStatus?
    package var hasAttachment: Bool?
    package var isRead: Bool?

    package init() {}
}

/// A message's place in its conversation: stable also when that message is deleted, and the same on every device.
package struct MessageCursor: Hashable, Sendable {
    let timestamp: Timestamp
    let id: EntityID

    init(timestamp: Timestamp, id: EntityID) {
        self.timestamp = timestamp
        self.id = id
    }

    /// Before every message.
    static let first = MessageCursor(timestamp: Timestamp(microseconds: .min), id: .lowerBound)
    /// After every message.
    static let end = MessageCursor(timestamp: Timestamp(microseconds: .max), id: .upperBound)

    /// - Throws: `StoreError` with reason `.invalidArgument` for anything that `text` of a cursor did not give.
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
