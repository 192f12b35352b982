/// Which messages to search for, and from where.
public struct MessageSearch: Hashable, Sendable, Codable {
    /// What comes first.
    public enum Order: String, Hashable, Sendable, Codable {
        /// Of messages of one time, the one that was saved last.
        case newestFirst
        /// What fits best: messages that say what is searched for more often, in fewer words, and what fewer others
        /// say. A page is the best `limit` of about the newest 1,000 that are found, or of as many as the daemon has
        /// time for; the page beyond it is of the older ones.
        case bestFirst
    }

    /// Words, `"phrases"`, beginnings of words (`begin*`), AND (which may be left out), OR, NOT and parentheses: at
    /// most 4,096 bytes of UTF-8.
    public var query: String
    /// Whose messages; `nil`: those of all conversations.
    public var conversation: ConversationReference?
    /// 1 to 1,000.
    public var limit: Int
    /// Only messages strictly older than this cursor (`FoundMessagePage.lastCursor`).
    public var beforeCursor: String?
    /// Conditions on the messages.
    public var filter: MessageFilter
    /// What comes first.
    public var order: Order

    /// Without conversation, cursor and filter: the newest of all messages that hold what is searched for.
    public init(
        _ query: String, in conversation: ConversationReference? = nil, limit: Int = 100, beforeCursor: String? = nil,
        filter: MessageFilter = MessageFilter(), order: Order = .newestFirst
    ) {
        self.query = query
        self.conversation = conversation
        self.limit = limit
        self.beforeCursor = beforeCursor
        self.filter = filter
        self.order = order
    }

    /// The same question for the messages beyond a page; `nil` when there are none.
    public func next(after page: FoundMessagePage) -> MessageSearch? {
        guard page.hasMore, let cursor = page.lastCursor else { return nil }
        var next = self
        next.beforeCursor = cursor
        return next
    }
}

/// A message that holds what was searched for.
public struct FoundMessage: Hashable, Sendable, Codable {
    /// The whole message.
    public var message: Message
    /// A part of its text around what was found.
    public var snippet: SearchSnippet

    /// For tests and previews: the calls of a client make their own.
    public init(message: Message, snippet: SearchSnippet) {
        self.message = message
        self.snippet = snippet
    }
}

/// A part of a text around what was found in it.
public struct SearchSnippet: Hashable, Sendable, Codable {
    /// At most 240 bytes of UTF-8, whole characters.
    public var text: String
    /// Where it begins in the whole text, in bytes of UTF-8.
    public var offset: Int
    /// What was found in `text`, in bytes of UTF-8: at most 32, in order, none overlapping another.
    public var matches: [Range<Int>]

    /// For tests and previews: the calls of a client make their own.
    public init(text: String, offset: Int = 0, matches: [Range<Int>] = []) {
        self.text = text
        self.offset = offset
        self.matches = matches
    }

    /// `matches` as places of `text`; those that lie outside it are left out.
    public var matchedRanges: [Range<String.Index>] {
        matches.compactMap { match in
            let bytes = text.utf8
            guard let lower = bytes.index(bytes.startIndex, offsetBy: match.lowerBound, limitedBy: bytes.endIndex),
                let upper = bytes.index(lower, offsetBy: match.count, limitedBy: bytes.endIndex)
            else { return nil }
            return lower..<upper
        }
    }
}

/// A page of messages that hold what was searched for, in the order that was asked for.
public struct FoundMessagePage: ListPage, Codable {
    /// At most as many as were asked for; fewer where their texts are long, and fewer or none where many were looked at
    /// that do not hold it.
    public var messages: [FoundMessage]
    /// Where this page ends; `nil` when it is empty and the last.
    public var lastCursor: String?
    /// Whether further messages may lie beyond this page.
    public var hasMore: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(messages: [FoundMessage], lastCursor: String? = nil, hasMore: Bool = false) {
        self.messages = messages
        self.lastCursor = lastCursor
        self.hasMore = hasMore
    }

    /// `messages`.
    public var elements: [FoundMessage] { messages }
}
