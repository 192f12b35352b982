/// Which messages of one conversation, and from where.
public struct MessageQuery: Hashable, Sendable, Codable {
    /// Which end of the conversation comes first, by the messages' timestamps.
    public enum Order: String, Hashable, Sendable, CaseIterable, Codable {
        /// The latest timestamp first.
        case newestFirst
        /// The earliest timestamp first.
        case oldestFirst
    }

    /// Whose messages.
    public var conversation: ConversationReference
    /// 1 to 1,000.
    public var limit: Int
    /// Which end comes first.
    public var order: Order
    /// Only messages strictly older than this cursor (`MessagePage.firstCursor` or `.lastCursor`).
    public var beforeCursor: String?
    /// Only messages strictly newer than this cursor.
    public var afterCursor: String?
    /// Conditions on the messages.
    public var filter: MessageFilter

    /// Without cursors and filter: the newest messages of the conversation.
    public init(
        conversation: ConversationReference, limit: Int = 100, order: Order = .newestFirst,
        beforeCursor: String? = nil, afterCursor: String? = nil, filter: MessageFilter = MessageFilter()
    ) {
        self.conversation = conversation
        self.limit = limit
        self.order = order
        self.beforeCursor = beforeCursor
        self.afterCursor = afterCursor
        self.filter = filter
    }

    /// The same question for the messages beyond a page, in the same order; `nil` when there are none.
    public func next(after page: MessagePage) -> MessageQuery? {
        guard page.hasMore, let cursor = page.lastCursor else { return nil }
        var next = self
        switch order {
        case .newestFirst: next.beforeCursor = cursor
        case .oldestFirst: next.afterCursor = cursor
        }
        return next
    }
}

/// Conditions on messages. Each one that is set must hold.
public struct MessageFilter: Hashable, Sendable, Codable {
    /// At or after this time.
    public var from: Timestamp?
    /// Before this time.
    public var until: Timestamp?
    /// Only what this party sent.
    public var senderSessionID: String?
    /// True: only what this side sent; false: only what came in.
    public var isOutgoing: Bool?
    /// Only messages that have come this far and no further.
    public var status: MessageStatus?
    /// True: only messages with an attachment; false: only without.
    public var hasAttachment: Bool?
    /// True: only messages that are marked read; false: only others.
    public var isRead: Bool?

    /// Without conditions: every message.
    public init(
        from: Timestamp? = nil, until: Timestamp? = nil, senderSessionID: String? = nil, isOutgoing: Bool? = nil,
        status: MessageStatus? = nil, hasAttachment: Bool? = nil, isRead: Bool? = nil
    ) {
        self.from = from
        self.until = until
        self.senderSessionID = senderSessionID
        self.isOutgoing = isOutgoing
        self.status = status
        self.hasAttachment = hasAttachment
        self.isRead = isRead
    }
}

/// A page of messages in the order the query asked for.
public struct MessagePage: ListPage, Codable {
    /// At most as many as were asked for; fewer where their texts are long, and fewer or none where a filter passes
    /// over many.
    public var messages: [Message]
    /// Position of the first message of this page; `nil` when it is empty.
    public var firstCursor: String?
    /// Where this page ends: position of its last message, or behind it where a filter passes over many. `nil` when it
    /// is empty and the last.
    public var lastCursor: String?
    /// Whether further messages lie beyond this page in the asked order.
    public var hasMore: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(messages: [Message], firstCursor: String? = nil, lastCursor: String? = nil, hasMore: Bool = false) {
        self.messages = messages
        self.firstCursor = firstCursor
        self.lastCursor = lastCursor
        self.hasMore = hasMore
    }

    /// `messages`.
    public var elements: [Message] { messages }
}
