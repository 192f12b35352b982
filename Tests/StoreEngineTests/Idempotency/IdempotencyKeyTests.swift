import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct IdempotencyKeyTests {
    private func fingerprint(_ call: UInt32, _ message: [UInt8]) -> RequestFingerprint {
        message.withUnsafeBytes { RequestFingerprint(call: call, message: $0) }
    }

    @Test func `the fingerprint of a request depends on its call and on every byte of its message`() {
        let message = [UInt8](0..<100)
        var others = (0..<100).map { index in
            var other = message
            other[index] ^= 1
            return other
        }
        others += [message + [0], Array(message.dropLast()), []]
        let all = others.map { fingerprint(120, $0) } + [fingerprint(120, message), fingerprint(121, message)]
        #expect(Set(all).count == all.count)
        #expect(fingerprint(120, message) == fingerprint(120, message))
    }

    @Test func `fingerprints are stored, so every build computes the same ones`() {
        #expect(fingerprint(60, Array("clear all data".utf8)).value == 0xd9baa70664bd3f20)
    }

    @Test func `the same key gives each user the same answer and writes once`() throws {
        let store = try TemporaryStore()
        let mutation = Mutation.saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "once"))
        let key = try IdempotencyKey("0123456789abcdef")
        let first = try store.engine.commit(mutation, key: key)
        var second = try store.engine.commit(mutation, key: key)
        #expect(second.isReplayed)
        second.isReplayed = false
        #expect(second == first)
        #expect(try store.engine.statistics().messageCount == 1)
        try store.reopen()
        #expect(try store.engine.commit(mutation, key: key).isReplayed)
        #expect(try !store.engine.commit(mutation, key: IdempotencyKey("0123456789abcdef", userID: 8)).isReplayed)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a key belongs to one request, whether an append or a mutation`() throws {
        let store = try TemporaryStore()
        let log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)))
        let append = Mutation.appendLog(LogAppend(log: log, expected: nil, messages: [[1]]))
        let save = Mutation.saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "once"))
        for (name, first, second) in [("append first", append, save), ("save first", save, append)] {
            try store.engine.write(first, key: IdempotencyKey(name, content: "first"))
            try store.reopen()
            let revision = try store.engine.statistics().revision
            let error = #expect(throws: StoreError.self) {
                try store.engine.write(second, key: IdempotencyKey(name, content: "second"))
            }
            #expect(error?.reason == .idempotencyKeyReused)
            #expect(try store.engine.statistics().revision == revision)
        }
        #expect(try store.engine.makeReader().log(log)?.sequences == 1...1)
    }
}
