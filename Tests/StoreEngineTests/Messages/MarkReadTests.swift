import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct MarkReadTests {
    @Test func `marking more messages than a request may name is repeated by its key`() throws {
        let store = try TemporaryStore()
        let alice = ConversationReference.session(try SessionID("alice"))
        let count = EngineLimits.requestEntitiesMax + 1
        for part in [EngineLimits.requestEntitiesMax, 1] {
            try store.engine.write(.saveMessages((0..<part).map { _ in NewMessage(conversation: alice, text: "x") }))
        }
        let key = try IdempotencyKey("mark-all-read")
        let first = try store.engine.commit(.markConversationRead(alice), key: key)
        #expect(first.updatedCount == count && first.ids.isEmpty)
        var second = try store.engine.commit(.markConversationRead(alice), key: key)
        #expect(second.isReplayed)
        second.isReplayed = false
        #expect(second == first)
        #expect(try store.engine.statistics().unreadCount == 0)
        try store.engine.write(.saveMessage(NewMessage(conversation: alice, text: "the store still takes writes")))
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a message is not written again with the status that it has, and can be deleted`() throws {
        let store = try TemporaryStore()
        let message = NewMessage(
            id: try EntityID("m1"), conversation: .session(try SessionID("alice")), text: "text",
            timestamp: Timestamp(microseconds: 5), status: .delivered, isOutgoing: true, isRead: true)
        try store.engine.write(.saveMessage(message))
        try store.engine.write(.updateMessageStatus([try EntityID("m1")], .failed))
        #expect(try store.engine.makeReader().message(try EntityID("m1"))?.status == .failed)
        #expect(try store.engine.commit(.updateMessageStatus([try EntityID("m1")], .failed)).updatedCount == 0)
        #expect(try store.engine.commit(.markMessagesRead([try EntityID("m1")])).updatedCount == 0)
        #expect(try store.engine.commit(.deleteMessages([try EntityID("m1")])).deletedCount == 1)
        #expect(try expectClean(store.engine) == [])
    }
}
