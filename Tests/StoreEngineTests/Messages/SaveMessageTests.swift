import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct SaveMessageTests {
    let store: TemporaryStore
    let reader: StoreReader

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
    }

    func message(_ id: String, _ text: String = "hello", at microseconds: Int64 = 1_000) throws -> NewMessage {
        NewMessage(
            id: try EntityID(id), conversation: .session(try SessionID("alice")), text: text,
            senderSessionID: "alice", timestamp: Timestamp(microseconds: microseconds))
    }

    func alice() throws -> Conversation {
        try #require(try reader.conversation(.session(try SessionID("alice")), includeAvatar: false))
    }

    @Test func `a saved message is read back with every field`() throws {
        var new = try message("m1", "text with \u{0} and 日本語")
        new.recipientSessionID = "bob"
        new.status = .delivered
        new.attachmentURL = "file:///a"
        new.attachmentType = "image/png"
        new.replyToMessageID = try EntityID("m0")
        (new.kind, new.senderName) = ("notice", "Alice at that time")
        new.metadata = try Metadata(data: [1, 0, 2], type: "application/json")
        let commit = try store.engine.commit(.saveMessage(new))
        #expect(commit.createdCount == 1)
        let saved = try #require(try reader.message(try EntityID("m1")))
        #expect(saved.text == new.text)
        #expect(saved.recipientSessionID == "bob")
        #expect(saved.status == .delivered)
        #expect(saved.attachmentURL == "file:///a")
        #expect(saved.attachmentType == "image/png")
        #expect(saved.replyToMessageID?.text == "m0")
        #expect(saved.kind == "notice" && saved.senderName == "Alice at that time")
        #expect(saved.metadata?.content.data == [1, 0, 2] && saved.metadata?.content.type == "application/json")
        #expect(saved.timestamp.microseconds == 1_000)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `saving the same id again updates and never duplicates`() throws {
        try store.engine.write(.saveMessage(try message("m1")))
        let again = try store.engine.commit(.saveMessage(try message("m1", "changed", at: 5_000)))
        #expect(again.updatedCount == 1)
        #expect(again.createdCount == 0)
        let same = try store.engine.commit(.saveMessage(try message("m1", "changed", at: 5_000)))
        #expect(same.updatedCount == 0)
        #expect(same.revision == again.revision)
        #expect(try store.engine.statistics().messageCount == 1)
        #expect(try alice().lastMessage?.text == "changed")
        #expect(try alice().lastActivityAt.microseconds == 5_000)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `the last message is right if timestamps are out of order`() throws {
        for (id, time) in [("m2", Int64(2_000)), ("m3", 3_000), ("m1", 1_000)] {
            try store.engine.write(.saveMessage(try message(id, id, at: time)))
        }
        #expect(try alice().lastMessage?.id.text == "m3")
        try store.engine.write(.deleteMessages([try EntityID("m3")]))
        #expect(try alice().lastMessage?.id.text == "m2")
        #expect(try alice().unreadCount == 2)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `moving a message moves its counts`() throws {
        try store.engine.write(.saveMessage(try message("m1")))
        var moved = try message("m1")
        moved.conversation = .session(try SessionID("bob"))
        try store.engine.write(.saveMessage(moved))
        #expect(try alice().messageCount == 0)
        #expect(try alice().unreadCount == 0)
        #expect(try reader.conversation(.session(try SessionID("bob")), includeAvatar: false)?.messageCount == 1)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `either all messages of a request are saved or none`() throws {
        var bad = try message("m9")
        bad.conversation = .id(try EntityID("nowhere"))
        let error = #expect(throws: StoreError.self) {
            try store.engine.write(.saveMessages([try message("m1"), bad]))
        }
        #expect(error?.reason == .conversationNotFound)
        #expect(try store.engine.statistics().messageCount == 0)
        #expect(try store.engine.statistics().revision == 0)
        let commit = try store.engine.commit(.saveMessages((0..<256).map { try message("n\($0)", at: Int64($0)) }))
        #expect(commit.createdCount == 256)
        #expect(try alice().messageCount == 256)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `the unread count is right after changes of status, reads and edits`() throws {
        try store.engine.write(.saveMessages((0..<5).map { try message("m\($0)", at: Int64($0)) }))
        try store.engine.write(.updateMessageStatus([try EntityID("m1")], .failed))
        try store.engine.write(.markMessagesRead([try EntityID("m1"), try EntityID("m2")]))
        #expect(try alice().unreadCount == 3)
        try store.engine.write(.editMessage(try EntityID("m4"), text: "edited", editedAt: nil))
        #expect(try alice().lastMessage?.text == "edited")
        #expect(try reader.message(try EntityID("m4"))?.editedAt != nil)
        let commit = try store.engine.commit(.markConversationRead(.session(try SessionID("alice"))))
        #expect(commit.updatedCount == 3)
        #expect(try alice().unreadCount == 0)
        #expect(try store.engine.statistics().unreadCount == 0)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `deleting an unknown message is an error and deletes nothing`() throws {
        try store.engine.write(.saveMessage(try message("m1")))
        let error = #expect(throws: StoreError.self) {
            try store.engine.write(.deleteMessages([try EntityID("m1"), try EntityID("m2")]))
        }
        #expect(error?.reason == .messageNotFound)
        #expect(try store.engine.statistics().messageCount == 1)
    }

    @Test func `pages list a conversation in both orders without gaps or repeats`() throws {
        // Several messages have the same timestamp, so only the ids decide their order.
        try store.engine.write(.saveMessages((0..<25).map { try message("m\($0)", at: Int64($0 / 5)) }))
        for order in [MessageOrder.newestFirst, .oldestFirst] {
            var query = MessageQuery(conversation: .session(try SessionID("alice")), limit: 7, order: order)
            var seen: [String] = []
            while true {
                let page = try reader.messages(query)
                seen += page.messages.map(\.id.text)
                guard page.hasMore else { break }
                if order == .newestFirst { query.before = page.last } else { query.after = page.last }
            }
            let expected = (0..<25).map { "m\($0)" }
            #expect(seen == (order == .oldestFirst ? expected : expected.reversed()))
        }
    }

    @Test func `filters select by time, sender, direction, status and attachment`() throws {
        var outgoing = try message("out", at: 20)
        outgoing.isOutgoing = true
        outgoing.senderSessionID = "me"
        var attached = try message("att", at: 30)
        attached.attachmentURL = "x"
        attached.status = .sent
        try store.engine.write(.saveMessages([try message("in", at: 10), outgoing, attached]))
        var query = MessageQuery(conversation: .session(try SessionID("alice")))
        func ids(_ change: (inout MessageQuery) -> Void) throws -> [String] {
            var changed = query
            change(&changed)
            return try reader.messages(changed).messages.map(\.id.text)
        }
        query.order = .oldestFirst
        #expect(try ids { $0.filter.isOutgoing = true } == ["out"])
        #expect(try ids { $0.filter.senderSessionID = "alice" } == ["in", "att"])
        #expect(try ids { $0.filter.status = .sent } == ["att"])
        #expect(try ids { $0.filter.hasAttachment = false } == ["in", "out"])
        #expect(try ids { $0.filter.from = Timestamp(microseconds: 20) } == ["out", "att"])
        #expect(try ids { $0.filter.until = Timestamp(microseconds: 20) } == ["in"])
        #expect(
            try ids {
                $0.filter.isRead = false; $0.filter.isOutgoing = false
            } == ["in", "att"])
    }
}
