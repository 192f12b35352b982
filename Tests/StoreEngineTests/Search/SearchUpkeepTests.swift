import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests that the index follows saved, edited and deleted messages.
@Suite struct SearchUpkeepTests {
    /// A store, and a model of its content.
    private struct Model {
        struct Message {
            var text: String
            var conversation: Int
            var timestamp: Int64
        }

        let store: TemporaryStore
        /// One reader for all searches. It keeps what it has read of the index.
        var reader: StoreReader
        var messages: [EntityID: Message] = [:]
        var random: SplitMix
        var number = 0

        static let words = ["one", "two", "three", "thread", "中文字", "文中", "👍", "once", "on", "@bob"]
        static let conversations = 3

        init(_ store: TemporaryStore, seed: UInt64) {
            self.store = store
            reader = store.engine.makeReader()
            random = SplitMix(seed: seed)
        }

        static func conversation(_ number: Int) -> ConversationReference {
            .session(SessionID(trusted: "session-\(number)"))
        }

        mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

        mutating func text() -> String {
            (0..<(1 + below(4))).map { _ in Self.words[below(Self.words.count)] }.joined(separator: " ")
        }

        mutating func message() -> Message {
            Message(text: text(), conversation: below(Self.conversations), timestamp: Int64(below(1_000)))
        }

        mutating func someID() -> EntityID? {
            let ids = messages.keys.sorted { $0.text < $1.text }
            return ids.isEmpty ? nil : ids[below(ids.count)]
        }

        mutating func reopen() throws {
            try store.reopen()
            reader = store.engine.makeReader()
        }

        mutating func save(_ count: Int) throws {
            var saved: [NewMessage] = []
            for _ in 0..<count {
                number += 1
                // Some ids belong to existing or deleted messages.
                let id = EntityID(trusted: "m\(below(5) == 0 ? below(number) : number)")
                let message = message()
                messages[id] = message
                saved.append(
                    NewMessage(
                        id: id, conversation: Self.conversation(message.conversation), text: message.text,
                        timestamp: Timestamp(microseconds: message.timestamp)))
            }
            _ = try store.engine.commit(.saveMessages(saved))
        }

        mutating func edit() throws {
            guard let id = someID() else { return }
            let text = text()
            messages[id]?.text = text
            _ = try store.engine.commit(.editMessage(id, text: text, editedAt: nil))
        }

        mutating func delete() throws {
            guard let id = someID() else { return }
            messages[id] = nil
            _ = try store.engine.commit(.deleteMessages([id]))
        }

        mutating func deleteConversation() throws {
            guard let id = someID(), let number = messages[id]?.conversation else { return }
            messages = messages.filter { $0.value.conversation != number }
            _ = try store.engine.commit(.deleteConversation(Self.conversation(number)))
        }

        mutating func change() throws {
            switch below(20) {
            case 0...6: try save(1 + below(20))
            case 7...10: try edit()
            case 11...13: try delete()
            case 14: try deleteConversation()
            case 15: try store.engine.write(.compactChanges(throughRevision: .max))
            case 16 where below(8) == 0:
                _ = try store.engine.commit(.clearAllData)
                messages = [:]
            default: try step()
            }
        }

        func step() throws {
            try store.engine.writer.perform { context throws(StoreError) in
                _ = try SearchUpkeep.step(context)
            }
        }

        /// Returns the expected messages, newest first. Equal times are ordered by id.
        func expected(_ query: SearchQuery, in conversation: Int? = nil) -> [EntityID] {
            messages.filter { _, message in
                conversation.map { $0 == message.conversation } ?? true
                    && query.expression.matches(TermScanner.terms(of: message.text))
            }
            .sorted { ($0.value.timestamp, $0.key) > ($1.value.timestamp, $1.key) }
            .map(\.key)
        }

        func expectFound(_ comment: Comment) throws {
            for text in SearchUpkeepTests.queries {
                let query = try SearchQuery(text)
                let found = try reader.found(MessageSearch(query, limit: 9))
                #expect(found.map(\.id) == expected(query), comment)
            }
        }
    }

    private static let queries = [
        "one", "one two", "on*", "\"one two\"", "one NOT two", "one OR 👍", "文", "中文字", "@bob", "nothing",
    ]

