import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that messages with equal timestamps are always in the order of the bytes of their ids, in every ordered
/// result and whatever the order in which they were saved.
@Suite struct EqualTimestampTests {
    private static let count = 400
    private let talk = ConversationReference.session(SessionID(trusted: "talk"))

    /// Returns messages with ids of all kinds and three different times.
    private static func messages() throws -> [(id: EntityID, time: Int64)] {
        try (0..<count).map { number in
            (try EntityID(MixedIDs.text(number, Int64(number))), [5, 5, 5, 6, 7][number % 5])
        }
    }

    /// Returns the expected order, oldest first.
    private static func order() throws -> [EntityID] {
        try messages().sorted { ($0.time, $0.id) < ($1.time, $1.id) }.map(\.id)
    }

    private func store(seed: UInt64, keepCount: UInt32? = nil) throws -> TemporaryStore {
        var random = SplitMix(seed: seed)
        let store = try TemporaryStore()
        try store.engine.write(.getOrCreateConversation(SessionID("talk"), id: nil, displayName: nil))
        if let keepCount {
            let retention = ConversationRetention(keepCount: keepCount)
            let update = ConversationUpdate(retention: RetentionUpdate(all: retention))
            try store.engine.write(.updateConversation(talk, update))
        }
        for message in try Self.messages().shuffled(using: &random) {
            try store.engine.write(
                .saveMessage(
                    NewMessage(
                        id: message.id, conversation: talk, text: "hello \(message.id.text)",
                        timestamp: Timestamp(microseconds: message.time),
                        attachments: [AttachmentStore.attachment("x")])))
        }
        return store
    }

    /// Returns the ids in all pages of a list, with `limit` messages per page.
    private func pages(_ reader: StoreReader, _ order: MessageOrder, limit: Int) throws -> [EntityID] {
        var query = MessageQuery(conversation: talk, limit: limit, order: order)
        var ids: [EntityID] = []
        while true {
            let page = try reader.messages(query)
            ids += page.messages.map(\.id)
            guard page.hasMore, let last = page.last else { return ids }
            // The cursor is encoded and decoded, as it is when a client sends it back.
            let cursor = try MessageCursor(last.text)
            #expect(cursor == last)
            if order == .newestFirst { query.before = cursor } else { query.after = cursor }
        }
    }

