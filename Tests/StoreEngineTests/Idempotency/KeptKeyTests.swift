import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that a user's idempotency key is kept until the same user has written a number of further keys. Keys of other
/// users do not count.
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

    private func limit(_ keysPerUser: Int = Self.keysPerUser) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            context.caches.keptKeys.begin(with: KeptKeys(keysPerUser: keysPerUser))
        }
    }

    private func restart() throws {
        try store.reopen()
        try limit()
    }

    /// Appends with an idempotency key.
    ///
    /// - Returns: true if the append repeats an earlier one with the same key.
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

    @Test func `keys of one user never end a key of another user, whether they save or append`() throws {
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
    func `a key is deleted after enough newer keys of its user, and not before`(restarts: Bool) throws {
        // The keys are neither in the order of their names nor in the reverse order.
        let keys = (0..<Self.keysPerUser).map { "\($0 * 7 % Self.keysPerUser)" }
        for key in keys {
            try append(key)
        }
        // The first key is still kept, because only `keysPerUser - 1` keys were written after it.
        #expect(try append(keys[0]))
        for number in 0..<30 {
            try append("new \(number)")
            if restarts, number % 3 == 0 {
                try restart()
            }
            #expect(try append(keys[number + 1]), "\(number)")
        }
        try restart()
        // The background walk over the keys completes a round during this number of appends.
        for number in 0..<20 {
            try append("last \(number)")
        }
        #expect(try keyCount(of: 7) <= 3 * Int64(Self.keysPerUser) / 2)
        #expect(try !append(keys[0]) && !append(keys[20]))
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `expired keys never accumulate while the daemon runs`() throws {
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

    @Test func `an answer with 28 ids of the daemon counts as two keys, and one with 27 as one`() throws {
        try save("fewer", messages: 27)
        #expect(try lastPosition() == 1)
        try save("more", messages: 28)
        #expect(try lastPosition() == 3)
    }

    @Test func `a large answer counts as several keys`() throws {
        try append("small")
        // An answer with many ids has about 37 bytes for each id, so it counts as ten keys.
        for number in 0..<3 {
            try save("large \(number)", messages: 256)
        }
        #expect(try append("small"))
        for number in 0..<10 {
            try append("\(number)")
        }
        #expect(try append("small"))
        try restart()
        // The background walk over the keys completes a round during this number of appends, wherever it begins.
        for number in 0..<20 {
            try append("later \(number)")
        }
        try restart()
        #expect(try !append("small"))
    }

    // MARK: Many kept keys

    /// Inserts keys with small answers, as earlier writes leave them. The keys are not sorted.
    private func fill(_ count: Int, of user: UInt32) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(
                connection.execute(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                    INSERT INTO idempotency_keys SELECT \(user), randomblob(16), i, i, 1, zeroblob(6) FROM n
                    """))
        }
        try restart()
    }

    private func keptBytes(of user: UInt32) throws -> Int64 {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(
                connection.integer("SELECT sum(length(result)) FROM idempotency_keys WHERE user = \(user)") ?? 0)
        }
    }

    @Test func `a user who changes from small to large answers keeps no more bytes than its share`() throws {
        let keysPerUser = 400
        try fill(keysPerUser, of: 7)
        try limit(keysPerUser)
        for number in 0..<80 {
            try save("large \(number)", messages: 256)
            // A user's share is one KiB for each allowed key. Answers can exceed it until the walk over the user's keys
            // has visited every key once.
            #expect(try keptBytes(of: 7) <= Int64(keysPerUser) * 1_024 * 3 / 2, "\(number)")
        }
        #expect(try keyCount(of: 7) <= 60)
        #expect(try save("large 79", messages: 256))
    }

    @Test func `no commit deletes more expired keys than one step may`() throws {
        let keysPerUser = 1_000
        try fill(2 * keysPerUser, of: 7)
        try limit(keysPerUser)
        var left = try keyCount(of: 7)
        for number in 0..<48 {
            try save("large \(number)", messages: 256)
            let now = try keyCount(of: 7)
            #expect(left - now <= Int64(EngineLimits.stepRowsMax))
            left = now
        }
        #expect(left < Int64(keysPerUser))
    }

    @Test func `the first key of a user with many kept keys takes steps, and others get turns between them`() throws {
        try fill(EngineLimits.idempotencyKeysPerUser, of: 7)
        let order = Seen<String>()
        let gate = OneShot<Bool>()
        try store.engine.writer.hold(until: gate)
        let save = Mutation.saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "x"))
        let (hog, victim) = (WorkOwner(userID: 7, connection: 1), WorkOwner(userID: 8, connection: 1))
        store.engine.submit(
            WriteRequest(save, idempotencyKey: try IdempotencyKey("first key"), owner: hog)
        ) { _ in order.add("keyed") }
        // These three requests follow the request with the key on the same connection, and share its batch.
        for number in 1...3 {
            store.engine.submit(WriteRequest(save, owner: hog)) { _ in order.add("behind \(number)") }
        }
        store.engine.submit(WriteRequest(save, owner: victim)) { _ in order.add("victim") }
        gate.set(true)
        #expect(eventually { order.all.count == 5 })
        #expect(order.all == ["victim", "keyed", "behind 1", "behind 2", "behind 3"])
        let position = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer("SELECT max(position) FROM idempotency_keys WHERE user = 7"))
        }
        #expect(position == Int64(EngineLimits.idempotencyKeysPerUser) + 1)
    }
}
