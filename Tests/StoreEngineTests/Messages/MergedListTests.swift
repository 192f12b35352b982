import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Compares lists of the messages of all conversations with a sorted list in memory.
@Suite struct MergedListTests {
    private let fake = FakeClocks()
    private let samples = MergedSamples()

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `pages of every size contain the messages of all conversations in order`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let (store, samples) = try samples.store(fake, count: 90, &random)
        for order in [MessageOrder.newestFirst, .oldestFirst] {
            let expected = MergedSamples.sorted(samples, order)
            for limit in 1...samples.count + 1 {
                let listed = try pages(store.reader, MessageQuery(limit: limit, order: order))
                #expect(listed.map(\.id) == expected.map(\.id), "\(order), \(limit)")
            }
        }
        // Every message has the id of its own conversation.
        let ids = Dictionary(uniqueKeysWithValues: samples.map { ($0.id, $0.conversation) })
        for message in try pages(store.reader, MessageQuery(limit: 1_000)) {
            let session = SessionID(trusted: try #require(ids[message.id]))
            let conversation = try store.reader.conversation(.session(session), includeAvatar: false)
            #expect(message.conversationID == conversation?.id)
        }
    }

    @Test func `every filter selects the same messages as in memory`() throws {
        var random = SplitMix(seed: 4)
        let (store, samples) = try samples.store(fake, count: 300, &random)
        let middle = samples[150].time
        let filters: [(change: (inout MessageFilter) -> Void, admits: (MergedSamples.Sample) -> Bool)] = [
            ({ $0.senderSessionID = "bob" }, { $0.sender == "bob" }), ({ $0.isOutgoing = true }, \.isOutgoing),
            ({ $0.isOutgoing = false }, { !$0.isOutgoing }), ({ $0.status = .failed }, { $0.status == .failed }),
            ({ $0.hasAttachment = true }, \.hasAttachment), ({ $0.hasAttachment = false }, { !$0.hasAttachment }),
            ({ $0.isRead = true }, \.isRead), ({ $0.kind = "call" }, { $0.kind == "call" }),
            ({ $0.kind = "" }, { $0.kind.isEmpty }), ({ $0.from = middle }, { $0.time >= middle }),
            ({ $0.until = middle }, { $0.time < middle }), ({ $0.senderSessionID = "nobody" }, { _ in false }),
            (
                {
                    $0.from = middle
                    $0.isRead = false
                    $0.senderSessionID = "bob"
                }, { $0.time >= middle && !$0.isRead && $0.sender == "bob" }
            ),
        ]
        for (index, filter) in filters.enumerated() {
            for (order, limit) in [(MessageOrder.newestFirst, 7), (.oldestFirst, 7), (.newestFirst, 1_000)] {
                var query = MessageQuery(limit: limit, order: order)
                filter.change(&query.filter)
                let expected = MergedSamples.sorted(samples.filter(filter.admits), order)
                #expect(try pages(store.reader, query).map(\.id) == expected.map(\.id), "\(index), \(order)")
            }
        }
    }

    @Test func `cursors limit a list on both sides, in both orders`() throws {
        var random = SplitMix(seed: 5)
        let (store, samples) = try samples.store(fake, count: 120, &random)
        let sorted = MergedSamples.sorted(samples, .oldestFirst)
        for _ in 0..<200 {
            let ends = [sorted, sorted].map { $0[Int.random(in: 0..<$0.count, using: &random)].cursor }.sorted()
            for order in [MessageOrder.newestFirst, .oldestFirst] {
                var query = MessageQuery(limit: Int.random(in: 1...20, using: &random), order: order)
                (query.after, query.before) = (ends[0], ends[1])
                let between = sorted.filter { $0.cursor > ends[0] && $0.cursor < ends[1] }
                let expected = MergedSamples.sorted(between, order)
                let page = try store.reader.messages(query)
                // A page that skips expired messages may have fewer messages than requested.
                let ids = page.messages.map(\.id)
                #expect(ids == expected.prefix(ids.count).map(\.id))
                #expect(page.hasMore || ids.count == expected.count)
            }
        }
    }