    private func search(_ reader: StoreReader, limit: Int) throws -> [EntityID] {
        var search = MessageSearch(try SearchQuery("hello"), limit: limit)
        var ids: [EntityID] = []
        while true {
            let end = try reader.searchMessages(search) { found in
                ids.append(StoredMessage(found.message).id)
                return .goOn
            }
            guard let end, end.hasMore, let last = end.last else { return ids }
            search.before = try MessageCursor(last.text)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `lists, pages, searches and files have the order of ids`(
        seed: UInt64
    ) throws {
        let store = try store(seed: seed)
        let order = try Self.order()
        let reader = store.engine.makeReader()
        for limit in [1, 7, 100, 1_000] {
            #expect(try pages(reader, .oldestFirst, limit: limit) == order)
            #expect(try pages(reader, .newestFirst, limit: limit) == order.reversed())
        }
        #expect(try reader.conversation(talk, includeAvatar: false)?.lastMessage?.id == order.last)
        let archived = try store.engine.archived().compactMap {
            if case .message(let held) = $0 { held.id } else { nil }
        }
        #expect(archived == order)
        let attached = try attachments(reader, limit: 9)
        #expect(attached == order.reversed())
        for isIndexed in [false, true] {
            if isIndexed {
                try store.engine.writer.perform { context throws(StoreError) in
                    while try SearchUpkeep.step(context) != .none {}
                }
            }
            #expect(try search(reader, limit: 13) == order.reversed(), "\(isIndexed)")
        }
        #expect(try expectClean(store.engine) == [])
        // After the last message of the conversation is deleted, the message before it is shown.
        for (last, before) in zip(order.reversed(), order.reversed().dropFirst()).prefix(30) {
            try store.engine.write(.deleteMessages([last]))
            #expect(try reader.conversation(talk, includeAvatar: false)?.lastMessage?.id == before)
        }
    }

    private func attachments(_ reader: StoreReader, limit: Int) throws -> [EntityID] {
        var query = AttachmentQuery(of: .conversation(talk), limit: limit)
        var ids: [EntityID] = []
        while true {
            let page = try reader.attachments(query)
            ids += page.attachments.map(\.messageID)
            guard let next = page.nextCursor else { return ids }
            query.cursor = try AttachmentCursor(next.text)
        }
    }

    @Test(arguments: [1, 30, 399] as [UInt32])
    func `a conversation that keeps a number of messages keeps the same ones in every store`(
        keepCount: UInt32
    ) throws {
        let order = try Self.order()
        for seed in [4, 5] as [UInt64] {
            let store = try store(seed: seed, keepCount: keepCount)
            try store.engine.write(.removeDueMessages)
            let kept = try pages(store.engine.makeReader(), .oldestFirst, limit: 1_000)
            #expect(kept == order.suffix(Int(keepCount)), "\(seed)")
        }
    }

    @Test func `messages with equal times and ids from the daemon stay in the order of saving`() throws {
        let store = try TemporaryStore()
        let time = Timestamp(microseconds: 1)
        for start in stride(from: 0, to: 600, by: 200) {
            try store.engine.write(
                .saveMessages(
                    (start..<start + 200).map { NewMessage(conversation: talk, text: "\($0)", timestamp: time) }))
        }
        let query = MessageQuery(conversation: talk, limit: 1_000, order: .oldestFirst)
        #expect(try store.engine.makeReader().messages(query).messages.map(\.text) == (0..<600).map { "\($0)" })
    }

    @Test func `conversations with equal last activity are listed by their ids`() throws {
        var random = SplitMix(seed: 6)
        let ids = try (0..<60).map { try EntityID(MixedIDs.text($0, Int64($0))) }
        let store = try TemporaryStore()
        for (number, id) in ids.shuffled(using: &random).enumerated() {
            let session = try SessionID("s\(number)")
            try store.engine.write(.getOrCreateConversation(session, id: id, displayName: nil))
            try store.engine.write(
                .saveMessage(NewMessage(conversation: .id(id), text: "x", timestamp: Timestamp(microseconds: 9))))
        }
        for limit in [1, 7, 100] {
            var query = ConversationQuery(limit: limit)
            var listed: [EntityID] = []
            repeat {
                let page = try store.engine.makeReader().conversations(query)
                listed += page.conversations.map(\.id)
                query.cursor = page.nextCursor
            } while query.cursor != nil
            #expect(listed == ids.sorted(by: >), "\(limit)")
        }
    }

    /// Checks the query plan: SQLite seeks to the beginning of a page. So even a page among a million messages with one
    /// timestamp is as fast as any other page.
    @Test func `a page seeks to its cursor among messages with equal timestamps`() throws {
        let store = try store(seed: 7)
        var query = MessageQuery(conversation: talk, limit: 10)
        query.before = MessageCursor(timestamp: Timestamp(microseconds: 5), id: try EntityID("m"))
        let condition = MessageCondition(query, conversation: 1, limit: 10)
        let plans = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            var plans: [String] = []
            for order in [MessageOrder.newestFirst, .oldestFirst] {
                let text = StatementText("EXPLAIN QUERY PLAN " + StoreReader.page(of: condition, in: order).sql)
                let rows = try connection.rows(text)
                while try rows.next() {
                    plans.append(try rows.text(3))
                }
            }
            return plans
        }
        // Texts of long messages are found by message number, so their plans are left out.
        let messages = plans.filter { $0.contains("messages AS m") }
        #expect(messages.count == 2, "\(plans)")
        #expect(plans.allSatisfy { $0.hasPrefix("SEARCH") || $0.hasPrefix("EXECUTE CORRELATED") }, "\(plans)")
        for plan in messages {
            #expect(plan.contains("(timestamp,id)>(?,?) AND (timestamp,id)<(?,?)"), "\(plan)")
        }
    }
}
