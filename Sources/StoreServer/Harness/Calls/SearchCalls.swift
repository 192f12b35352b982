import StoreBasics
import StoreEngine
import StoreProtocol

enum SearchCalls {
    static let searchMessages = CallRule(.read(.messages), .read) {
        (request: WireSearchMessagesRequest, _) throws(StoreError) in
        let search = try MessageSearch(wire: request)
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            var page = FoundPage()
            let end = try reader.searchMessages(search) { found in
                page.append(found)
                return .goOn
            }
            page.finish(end)
            return .foundMessages(page)
        }
    }

    static let searchContacts = CallRule(.read(.contacts), .read) {
        (request: WireSearchContactsRequest, _) throws(StoreError) in
        ContactCalls.list(try ContactQuery(wire: request))
    }

    static let searchConversations = CallRule(.read(.conversations), .read) {
        (request: WireSearchConversationsRequest, _) throws(StoreError) in
        ConversationCalls.list(try ConversationQuery(wire: request))
    }

    static let rebuildSearchIndex = CallRule(.administration, .read) { _ in
        .administration { (engine, progress) throws(StoreError) in
            try engine.rebuildSearchIndex(progress: progress)
            return AdministrationOutcome(.rebuildSearchIndex(WireRebuildSearchIndexResponse()))
        }
    }
}

extension MessageSearch {
    fileprivate init(wire request: WireSearchMessagesRequest) throws(StoreError) {
        let query = try SearchQuery(request.query)
        let conversation =
            request.hasConversation ? try ConversationReference(request.conversation.reference) : nil
        self.init(query, in: conversation, limit: try request.limit.asLimit())
        before = try MessageCursor.given(request.beforeCursor)
        filter = try MessageFilter(wire: request)
        order = try Order(wire: request.order)
    }
}
