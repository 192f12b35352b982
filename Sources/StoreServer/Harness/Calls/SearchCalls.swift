import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

enum SearchCalls {
    static let searchMessages = CallRule(.read(.messages), .read) {
        (request: WireSearchMessagesRequest, _) throws(RequestFailure) in
        let search = try MessageSearch(wire: request)
        return .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                var page = FoundPage()
                let end = try reader.searchMessages(search) { found in
                    page.append(found)
                    return .goOn
                }
                page.finish(end)
                return .foundMessages(page)
            })
    }

    static let searchContacts = CallRule(.read(.contacts), .read) {
        (request: WireSearchContactsRequest, _) throws(RequestFailure) in
        ContactCalls.list(
            ContactQuery(
                limit: try request.limit.asLimit(), cursor: request.cursor.ifGiven,
                isBlocked: request.hasIsBlocked ? request.isBlocked : nil,
                isTrusted: request.hasIsTrusted ? request.isTrusted : nil,
                search: try checked { () throws(StoreError) in try SearchQuery(typed: request.query) },
                includeAvatars: request.includeAvatars))
    }

    static let searchConversations = CallRule(.read(.conversations), .read) {
        (request: WireSearchConversationsRequest, _) throws(RequestFailure) in
        ConversationCalls.list(
            ConversationQuery(
                limit: try request.limit.asLimit(), cursor: request.cursor.ifGiven,
                isPinned: request.hasIsPinned ? request.isPinned : nil,
                isMuted: request.hasIsMuted ? request.isMuted : nil,
                hasUnread: request.hasHasUnread_p ? request.hasUnread_p : nil,
                search: try checked { () throws(StoreError) in try SearchQuery(typed: request.query) },
                includeAvatars: request.includeAvatars))
    }

    static let rebuildSearchIndex = CallRule(.administration, .read) { _ in
        .administration { (engine, progress) throws(StoreError) in
            try engine.rebuildSearchIndex(progress: progress)
            return AdministrationOutcome(.rebuildSearchIndex(WireRebuildSearchIndexResponse()))
        }
    }
}

extension MessageSearch {
    fileprivate init(wire request: WireSearchMessagesRequest) throws(RequestFailure) {
        let query = try checked { () throws(StoreError) in try SearchQuery(request.query) }
        let conversation =
            request.hasConversation ? try ConversationReference(request.conversation.reference) : nil
        self.init(query, in: conversation, limit: try request.limit.asLimit())
        before = try MessageCursor.given(request.beforeCursor)
        filter = try MessageFilter(request)
        switch request.order {
        case .unspecified, .newestFirst: order = .newestFirst
        case .bestFirst: order = .bestFirst
        case .UNRECOGNIZED(let value): throw .invalidArgument("the order \(value) is unknown to this daemon")
        }
    }
}
