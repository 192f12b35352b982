import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests messages whose texts are in rows of their own.
@Suite struct LongTextTests {
    private static let inline = String(repeating: "ä", count: EngineLimits.inlineTextBytesMax / 2)
    private static let long = inline + "b"
    private static let longer = String(repeating: "needle ", count: 100_000)

    private let store: TemporaryStore
    private let reader: StoreReader

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
    }

    private func save(_ id: String, _ text: String, in session: String = "alice", at time: Int64 = 1) throws {
        let message = NewMessage(
            id: try EntityID(id), conversation: .session(try SessionID(session)), text: text,
            timestamp: Timestamp(microseconds: time))
        try store.engine.write(.saveMessage(message))
    }

    private func text(_ id: String) throws -> String? {
        try reader.message(try EntityID(id))?.text
    }

    private var rowCount: Int {
        get throws { try store.engine.rowCount(of: "message_texts") }
    }

    /// Returns the texts of all pages. A page ends early if searching a long text takes too long.
    private func found(_ query: String) throws -> [String] {
        var texts: [String] = []
        var search = MessageSearch(try SearchQuery(query), limit: 10)
        while true {
            let end = try reader.searchMessages(search) { message in
                texts.append(StoredMessage(message.message).text)
                return .goOn
            }
            guard let end, end.hasMore else { return texts }
            search.before = end.last
        }
    }

    @Test func `a text is complete on both sides of the limit, and only the longer one has a row`() throws {
        try save("m1", Self.inline)
        #expect(try rowCount == 0)
        try save("m2", Self.long)
        #expect(try rowCount == 1)
        #expect(try text("m1") == Self.inline)
        #expect(try text("m2") == Self.long)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `an empty text has no row of its own`() throws {
        try save("m1", "")
        #expect(try text("m1") == "")
        #expect(try rowCount == 0)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a list, a conversation and a search show a long text`() throws {
        let session = ConversationReference.session(try SessionID("alice"))
        try save("m1", Self.longer, at: 1)
        try save("m2", "needle", at: 2)
        try save("m3", Self.long, at: 3)
        let listed = try reader.messages(MessageQuery(conversation: session, order: .oldestFirst)).messages
        #expect(listed.map(\.text) == [Self.longer, "needle", Self.long])
        #expect(try reader.conversation(session, includeAvatar: false)?.lastMessage?.text == Self.long)
        for isIndexed in [false, true] {
            if isIndexed {
                try store.engine.writer.perform { context throws(StoreError) in
                    while try SearchUpkeep.step(context) != .none {}
                }
            }
            #expect(try found("needle") == ["needle", Self.longer], "\(isIndexed)")
        }
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `an edit can make a text long, and short again`() throws {
        try save("m1", "short")
        for text in [Self.long, Self.longer, "short again", Self.long] {
            try store.engine.write(.editMessage(try EntityID("m1"), text: text, editedAt: nil))
            #expect(try self.text("m1") == text)
            #expect(try rowCount == (text.utf8.count > EngineLimits.inlineTextBytesMax ? 1 : 0))
        }
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a message that is saved again or moved has one text`() throws {
        try save("m1", Self.long)
        try save("m1", Self.long, at: 2)
        #expect(try text("m1") == Self.long)
        try save("m1", Self.longer, in: "bob", at: 2)
        #expect(try text("m1") == Self.longer)
        #expect(try rowCount == 1)
        try save("m1", "short", in: "bob", at: 2)
        #expect(try text("m1") == "short")
        #expect(try rowCount == 0)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a change of status leaves a long text where it is`() throws {
        try save("m1", Self.long)
        try store.engine.write(.updateMessageStatus([try EntityID("m1")], .delivered))
        try store.engine.write(.markMessagesRead([try EntityID("m1")]))
        #expect(try reader.message(try EntityID("m1"))?.status == .delivered)
        #expect(try text("m1") == Self.long)
        #expect(try rowCount == 1)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a long text is deleted with its message, with its conversation and by a clear`() throws {
        try save("m1", Self.long)
        try store.engine.write(.deleteMessages([try EntityID("m1")]))
        #expect(try rowCount == 0)
        try save("m2", Self.long)
        try store.engine.write(.deleteConversation(.session(try SessionID("alice"))))
        #expect(try eventually { try rowCount == 0 })
        try save("m3", Self.long)
        try store.engine.write(.clearAllData)
        #expect(try eventually { try rowCount == 0 })
        #expect(try expectClean(store.engine) == [])
    }

    /// Tests an id that is used again while the row of the deleted message may still wait for its removal.
    @Test func `a long text can use the id of a deleted message whose row still exists`() throws {
        try save("m1", Self.longer)
        try store.engine.write(.deleteConversation(.session(try SessionID("alice"))))
        try save("m1", Self.long)
        #expect(try text("m1") == Self.long)
        #expect(try eventually { try rowCount == 1 })
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a long text that only the journal contains is present after a kill`() throws {
        let files = try StoreSpecimen.image(of: store) { try save("m1", Self.long) }
        let copy = try TemporaryStore(placing: files)
        #expect(try copy.engine.makeReader().message(try EntityID("m1"))?.text == Self.long)
        #expect(try copy.engine.rowCount(of: "message_texts") == 1)
        #expect(try expectClean(copy.engine) == [])
    }
}
