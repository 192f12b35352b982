import Interchange
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct LogMetadataTests {
    private static let long = [UInt8](repeating: 8, count: EngineLimits.metadataBytesMax)

    private let store: TemporaryStore
    private let name: LogName

    init() throws {
        store = try TemporaryStore()
        name = try LogName("log")
    }

    private func open(_ maximumBytes: UInt64, overwritesOldest: Bool = false) throws {
        let configuration = LogConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest)
        try store.engine.write(.openLog(name, configuration))
    }

    @discardableResult
    private func append(
        _ messages: [[UInt8]], _ metadata: [Metadata?], key: IdempotencyKey? = nil
    ) throws -> MutationResult {
        try store.engine.write(
            .appendLog(LogAppend(log: name, expected: nil, messages: messages, metadata: metadata)), key: key)
    }

    private func page(limit: Int = 1_000, ofAllDevices: LogPlace? = nil) throws -> LogPage {
        try store.engine.makeReader().logEntries(LogQuery(log: name, limit: limit, ofAllDevices: ofAllDevices))
    }

    @Test func `each message has its own metadata or none, also after a restart`() throws {
        try open(1 << 20)
        let metadata = [nil, try Metadata(data: Self.long, type: "a/b"), try Metadata(data: [0], type: "")]
        let key = try IdempotencyKey("an append")
        #expect(try append([[1], [2], [3]], metadata, key: key) == .appended(1...3, isReplayed: false))
        #expect(try append([[4]], []) == .appended(4...4, isReplayed: false))
        #expect(try append([[1], [2], [3]], metadata, key: key) == .appended(1...3, isReplayed: true))
        for isReopened in [false, true] {
            if isReopened { try store.reopen() }
            #expect(try page().entries.map(\.metadata) == metadata + [nil])
            #expect(try page(ofAllDevices: .start).entries.map(\.metadata) == metadata + [nil])
        }
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `an append with metadata for only some messages appends nothing`() throws {
        try open(1 << 20)
        let metadata = try Metadata(data: [1], type: "")
        for (messages, count) in [(2, 1), (1, 2), (2, 3)] {
            let error = #expect(throws: StoreError.self) {
                try append(Array(repeating: [1], count: messages), Array(repeating: metadata, count: count))
            }
            #expect(error?.reason == .invalidArgument)
        }
        #expect(try page().entries.isEmpty)
    }

    /// An entry with metadata needs as much space, and overwrites as many entries, as a longer message of the file
    /// format: four bytes and the encoded metadata are added to the message.
    @Test(arguments: 0..<UInt64(TestTier.count(3, long: 12)))
    func `metadata count towards the size of the log`(seed: UInt64) throws {
        var numbers = SplitMix(seed: seed)
        let maximum = UInt64.random(in: 200...1_200, using: &numbers)
        try open(maximum, overwritesOldest: seed % 3 != 0)
        var file = CacheAdvanceFile(
            CacheAdvanceConfiguration(maximumBytes: maximum, overwritesOldest: seed % 3 != 0))
        for step in 0..<150 {
            let message = [UInt8](repeating: 1, count: Int.random(in: 1...Int(maximum) / 4, using: &numbers))
            let data = [UInt8](repeating: UInt8(step), count: Int.random(in: 0...Int(maximum) / 4, using: &numbers))
            let metadata = try Metadata(data: data, type: "a/b").ifSet
            let counted = message + (metadata.map { [0, 0, 0, 0] + $0.bytes } ?? [])
            let outcome = file.append(counted)
            do {
                try append([message], [metadata])
                #expect(outcome != .largerThanCapacity && outcome != .largerThanRemaining)
            } catch let error as StoreError {
                #expect(error.reason == (outcome == .largerThanCapacity ? .logMessageTooLarge : .logFull))
            }
            if step == 70 {
                try store.reopen()
            }
        }
        let page = try page()
        let kept = page.entries.map { entry in entry.data + (entry.metadata.map { [0, 0, 0, 0] + $0.bytes } ?? []) }
        #expect(kept == file.messages)
        #expect(page.info.usedBytes == file.messages.reduce(0) { $0 + 4 + UInt64($1.count) })
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `metadata count towards the size of a page`() throws {
        try open(16 << 20)
        let metadata = try Metadata(data: Self.long, type: "")
        try append(Array(repeating: [1], count: 20), Array(repeating: metadata, count: 20))
        for place in [nil, LogPlace.start] {
            let page = try page(ofAllDevices: place)
            // Each entry has 65,541 bytes, so the sixteenth completes a MiB.
            #expect(page.entries.count == 16 && page.hasMore)
        }
    }

    @Test func `a merge of an archive keeps existing entries with other metadata`() throws {
        try open(1_000)
        try append([[1], [2]], [try Metadata(data: [1], type: ""), nil])
        let (other, table) = (try TemporaryStore(), RecordTable())
        let archive = try store.engine.archive(table)
        try other.engine.restore(archive, table, .fillEmpty)
        #expect(try other.engine.restore(archive, table, .merge).tally.equal[.logEntry] == 2)
        let copied = try other.engine.makeReader().logEntries(LogQuery(log: name, limit: 10))
        #expect(try copied.entries == page().entries)
        try other.engine.write(.deleteLog(name))
        let log = try #require(try store.engine.makeReader().log(name))
        #expect(try other.engine.restore(archive, table, .merge).tally.added[.logEntry] == 2)
        #expect(try other.engine.makeReader().log(name)?.usedBytes == log.usedBytes)
        try other.engine.tamper("UPDATE log_entries SET metadata = x'0a0102' WHERE sequence = 1")
        let merged = try other.engine.restore(archive, table, .merge)
        #expect(merged.tally.kept[.logEntry] == 1 && merged.tally.equal[.logEntry] == 1)
    }

    @Test func `metadata that cannot be read, and wrong sizes of entries, are findings of a check`() throws {
        try open(1_000)
        try append([[1], [2], [3]], [try Metadata(data: [1], type: ""), nil, nil])
        try store.engine.tamper("UPDATE log_entries SET metadata = x'ffffff' WHERE sequence = 1")
        let unreadable = "rows of table log_entries have metadata that cannot be read (1 found)"
        #expect(try store.engine.check { _ in }.findings == [unreadable])
        try store.engine.tamper("UPDATE log_entries SET metadata = x'0a020101' WHERE sequence = 1")
        let findings = try store.engine.check { _ in }.findings
        #expect(findings.count == 1 && findings[0].hasPrefix("append logs have an invalid size"))
    }
}