    @Test func `a search finds the same messages as a comparison of all texts, whatever the index already contains`()
        throws
    {
        let store = try TemporaryStore()
        var model = Model(store, seed: 21)
        for round in 0..<240 {
            try model.change()
            if round % 12 == 11 {
                try model.expectFound("round \(round)")
            }
            if round == 120 {
                try model.reopen()
            }
        }
        #expect(try expectClean(store.engine) == [])
        try store.engine.index()
        try model.expectFound("at the end")
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `an index that is rebuilt during changes contains the messages that exist at the end`() throws {
        let store = try TemporaryStore()
        var model = Model(store, seed: 22)
        try model.save(200)
        for round in 0..<4 {
            try store.engine.writer.perform { context throws(StoreError) in
                try SearchUpkeep.startOver(.rebuilding, context)
            }
            for _ in 0..<4 {
                try model.change()
            }
            if round == 2 {
                try model.reopen()
            }
            try store.engine.index()
            try model.expectFound("round \(round)")
            #expect(try expectClean(store.engine) == [])
        }
        try store.engine.rebuildSearchIndex()
        try model.expectFound("rebuilt")
    }

    @Test func `a search in one conversation with many messages finds them, and filters apply`() throws {
        let store = try TemporaryStore()
        for conversation in ["anna", "bert"] {
            let messages = (0..<300).map { number in
                NewMessage(
                    conversation: .session(SessionID(trusted: conversation)), text: "word \(number % 30)",
                    timestamp: Timestamp(microseconds: Int64(number)), isOutgoing: number % 2 == 0)
            }
            for start in [0, 200] {
                _ = try store.engine.commit(.saveMessages(Array(messages[start...].prefix(200))))
            }
        }
        for _ in 0..<2 {
            var search = MessageSearch(
                try SearchQuery("7 word"), in: .session(SessionID(trusted: "anna")), limit: 3)
            #expect(try store.engine.found(search).count == 10)
            search.filter.from = Timestamp(microseconds: 37)
            search.filter.until = Timestamp(microseconds: 97)
            #expect(try store.engine.found(search).map(\.timestamp.microseconds) == [67, 37])
            search.conversation = nil
            #expect(try store.engine.found(search).count == 4)
            search.filter.isOutgoing = true
            #expect(try store.engine.found(search).isEmpty)
            try store.engine.index()
        }
    }

    @Test func `deleted messages leave the index, and after a restart the index continues where it ended`() throws {
        let store = try TemporaryStore()
        var model = Model(store, seed: 23)
        try model.save(100)
        try store.engine.index()
        try model.save(100)
        try model.reopen()
        try store.engine.index()
        try model.expectFound("after it was opened")
        let ids = model.messages.keys.map { $0 }
        _ = try store.engine.commit(.deleteMessages(Array(ids.prefix(50))))
        _ = try store.engine.commit(.deleteConversation(Model.conversation(0)))
        _ = try store.engine.commit(.deleteConversation(Model.conversation(1)))
        _ = try store.engine.commit(.deleteConversation(Model.conversation(2)))
        try store.engine.index()
        #expect(eventually { (try? store.engine.count("SELECT count(*) FROM search_blocks")) == 0 })
        #expect(try store.engine.count("SELECT count(*) FROM search_pending") == 0)
    }

    @Test func `rows of compacted changes stay until the index has read them`() throws {
        let store = try TemporaryStore()
        var model = Model(store, seed: 24)
        try model.save(20)
        try store.engine.write(.compactChanges(throughRevision: .max))
        try store.engine.index()
        try model.expectFound("after a compaction")
        #expect(eventually { (try? store.engine.count("SELECT count(*) FROM changes")) == 1 })
    }

    @Test func `an invalid index is reported as an error and does not stop other work`() throws {
        let store = try TemporaryStore()
        var model = Model(store, seed: 25)
        try model.save(200)
        try store.engine.index()
        try store.engine.execute("UPDATE search_blocks SET lists = x'ff'")
        #expect(
            try expectClean(store.engine) == [
                "the search index is invalid; rebuild it with `ghoststorectl search rebuild`"
            ])
        try model.reopen()
        let search = MessageSearch(try SearchQuery("one"))
        #expect(throws: StoreError.self) { try store.engine.found(search) }
        let first = try #require(model.messages.keys.first)
        _ = try store.engine.commit(.deleteMessages([first]))
        model.messages[first] = nil
        try store.engine.index()
        do {
            _ = try store.engine.found(search)
            Issue.record("an index that was given up was asked")
        } catch {
            #expect((error as? StoreError)?.reason == .searchIndexIncomplete)
        }
        #expect(
            try store.engine.found(MessageSearch(SearchQuery("one"), in: Model.conversation(1))).count
                == model.expected(SearchQuery("one"), in: 1).count)
        try model.save(20)
        try store.engine.index()
        try store.engine.rebuildSearchIndex()
        try model.expectFound("rebuilt")
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `words that are missing from the index are found by a check`() throws {
        let store = try TemporaryStore()
        var model = Model(store, seed: 26)
        try model.save(50)
        try store.engine.index()
        try store.engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                let index = SearchIndex(connection)
                guard var block = try index.lastBlock(1) else { return }
                block.lists.removeLast()
                try index.replace(block)
            }
        }
        #expect(try expectClean(store.engine).count == 1)
    }

    @Test func `a search that needs several pages for large texts finds all of them`() throws {
        let store = try TemporaryStore()
        let filler = String(repeating: "lorem ipsum ", count: 4_000)
        _ = try store.engine.commit(
            .saveMessages(
                (0..<8).map { _ in
                    NewMessage(conversation: .session(SessionID(trusted: "anna")), text: filler + "needle")
                }))
        #expect(try store.engine.found(MessageSearch(SearchQuery("needle"))).count == 8)
    }
}

extension StoreReader {
    /// Returns the messages that a search finds on all pages.
    fileprivate func found(_ search: MessageSearch) throws -> [StoredMessage] {
        var search = search
        var found: [StoredMessage] = []
        while let end = try searchMessages(
            search,
            { message in
                found.append(StoredMessage(message.message))
                return .goOn
            }), end.hasMore
        {
            search.before = end.last
        }
        return found
    }
}

extension StoreEngine {
    fileprivate func found(_ search: MessageSearch) throws -> [StoredMessage] {
        try makeReader().found(search)
    }

    /// Updates the index until there is nothing left to do.
    fileprivate func index() throws {
        while try writer.perform({ context throws(StoreError) in
            try SearchUpkeep.step(context)
            return context.searchBacklog.hasWork
        }) {}
    }

    fileprivate func count(_ sql: String) throws -> Int64? {
        try writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer(sql))
        }
    }
}
