import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct ReactionTests {
    private let store: TemporaryStore
    private let alice: ConversationReference

    init() throws {
        store = try TemporaryStore()
        alice = .session(try SessionID("alice"))
        try save("m1")
    }

    private func save(_ id: String, text: String = "text", in conversation: ConversationReference? = nil) throws {
        try store.engine.write(
            .saveMessage(NewMessage(id: try EntityID(id), conversation: conversation ?? alice, text: text)))
    }

    private func reference(_ emoji: String, _ author: String, to id: String) throws -> ReactionReference {
        ReactionReference(
            messageID: try EntityID(id), authorSessionID: try SessionID(author), emoji: try Emoji(emoji))
    }

    @discardableResult
    private func add(_ emoji: String, by author: String, to id: String = "m1") throws -> Commit {
        try store.engine.commit(.addReaction(try reference(emoji, author, to: id)))
    }

    @discardableResult
    private func remove(_ emoji: String, by author: String, from id: String = "m1") throws -> Commit {
        try store.engine.commit(.removeReaction(try reference(emoji, author, to: id)))
    }

    /// Returns the reactions of a message as a reader shows them.
    private func sums(_ id: String = "m1") throws -> [ReactionSum] {
        try #require(try store.engine.makeReader().message(try EntityID(id))).reactions
    }

    private func rowCount() throws -> Int {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return Int(try mapped(connection.integer("SELECT count(*) FROM reactions")) ?? 0)
        }
    }

    @Test func `a message counts its reactions by emoji, in the order in which each emoji was first added`() throws {
        #expect(try sums().isEmpty)
        let first = try add("👍", by: "a")
        #expect(first.createdCount == 1 && first.revision == 3 && first.ids == ["m1"])
        try add("e\u{301}", by: "a")
        try add("\u{e9}", by: "a")
        try add("👍", by: "b")
        #expect(try add("👍", by: "b").createdCount == 0)
        let sums = try sums()
        #expect(sums.map(\.count) == [2, 1, 1])
        #expect(sums.map { Array($0.emoji.utf8) } == ["👍", "e\u{301}", "\u{e9}"].map { Array($0.utf8) })
        let page = try store.engine.makeReader().messages(MessageQuery(conversation: alice))
        #expect(page.messages.map(\.reactions) == [sums])
        #expect(try remove("👍", by: "a").deletedCount == 1)
        #expect(try remove("👍", by: "a").deletedCount == 0)
        #expect(try self.sums().map(\.count) == [1, 1, 1], "the emoji keeps its place")
        try remove("👍", by: "b")
        try add("👍", by: "c")
        #expect(try self.sums().map(\.emoji).last == "👍")
        let kinds = ChangeFilter(kinds: [.reaction], conversationID: page.messages[0].conversationID.text)
        let changes = try store.engine.makeReader().changes(after: 0, limit: 20, kinds).changes
        #expect(changes.map(\.operation) == [.created, .created, .created, .created, .deleted, .deleted, .created])
        #expect(changes.allSatisfy { $0.id == "m1" && $0.parent == page.messages[0].conversationID.text })
        try store.reopen()
        #expect(try self.sums().count == 3)
        #expect(try expectClean(store.engine) == [])
    }

    @Test(arguments: ["👍", "👩‍👩‍👧‍👦", "🇩🇪", "1️⃣", "x", "ก็"])
    func `one grapheme cluster is accepted`(emoji: String) throws {
        #expect(try Emoji(emoji).text == emoji)
    }

    @Test(arguments: ["", "👍👍", "ab", "\0", "e" + String(repeating: "\u{301}", count: 32)])
    func `a text that is not a single grapheme cluster is refused`(text: String) {
        #expect(reason { _ = try Emoji(text) } == .invalidArgument)
    }

    @Test func `reactions to missing messages are refused`() throws {
        #expect(reason { try add("👍", by: "a", to: "none") } == .messageNotFound)
        #expect(reason { try remove("👍", by: "a", from: "none") } == .messageNotFound)
        #expect(
            reason { _ = try store.engine.makeReader().reactions(to: try EntityID("none"), limit: 1, cursor: nil) }
                == .messageNotFound)
    }

    @Test func `reactions are listed in the order in which they were added, in pages`() throws {
        for author in ["b", "a", "c"] {
            try add("👍", by: author)
        }
        try add("x", by: "a")
        try remove("👍", by: "a")
        try add("👍", by: "a")
        let reader = store.engine.makeReader()
        var found: [[String]] = []
        var cursor: String?
        repeat {
            let page = try reader.reactions(to: try EntityID("m1"), limit: 2, cursor: cursor)
            found.append(page.reactions.map { $0.emoji.text + $0.authorSessionID.text })
            cursor = page.nextCursor
        } while cursor != nil
        #expect(found == [["👍b", "👍c"], ["xa", "👍a"]])
        #expect(reason { _ = try reader.reactions(to: try EntityID("m1"), limit: 2, cursor: "x") } == .invalidArgument)
    }

    @Test func `a message has at most as many emoji and reactions as the limits allow`() throws {
        for number in 0..<EngineLimits.messageEmojiMax {
            try add(String(try #require(UnicodeScalar(0x4e00 + number))), by: "a")
        }
        #expect(reason { try add("👍", by: "a") } == .tooManyReactions)
        #expect(try add("\u{4e00}", by: "b").createdCount == 1)
        // The limit is checked with counts alone; the rows of other reactions are not needed.
        var counts = ReactionCounts()
        for _ in 0..<EngineLimits.messageReactionsMax {
            try counts.add(try Emoji("x"))
        }
        #expect(reason { try counts.add(try Emoji("x")) } == .tooManyReactions)
        #expect(reason { try counts.add(try Emoji("y")) } == .tooManyReactions)
        #expect(counts.bytes == [1, 0x78, 0x90, 0x4e])
    }

    @Test func `a message that is saved again, edited or moved keeps its reactions`() throws {
        try add("👍", by: "a")
        let sums = try sums()
        try save("m1", text: "other")
        try store.engine.write(.editMessage(try EntityID("m1"), text: "edited", editedAt: nil))
        try store.engine.write(.markMessagesRead([try EntityID("m1")]))
        try save("m1", in: .session(try SessionID("bob")))
        #expect(try self.sums() == sums)
        #expect(try remove("👍", by: "a").deletedCount == 1)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `reactions are deleted with their message, and a new message with its id has none`() throws {
        for number in 0..<(EngineLimits.stepRowsMax + 10) {
            try add("👍", by: "a\(number)")
        }
        try save("m2")
        try add("x", by: "a", to: "m2")
        try store.engine.write(.deleteMessages([try EntityID("m1")]))
        try save("m1")
        #expect(try sums().isEmpty)
        #expect(try eventually { try rowCount() == 1 })
        #expect(try expectClean(store.engine) == [])
        try store.engine.write(.deleteConversation(alice))
        #expect(try expectClean(store.engine) == [])
        #expect(try eventually { try rowCount() == 0 })
    }

    @Test func `a message whose id belonged to a deleted one has none of its reactions, even before their removal`()
        throws
    {
        try add("👍", by: "a")
        let outcomes = (0..<2).map { _ in OneShot<Result<MutationResult, StoreError>>() }
        let mutations: [Mutation] = [
            .deleteConversation(alice),
            .saveMessage(NewMessage(id: try EntityID("m1"), conversation: alice, text: "new")),
        ]
        // The writer is held, so that one batch contains both requests.
        try store.engine.writer.perform { [engine = store.engine] _ throws(StoreError) in
            for (mutation, outcome) in zip(mutations, outcomes) {
                engine.submit(WriteRequest(mutation)) { outcome.set($0) }
            }
        }
        for outcome in outcomes {
            _ = try outcome.wait().get()
        }
        #expect(try sums().isEmpty)
        #expect(try eventually { try rowCount() == 0 })
        #expect(try expectClean(store.engine) == [])
    }
}
