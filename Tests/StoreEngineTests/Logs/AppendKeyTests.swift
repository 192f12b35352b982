import SQLCipher
import Testing

@testable import StoreEngine

@Suite struct AppendKeyTests {
    private let store: TemporaryStore
    private let log: LogName

    init() throws {
        store = try TemporaryStore()
        log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 4_096, overwritesOldest: false)))
    }

    /// - Returns: true when the key made it the repetition of an earlier append.
    @discardableResult
    private func append(_ key: String, bytes: Int = 1) throws -> Bool {
        let append = LogAppend(log: log, expected: nil, messages: [[UInt8](repeating: 1, count: bytes)])
        let key = try IdempotencyKey(Array("append-\(key)".utf8), userID: 7)
        guard case .appended(_, let isReplayed) = try store.engine.write(.appendLog(append), key: key) else {
            throw StoreError(.internal, "an append was not answered by its numbers")
        }
        return isReplayed
    }

    private func integer(_ sql: String) throws -> Int64 {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer(sql) ?? 0)
        }
    }

    private func execute(_ sql: String) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute(sql))
        }
    }

    private func count() throws -> Int64 {
        try integer("SELECT count FROM append_key_progress")
    }

    @Test func `only appends that were made are counted, across restarts`() throws {
        try append("a")
        try append("b")
        #expect(try append("a"))
        #expect(throws: StoreError.self) { try append("too large", bytes: 5_000) }
        try store.reopen()
        #expect(try append("b"))
        try append("c")
        #expect(try count() == 3)
        #expect(try integer("SELECT count(*) FROM append_key_progress") == 1)
    }

    @Test func `keys go once enough keyed appends came after them, and not before, however often the daemon restarts`()
        throws
    {
        // Neither in the order of time nor against it.
        let keys = (0..<40).map { "\($0 * 7 % 40)" }
        for key in keys {
            try append(key)
        }
        try execute("UPDATE append_key_progress SET count = \(EngineLimits.appendKeysMax)")
        // From here on, one key goes for each that comes.
        for number in 1...30 {
            if number % 3 == 0 {
                try store.reopen()
            }
            try append("new \(number)")
            let kept = try integer("SELECT count(*) FROM append_keys WHERE number BETWEEN \(number) AND 40")
            #expect(kept == 41 - number)
        }
        // Every row has been looked at by now.
        #expect(try integer("SELECT count(*) FROM append_keys WHERE number <= 10") == 0)
        #expect(try append(keys[35]))
        #expect(try !append(keys[0]))
    }
}