    @Test(arguments: [MessageOrder.newestFirst, .oldestFirst], [6, 7] as [UInt64])
    func `a page continues at its cursor while messages are saved and deleted`(
        order: MessageOrder, seed: UInt64
    ) throws {
        var random = SplitMix(seed: seed)
        var (store, samples) = try samples.store(fake, count: 150, &random)
        var query = MessageQuery(order: order)
        var number = 150
        while true {
            query.limit = Int.random(in: 1...9, using: &random)
            let cursor = order == .newestFirst ? query.before : query.after
            let rest = samples.filter { sample in
                cursor.map { order == .newestFirst ? sample.cursor < $0 : sample.cursor > $0 } ?? true
            }
            let expected = MergedSamples.sorted(rest, order)
            let page = try store.reader.messages(query)
            let ids = page.messages.map(\.id)
            #expect(ids == expected.prefix(ids.count).map(\.id))
            #expect(page.hasMore || ids.count == expected.count)
            guard page.hasMore else { break }
            if order == .newestFirst { query.before = page.last } else { query.after = page.last }
            // Sometimes the message of the cursor is deleted, too.
            for _ in 0..<3 {
                let shown = samples.indices.filter { !samples[$0].isOver }
                let deleted = samples.remove(at: try #require(shown.randomElement(using: &random)))
                try store.engine.write(.deleteMessages([deleted.id]))
            }
            let saved = MergedSamples.Sample(number, start: samples[0].start, &random)
            number += 1
            guard saved.conversation != MergedSamples.deleted, !saved.isOver else { continue }
            try store.engine.write(.saveMessage(try saved.message()))
            samples.append(saved)
        }
    }

    @Test func `a page with a filter ends early and the next one continues, in both orders`() throws {
        let store = try TemporaryStore()
        for start in stride(from: 0, to: 20_000, by: 250) {
            let messages = (start..<start + 250).map { number in
                NewMessage(
                    conversation: .session(SessionID(trusted: "c\(number % 200)")), text: "text",
                    senderSessionID: number % 7_000 == 0 ? "bob" : "carol",
                    timestamp: Timestamp(microseconds: Int64(number)))
            }
            try store.engine.write(.saveMessages(messages))
        }
        for order in [MessageOrder.newestFirst, .oldestFirst] {
            var query = MessageQuery(limit: 1_000, order: order)
            query.filter.senderSessionID = "bob"
            let found = try pages(store.reader, query).map(\.timestamp.microseconds)
            #expect(found == (order == .oldestFirst ? [0, 7_000, 14_000] : [14_000, 7_000, 0]))
        }
    }

    @Test func `large messages of several conversations end a page`() throws {
        let store = try TemporaryStore()
        let text = String(repeating: "x", count: EngineLimits.messageTextBytesMax)
        for number in 0..<10 {
            try store.engine.write(
                .saveMessage(
                    NewMessage(
                        id: try EntityID("m\(number)"), conversation: .session(SessionID(trusted: "c\(number % 3)")),
                        text: text, timestamp: Timestamp(microseconds: Int64(number)))))
        }
        for order in [MessageOrder.newestFirst, .oldestFirst] {
            let first = try store.reader.messages(MessageQuery(order: order))
            #expect(first.messages.count == 3 && first.hasMore)
            let numbers = order == .oldestFirst ? Array(0..<10) : (0..<10).reversed()
            #expect(try pages(store.reader, MessageQuery(order: order)).map(\.id.text) == numbers.map { "m\($0)" })
        }
    }

    @Test func `a store without messages has an empty list`() throws {
        let store = try TemporaryStore()
        try store.engine.write(.getOrCreateConversation(SessionID("alice"), id: nil, displayName: nil))
        for order in [MessageOrder.newestFirst, .oldestFirst] {
            let page = try store.reader.messages(MessageQuery(order: order))
            #expect(page.messages.isEmpty && !page.hasMore && page.last == nil)
        }
        #expect(reason { _ = try store.reader.messages(MessageQuery(limit: 0)) } == .invalidArgument)
    }

    /// Checks the query plans: nothing is sorted, so opening a conversation reads one row.
    @Test func `conversations and their next messages are found in indexes`() throws {
        let store = try TemporaryStore()
        let plans = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            var plans: [String] = []
            for text in [ActiveConversations.byActivity, StoreReader.first(in: .newestFirst)] {
                let rows = try connection.rows(StatementText("EXPLAIN QUERY PLAN " + text.sql))
                while try rows.next() {
                    plans.append(try rows.text(3))
                }
            }
            return plans
        }
        #expect(plans.allSatisfy { !$0.contains("SCAN") && !$0.contains("TEMP B-TREE") }, "\(plans)")
        #expect(plans.count { $0.contains("conversations_by_activity") } == 2, "\(plans)")
    }

    /// Returns the messages of all pages of a list.
    private func pages(_ reader: StoreReader, _ query: MessageQuery) throws -> [StoredMessage] {
        var query = query
        var messages: [StoredMessage] = []
        while true {
            let page = try reader.messages(query)
            messages += page.messages
            guard page.hasMore else { return messages }
            let cursor = try MessageCursor(try #require(page.last).text)
            let previous = query.order == .newestFirst ? query.before : query.after
            #expect(cursor != previous, "every page advances")
            if query.order == .newestFirst { query.before = cursor } else { query.after = cursor }
        }
    }
}
