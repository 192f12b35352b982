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
