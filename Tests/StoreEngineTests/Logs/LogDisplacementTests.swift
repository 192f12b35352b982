import Interchange
import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests appends that overwrite very many messages.
@Suite struct LogDisplacementTests {
    private let store: TemporaryStore
    private let name: LogName

    init() throws {
        store = try TemporaryStore()
        name = try LogName("ring")
    }

    private func open(_ maximumBytes: UInt64) throws -> CacheAdvanceFile {
        let configuration = LogConfiguration(maximumBytes: maximumBytes, overwritesOldest: true)
        try store.engine.write(.openLog(name, configuration))
        return CacheAdvanceFile(configuration.layout)
    }

    private func append(_ messages: [[UInt8]], to file: inout CacheAdvanceFile) throws {
        try store.engine.appendAll(messages, to: name)
        messages.forEach { _ = file.append($0) }
    }

    private func messages() throws -> [[UInt8]] {
        let reader = store.engine.makeReader()
        var query = LogQuery(log: name, limit: EngineLimits.pageRowsMax)
        var found: [[UInt8]] = []
        while true {
            let page = try reader.logEntries(query)
            if let first = page.entries.first, found.isEmpty {
                #expect(first.sequence == page.info.sequences?.lowerBound)
            }
            found += page.entries.map(\.data)
            guard page.hasMore, let last = page.entries.last else { return found }
            query.afterSequence = last.sequence
        }
    }

    private func rowCount(_ table: String) throws -> Int {
        try store.engine.makeReader().read { connection throws(StoreError) in
            Int(try mapped(connection.integer("SELECT count(*) FROM \(table)")) ?? -1)
        }
    }

    @Test func `an append that overwrites very many messages does not delete their rows in its commit`() throws {
        var file = try open(64 + 5 * 40_000)
        for _ in 0..<40 {
            try append(Array(repeating: [1], count: 1_000), to: &file)
        }
        let large = [UInt8](repeating: 2, count: 150_000)
        let engine = store.engine
        let gate = OneShot<Bool>()
        let rowsBehind = OneShot<Int?>()
        try engine.writer.hold(until: gate)
        engine.submit(WriteRequest(.appendLog(LogAppend(log: name, expected: nil, messages: [large])))) { _ in }
        try OwnThread.start {
            let count = try? engine.writer.perform { context throws(StoreError) in
                let connection = try context.openConnection()
                return Int(try mapped(connection.integer("SELECT count(*) FROM log_entries")) ?? -1)
            }
            rowsBehind.set(count)
        }
        #expect(eventually { engine.writer.waitingCount == 2 })
        gate.set(true)
        let rows = try #require(rowsBehind.wait())
        _ = file.append(large)
        #expect(file.messageCount < 11_000)
        #expect(rows > 20_000, "the commit and one step behind it left \(rows) rows")
        #expect(try messages() == file.messages)
        #expect(try engine.makeReader().log(name)?.usedBytes == file.messages.reduce(0) { $0 + 4 + UInt64($1.count) })
        #expect(try expectClean(engine) == [])
        #expect(try eventually { try rowCount("removals") == 0 })
        #expect(try rowCount("log_entries") == file.messageCount)
        #expect(try messages() == file.messages)
        #expect(try expectClean(engine) == [])
    }

    /// Checks the messages while rows of overwritten messages wait for their removal, while more messages are
    /// overwritten, and after a restart.
    @Test(arguments: 0..<UInt64(TestTier.count(2, long: 4)))
    func `a log has the same messages as the file, however many are overwritten at once`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var file = try open(UInt64.random(in: 20_000...40_000, using: &random))
        for step in 0..<40 {
            let kind = UInt8(step)
            switch Int.random(in: 0..<5, using: &random) {
            case 0...2:
                try append(Array(repeating: [kind], count: Int.random(in: 500...1_000, using: &random)), to: &file)
            case 3:
                try append([[UInt8](repeating: kind, count: Int.random(in: 5_000...19_000, using: &random))], to: &file)
            default:
                let bytes = Int.random(in: 100...3_000, using: &random)
                try append(Array(repeating: [UInt8](repeating: kind, count: bytes), count: 12), to: &file)
            }
            if step % 8 == 7 {
                #expect(try messages() == file.messages)
                #expect(try expectClean(store.engine) == [])
            }
            if step % 16 == 11 {
                try store.reopen()
            }
        }
        #expect(try eventually { try rowCount("removals") == 0 })
        #expect(try rowCount("log_entries") == file.messageCount)
    }

    @Test func `a log that is deleted while overwritten messages wait for removal leaves no rows`() throws {
        var file = try open(64 + 5 * 10_000)
        for _ in 0..<10 {
            try append(Array(repeating: [1], count: 1_000), to: &file)
        }
        try append([[UInt8](repeating: 2, count: 40_000)], to: &file)
        try store.engine.write(.deleteLog(name))
        #expect(try expectClean(store.engine) == [])
        #expect(try eventually { try rowCount("removals") == 0 })
        #expect(try rowCount("log_entries") == 0)
    }

    @Test(arguments: [("first_sequence = 9", true), ("first_sequence = 3", false)])
    func `a check finds a missing first message, and earlier rows that nothing removes`(
        change: String, isUnreadable: Bool
    ) throws {
        var file = try open(4_096)
        try append([[1], [2], [3], [4], [5]], to: &file)
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("UPDATE logs SET \(change)"))
        }
        if isUnreadable {
            #expect(reason { _ = try store.engine.makeReader().log(name) } == .databaseDamaged)
        }
        try store.reopen()
        #expect(try expectClean(store.engine).count == (isUnreadable ? 2 : 1))
    }
}
