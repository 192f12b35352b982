import Interchange
import StoreBasics
import Testing

@testable import StoreEngine

private func name(_ text: String = "events") throws -> LogName {
    try LogName(text)
}

private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct LogTests {
    private let small = LogConfiguration(maximumBytes: 164, overwritesOldest: true)

    private func append(
        _ messages: [[UInt8]], _ store: TemporaryStore, expecting: LogConfiguration? = nil, key: IdempotencyKey? = nil
    ) throws -> MutationResult {
        try store.engine.write(
            .appendLog(LogAppend(log: try name(), expected: expecting, messages: messages)), key: key)
    }

    private func entries(_ store: TemporaryStore, after: UInt64 = 0) throws -> [LogEntry] {
        try store.engine.makeReader().logEntries(LogQuery(log: try name(), afterSequence: after, limit: 1_000)).entries
    }

    @Test func `a log is created once, and opening it with other settings changes nothing`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.write(.openLog(try name(), small))
        let other = LogConfiguration(maximumBytes: 999, overwritesOldest: false)
        let log = try #require(try store.engine.makeReader().log(try name()))
        #expect(
            try store.engine.write(.openLog(try name(), other)) == .log(log, isNew: false, isReplayed: false))
        #expect(made == .log(log, isNew: true, isReplayed: false))
        #expect(log.configuration == small)
        #expect(log.messageCount == 0 && log.usedBytes == 0)
        let changes = try store.engine.makeReader().changes(after: 0, limit: 10).changes
        #expect(changes.map(\.kind) == [.log] && changes.map(\.id) == ["events"])
    }

    @Test func `messages are read in order with numbers from 1, also after a restart`() throws {
        let store = try TemporaryStore()
        let large = LogConfiguration(maximumBytes: 10_000, overwritesOldest: false)
        try store.engine.write(.openLog(try name(), large))
        #expect(try append([text("a"), text("b")], store) == .appended(1...2, isReplayed: false))
        #expect(try append([text("c")], store) == .appended(3...3, isReplayed: false))
        try store.reopen()
        #expect(try append([text("d")], store) == .appended(4...4, isReplayed: false))
        #expect(try entries(store).map(\.data) == ["a", "b", "c", "d"].map(text))
        #expect(try entries(store, after: 2).map(\.sequence) == [3, 4])
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `appends are no changes of the store`() throws {
        let store = try TemporaryStore()
        try store.engine.write(.openLog(try name(), small))
        let before = try store.engine.statistics().revision
        _ = try append([text("a")], store)
        #expect(try store.engine.statistics().revision == before)
    }

    @Test func `an append that does not fit is refused as a whole, with its own reason`() throws {
        let store = try TemporaryStore()
        let kept = LogConfiguration(maximumBytes: 84, overwritesOldest: false)
        #expect(reason { _ = try append([text("a")], store) } == .logNotFound)
        try store.engine.write(.openLog(try name(), kept))
        #expect(reason { _ = try append([[UInt8](repeating: 1, count: 17)], store) } == .logMessageTooLarge)
        #expect(reason { _ = try append([text("12345678"), text("123456789")], store) } == .logFull)
        #expect(try entries(store).isEmpty)
        _ = try append([[UInt8](repeating: 1, count: 16)], store)
        #expect(reason { _ = try append([text("a")], store) } == .logFull)
        #expect(reason { _ = try append([[]], store) } == .invalidArgument)
        #expect(reason { _ = try append([text("a")], store, expecting: small) } == .logNotWritable)
        #expect(try entries(store).count == 1)
    }

    @Test func `a repeated append with the same key appends nothing and gets the same numbers`() throws {
        let store = try TemporaryStore()
        try store.engine.write(.openLog(try name(), small))
        let key = try IdempotencyKey("0123456789abcdef")
        let first = try append([text("a"), text("b")], store, key: key)
        _ = try append([text("c")], store)
        try store.reopen()
        let second = try append([text("a"), text("b")], store, key: key)
        #expect(second == first.replayed && second != first)
        #expect(try entries(store).count == 3)
    }

    @Test func `a deleted log is gone, and a new one with its name counts from 1`() throws {
        let store = try TemporaryStore()
        try store.engine.write(.openLog(try name(), small))
        _ = try append([text("a")], store)
        try store.engine.write(.deleteLog(try name()))
        #expect(try store.engine.makeReader().log(try name()) == nil)
        #expect(reason { _ = try append([text("b")], store) } == .logNotFound)
        try store.engine.write(.openLog(try name(), small))
        #expect(try append([text("b")], store) == .appended(1...1, isReplayed: false))
        try store.engine.write(.clearAllData)
        #expect(try store.engine.makeReader().logs(limit: 10, cursor: nil).logs.isEmpty)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `logs are listed by name, page by page`() throws {
        let store = try TemporaryStore()
        for text in ["b", "a", "é", "c"] {
            try store.engine.write(.openLog(try name(text), small))
        }
        let reader = store.engine.makeReader()
        let first = try reader.logs(limit: 3, cursor: nil)
        let second = try reader.logs(limit: 3, cursor: first.nextCursor)
        #expect((first.logs + second.logs).map(\.name.text) == ["a", "b", "c", "é"])
        #expect(second.nextCursor == nil)
    }

    @Test func `observers receive the names of logs that were appended to`() throws {
        let store = try TemporaryStore()
        try store.engine.write(.openLog(try name(), small))
        let told = OneShot<[LogNews]>()
        let observation = store.engine.observeAppends { told.set($0) }
        _ = try append([text("a")], store)
        let expected = [LogNews(name: try name(), needsPublishing: false)]
        #expect(told.wait() == expected)
        observation.cancel()
    }
}
