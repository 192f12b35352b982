import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that a request which fails after it has written undoes only its own changes.
@Suite struct SpoiledGroupTests {
    private let store: TemporaryStore

    /// Creates a trigger that refuses messages with a certain text. When it runs, the conversation of the message has
    /// already been written.
    init() throws {
        store = try TemporaryStore()
        try store.engine.saveNumbered(0..<2)
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(
                connection.execute(
                    """
                    CREATE TRIGGER spoil AFTER INSERT ON messages WHEN NEW.text = 'spoil'
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """))
        }
    }

    private func spoiling(_ number: Int) throws -> Mutation {
        .saveMessage(
            NewMessage(
                id: try EntityID("spoil-\(number)"), conversation: .session(try SessionID("new-\(number)")),
                text: "spoil"))
    }

    /// Checks that a store has exactly these messages.
    ///
    /// - Parameter numbers: the numbers of the messages.
    private func expect(_ engine: StoreEngine, has numbers: Range<Int>, _ what: String) throws {
        #expect(engine.state == .open, "\(what)")
        for number in numbers {
            #expect(try engine.hasNumbered(number), "\(what): \(number)")
        }
        #expect(try engine.makeReader().message(EntityID("spoil-0")) == nil, "\(what)")
        #expect(try engine.statistics().messageCount == numbers.count, "\(what)")
        #expect(try engine.statistics().conversationCount == 1, "\(what)")
        #expect(try expectClean(engine) == [], "\(what)")
    }

    @Test func `acknowledged batches that share a transaction with a failing request stay`() throws {
        let images = try StoreSpecimen.images(of: store) {
            var held = try HeldWrites(store.engine)
            try held.addNumbered(2..<6, .alone)
            try held.addNumbered(6..<8, .shared)
            held.add(try spoiling(0), .shared)
            try held.addNumbered(8..<10, .shared)
            held.add(try spoiling(1), .alone)
            try held.addNumbered(10..<12, .alone)
            let outcomes = held.finish()
            let failed = outcomes.indices.filter { if case .failure = outcomes[$0] { true } else { false } }
            #expect(failed == [6, 9])
        }
        try expect(store.engine, has: 0..<12, "at once")
        var last = try #require(images.last)
        for what in ["killed", "killed, without the log"] {
            let killed = try TemporaryStore(placing: last)
            try expect(killed.engine, has: 0..<12, what)
            last["store.db-wal"] = nil
        }
        try store.reopen()
        try expect(store.engine, has: 0..<12, "started again")
    }

    @Test func `a request that fails alone leaves the rest of the open transaction unchanged`() throws {
        var held = try HeldWrites(store.engine)
        try held.addNumbered(2..<4, .alone)
        held.add(try spoiling(0), .alone)
        held.add(try spoiling(1), .alone)
        _ = held.finish()
        // The read makes the writer commit the open transaction, from which the failed request was rolled back.
        try expect(store.engine, has: 0..<4, "at once")
        let killed = try TemporaryStore(placing: StoreSpecimen.image(of: store))
        try expect(killed.engine, has: 0..<4, "killed")
    }

    @Test func `requests in a batch with a request that meets damage are refused`() throws {
        let log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 10_000, overwritesOldest: false)))
        let append = Mutation.appendLog(LogAppend(log: log, expected: nil, messages: [[1]]))
        try store.engine.write(append)
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("UPDATE log_entries SET position = \(Int64.max)"))
        }
        try store.reopen()
        var held = try HeldWrites(store.engine)
        held.add(try spoiling(0), .shared)
        held.add(append, .shared)
        try held.addNumbered(2..<4, .shared)
        let reasons = held.finish().map { outcome -> ErrorReason? in
            if case .failure(let error) = outcome { error.reason } else { nil }
        }
        #expect(reasons == [.internal, .databaseDamaged, .databaseDamaged, .databaseDamaged])
        #expect(try store.engine.statistics().messageCount == 2)
    }

    /// Checks the writer's caches of conversations and logs. A failing request drops them with its transaction, and
    /// later requests fill them again.
    @Test func `appends continue with the next sequence after a failing request`() throws {
        let log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 10_000, overwritesOldest: false)))
        let append = Mutation.appendLog(LogAppend(log: log, expected: nil, messages: [[1], [2]]))
        var held = try HeldWrites(store.engine)
        held.add(append, .alone)
        held.add(append, .shared)
        held.add(try spoiling(0), .shared)
        held.add(append, .shared)
        held.add(append, .alone)
        let sequences = held.finish().compactMap { outcome -> ClosedRange<UInt64>? in
            if case .success(.appended(let sequences, _)) = outcome { sequences } else { nil }
        }
        #expect(sequences == [1...2, 3...4, 5...6, 7...8])
        let page = try store.engine.makeReader().logEntries(LogQuery(log: log, limit: 100))
        #expect(page.entries.map(\.sequence) == Array(1...8))
        #expect(try expectClean(store.engine) == [])
    }
}
