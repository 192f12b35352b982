import SQLCipher
import Testing

@testable import StoreEngine

/// Each user's keys are kept for as many more of the same user's, and nobody else's.
@Suite struct KeptKeyTests {
    private static let keysPerUser = 40

    private let store: TemporaryStore
    private let log: LogName

    init() throws {
        store = try TemporaryStore()
        log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 4_096, overwritesOldest: true)))
        try limit()
    }

    private func limit() throws {
        try store.engine.writer.perform { context throws(StoreError) in
            context.keptKeys = KeptKeys(keysPerUser: Self.keysPerUser)
        }
    }

    private func restart() throws {
        try store.reopen()
        try limit()
    }

    /// - Returns: true when the key made it the repetition of an earlier append.
    @discardableResult
    private func append(_ key: String, user: UInt32 = 7, bytes: Int = 1) throws -> Bool {
        let append = LogAppend(log: log, expected: nil, messages: [[UInt8](repeating: 1, count: bytes)])
        let key = try IdempotencyKey("append-\(key)", userID: user)
        guard case .appended(_, let isReplayed) = try store.engine.write(.appendLog(append), key: key) else {
            throw StoreError(.internal, "an append was not answered by its numbers")
        }
        return isReplayed
    }

    @discardableResult
    private func save(_ key: String, user: UInt32 = 7, messages: Int = 1) throws -> Bool {
        let save = Mutation.saveMessages(
            try (0..<messages).map { _ in NewMessage(conversation: .session(try SessionID("a")), text: "x") })
        return try store.engine.commit(save, key: IdempotencyKey("save-\(key)", userID: user)).isReplayed
    }

    private func keyCount(of user: UInt32) throws -> Int64 {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(
                connection.integer("SELECT count(*) FROM idempotency_keys WHERE user = \(user)") ?? 0)
        }
    }

    @Test func `no number of another user's keys ends a key, whichever of them saves and which appends`() throws {
        try save("victim", user: 1)
        try append("victim", user: 2)
        for number in 0..<(5 * Self.keysPerUser) {
            try append("hog \(number)", user: 3)
            try save("hog \(number)", user: 3)
            if number % 50 == 49 {
                try restart()
            }
        }
        #expect(try save("victim", user: 1))
        #expect(try append("victim", user: 2))
        #expect(try keyCount(of: 3) < 2 * Int64(Self.keysPerUser))
    }

    @Test(arguments: [false, true])
    func `a key goes once enough of its user's came after it and not before`(restarts: Bool) throws {
        // Neither in the order of time nor against it.
        let keys = (0..<Self.keysPerUser).map { "\($0 * 7 % Self.keysPerUser)" }
        for key in keys {
            try append(key)
        }
        // The first key has one less than its share behind it.
        #expect(try append(keys[0]))
        for number in 0..<30 {
            try append("new \(number)")
            if restarts, number % 3 == 0 {
                try restart()
            }
            #expect(try append(keys[number + 1]), "\(number)")
        }
        try restart()
        try append("last")
        #expect(try (41...42).contains(keyCount(of: 7)))
        #expect(try !append(keys[0]) && !append(keys[20]))
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `what has expired never piles up while the daemon runs`() throws {
        for number in 0..<(6 * Self.keysPerUser) {
            try append("\(number * 7_919 % 1_000)")
            #expect(try keyCount(of: 7) <= Int64(Self.keysPerUser * 2), "\(number)")
        }
    }

    @Test func `appends that were refused or repeated do not count`() throws {
        try append("first")
        for number in 0..<(2 * Self.keysPerUser) {
            #expect(throws: StoreError.self) { try append("too large \(number)", bytes: 5_000) }
            #expect(try append("first"))
        }
        #expect(try keyCount(of: 7) == 1)
    }

    private func lastPosition() throws -> Int64? {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer("SELECT max(position) FROM idempotency_keys"))
        }
    }

    @Test func `28 ids as the daemon makes them count as a key more and 27 do not`() throws {
        try save("fewer", messages: 27)
        #expect(try lastPosition() == 1)
        try save("more", messages: 28)
        #expect(try lastPosition() == 3)
    }

    @Test func `a large answer counts as several keys`() throws {
        try append("small")
        // About 37 bytes for each id.
        try save("large", messages: 1_000)
        #expect(try append("small"))
        for number in 0..<3 {
            try append("\(number)")
        }
        #expect(try append("small"))
        try restart()
        for number in 0..<4 {
            try append("later \(number)")
        }
        try restart()
        #expect(try !append("small"))
    }
}
