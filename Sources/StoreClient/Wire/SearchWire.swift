import StoreProtocol

extension WireSearchMessagesRequest {
    init(_ search: MessageSearch) {
        self.init()
        query = search.query
        if let reference = search.conversation {
            conversation = WireConversationReference(reference)
        }
        limit = UInt32(clamping: search.limit)
        beforeCursor = search.beforeCursor ?? ""
        apply(search.filter)
        switch search.order {
        case .newestFirst: order = .newestFirst
        case .bestFirst: order = .bestFirst
        }
    }
}

extension WireSearchContactsRequest {
    init(_ query: String, _ filter: ContactFilter, limit: Int, cursor: String?, includeAvatars: Bool) {
        self.init()
        self.query = query
        self.limit = UInt32(clamping: limit)
        self.cursor = cursor ?? ""
        self.includeAvatars = includeAvatars
        if let value = filter.isBlocked {
            isBlocked = value
        }
        if let value = filter.isTrusted {
            isTrusted = value
        }
    }
}

extension WireSearchConversationsRequest {
    init(_ query: String, _ filter: ConversationFilter, limit: Int, cursor: String?, includeAvatars: Bool) {
        self.init()
        self.query = query
        self.limit = UInt32(clamping: limit)
        self.cursor = cursor ?? ""
        self.includeAvatars = includeAvatars
        if let value = filter.isPinned {
            isPinned = value
        }
        if let value = filter.isMuted {
            isMuted = value
        }
        if let value = filter.hasUnread {
            hasUnread_p = value
        }
    }
}

extension FoundMessage {
    init(_ wire: WireFoundMessage) {
        self.init(
            message: Message(wire.message),
            snippet: SearchSnippet(
                text: wire.snippet, offset: Int(wire.snippetOffset),
                matches: wire.matches.map { Int($0.offset)..<(Int($0.offset) + Int($0.count)) }))
    }
}

extension FoundMessagePage {
    init(_ wire: WireSearchMessagesResponse) {
        self.init(
            messages: wire.messages.map(FoundMessage.init), lastCursor: wire.lastCursor.isEmpty ? nil : wire.lastCursor,
            hasMore: wire.hasMore_p)
    }
}
