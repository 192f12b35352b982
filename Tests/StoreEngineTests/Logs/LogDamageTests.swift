import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests rows that the program never writes, but that a damaged database may contain. The store must report them as
/// damage and must not trap.
@Suite struct LogDamageTests {
    @Test(
        arguments: [
            "position = \(Int64.max)", "position = \(Int64.min)",
            "position = CASE sequence WHEN 1 THEN \(Int64.min) ELSE \(Int64.max - 100) END",
            "sequence = sequence - 5",
        ])
    func `impossible numbers and positions of a log are damage for readers and for appends`(
        change: String
    ) throws {
        let store = try TemporaryStore()
        let log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 4_096, overwritesOldest: true)))
        let append = Mutation.appendLog(LogAppend(log: log, expected: nil, messages: [[1], [2]]))
        try store.engine.write(append)
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("UPDATE log_entries SET \(change)"))
        }
        try store.reopen()
        for act in [
            { _ = try store.engine.makeReader().log(log) }, { try store.engine.write(append) },
        ] as [() throws -> Void] {
            let error = #expect(throws: StoreError.self) { try act() }
            #expect(error?.reason == .databaseDamaged)
        }
    }
}
