import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct IdempotencyTests {
    @Test func `the same key gives the same answer and writes once`() throws {
        let store = try TemporaryStore()
        let key = try IdempotencyKey(Array("0123456789abcdef".utf8), userID: 7)
        let mutation = Mutation.saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "once"))
        let first = try store.engine.commit(mutation, key: key)
        var second = try store.engine.commit(mutation, key: key)
        #expect(second.isReplayed)
        second.isReplayed = false
        #expect(second == first)
        #expect(try store.engine.statistics().messageCount == 1)
        try store.reopen()
        #expect(try store.engine.commit(mutation, key: key).isReplayed)
        let other = try IdempotencyKey(Array("0123456789abcdef".utf8), userID: 8)
        #expect(try !store.engine.commit(mutation, key: other).isReplayed)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a deadline that passed means no effect`() throws {
        let store = try TemporaryStore()
        let request = WriteRequest(
            .saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "late")),
            deadline: MonotonicClock.nanoseconds - 1)
        let error = #expect(throws: StoreError.self) { try store.engine.write(request) }
        #expect(error?.reason == .deadlineExceeded)
        #expect(try store.engine.statistics().messageCount == 0)
    }

    @Test func `keys are forgotten after a day a few with each new one`() throws {
        let store = try TemporaryStore()
        for number in 0..<40 {
            let mutation = Mutation.saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "x"))
            try store.engine.write(mutation, key: IdempotencyKey(Array("key-number-\(number)".utf8), userID: 7))
        }
        let counts = try store.engine.writer.perform { context throws(StoreError) in
            try Self.countsWhileTrimming(context)
        }
        #expect(counts == [40, 40, 36, 32, 0, 0])
    }

    private static let countKeys = StatementText("SELECT count(*) FROM idempotency_keys")

    /// Keys there are: at first, after a trim that finds none old, then a day later after adding 1, 1, 100 and 1.
    private static func countsWhileTrimming(_ context: WriterContext) throws(StoreError) -> [Int] {
        let connection = try context.openConnection()
        func count() throws(StoreError) -> Int {
            try connection.first(countKeys)?.int(0) ?? -1
        }
        var trimmer = IdempotencyTrimmer()
        let today = Timestamp.now.microseconds
        let later = today + EngineLimits.idempotencyKeyAgeMicrosecondsMin + 1_000_000
        var counts = [try count()]
        for (added, now) in [(100, today), (1, later), (1, later), (100, later), (1, later)] {
            try trimmer.trim(connection, added: added, now: Timestamp(microseconds: now), revision: 40)
            counts.append(try count())
        }
        return counts
    }
}
