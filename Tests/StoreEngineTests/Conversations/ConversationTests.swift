import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct ConversationTests {
    let store: TemporaryStore
    let reader: StoreReader

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
    }

    func create(_ session: String) throws -> String {
        let mutation = Mutation.getOrCreateConversation(try SessionID(session), id: nil, displayName: session)
        guard case .conversation(let conversation, _, _) = try store.engine.write(mutation) else {
            throw StoreError(.internal, "not answered by a conversation")
        }
        return conversation.id.text
    }

    @Test func `getting or creating a conversation twice returns the same one`() throws {
        let first = try create("alice")
        let second = try create("alice")
        #expect(first == second)
        #expect(try store.engine.statistics().conversationCount == 1)
        let byID = try reader.conversation(.id(try EntityID(first)), includeAvatar: true)
        #expect(byID?.displayName == "alice")
        #expect(byID?.lastMessage == nil)
    }

    @Test func `a conversation with an id in use is refused`() throws {
        let id = try EntityID(try create("alice"))
        let error = #expect(throws: StoreError.self) {
            try store.engine.write(.getOrCreateConversation(try SessionID("bob"), id: id, displayName: nil))
        }
        #expect(error?.reason == .alreadyExists)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `updates change only the given fields`() throws {
        let reference = ConversationReference.id(try EntityID(try create("alice")))
        try store.engine.write(.updateConversation(reference, ConversationUpdate(avatar: [1, 2, 3], isPinned: true)))
        var found = try #require(try reader.conversation(reference, includeAvatar: true))
        #expect(found.displayName == "alice")
        #expect(found.isPinned)
        #expect(found.avatar == [1, 2, 3])
        try store.engine.write(.updateConversation(reference, ConversationUpdate(displayName: "", avatar: [])))
        found = try #require(try reader.conversation(reference, includeAvatar: true))
        #expect(found.displayName == nil)
        #expect(found.avatar == nil)
        #expect(!found.hasAvatar)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `the list has pinned conversations first, then those with the newest activity, across pages`() throws {
        for index in 0..<10 {
            try store.engine.write(
                .saveMessage(
                    NewMessage(
                        conversation: .session(try SessionID("c\(index)")), text: "x",
                        timestamp: Timestamp(microseconds: Int64(4_000_000_000_000_000 + index)))))
        }
        for pinned in ["c2", "c5"] {
            try store.engine.write(
                .updateConversation(.session(try SessionID(pinned)), ConversationUpdate(isPinned: true)))
        }
        var seen: [String] = []
        var query = ConversationQuery(limit: 3)
        repeat {
            let page = try reader.conversations(query)
            seen += page.conversations.map(\.sessionID.text)
            query.cursor = page.nextCursor
        } while query.cursor != nil
        #expect(seen == ["c5", "c2", "c9", "c8", "c7", "c6", "c4", "c3", "c1", "c0"])
        let unpinned = try reader.conversations(ConversationQuery(isPinned: false))
        #expect(unpinned.conversations.count == 8)
        let unread = try reader.conversations(ConversationQuery(hasUnread: false))
        #expect(unread.conversations.isEmpty)
    }

    @Test func `deleting a conversation deletes its messages and corrects the counts`() throws {
        let id = try EntityID(try create("alice"))
        try store.engine.write(
            .saveMessages((0..<50).map { _ in NewMessage(conversation: .id(id), text: "x") }))
        _ = try create("bob")
        try store.engine.write(.deleteConversation(.id(id)))
        let statistics = try store.engine.statistics()
        #expect(statistics.messageCount == 0)
        #expect(statistics.unreadCount == 0)
        #expect(statistics.conversationCount == 1)
        #expect(try reader.conversation(.id(id), includeAvatar: false) == nil)
        let error = #expect(throws: StoreError.self) {
            try store.engine.write(.saveMessage(NewMessage(conversation: .id(id), text: "late")))
        }
        #expect(error?.reason == .conversationNotFound)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a cursor that no list has returned is refused`() throws {
        let error = #expect(throws: StoreError.self) {
            try reader.conversations(ConversationQuery(cursor: "x'; DROP TABLE messages"))
        }
        #expect(error?.reason == .invalidArgument)
    }
}
