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
                var response = WireSearchMessagesResponse()
                let end = try reader.searchMessages(search) { found in
                    response.messages.append(WireFoundMessage(found))
                    return .goOn
                }
                response.lastCursor = end?.last?.text ?? ""
                response.hasMore_p = end?.hasMore ?? false
                return .result(.foundMessages(response))
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
        case .UNRECOGNIZED(let value): throw .invalidArgument("the order \(value) is not one this daemon knows")
        }
    }
}

extension WireFoundMessage {
    fileprivate init(_ found: FoundMessage) {
        self.init()
        message = WireMessage(found.message)
        snippet = found.snippet.text
        snippetOffset = UInt32(clamping: found.snippet.offset)
        matches = found.snippet.matches.map { match in
            .with {
                $0.offset = UInt32(clamping: match.lowerBound)
                $0.count = UInt32(clamping: match.count)
            }
        }
    }
}

extension WireMessage {
    /// By way of its bytes: how a message goes over the wire has one home, whose bytes can always be read.
    fileprivate init(_ message: BorrowedMessage) {
        let count = MessageEncoder.size(of: message)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            var writer = ProtobufWriter(UnsafeMutableRawBufferPointer(buffer))
            MessageEncoder.write(message, to: &writer)
            initializedCount = count
        }
        self = (try? WireMessage(serializedBytes: bytes)) ?? WireMessage()
    }
}
