import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// The schema has one version so far: these bring a store to versions that no build has.
@Suite struct MigrationTests {
    /// The first step is the one that made the store, so it is not run again.
    private static let steps = [
        "this is no SQL", "CREATE TABLE made_up (number INTEGER)", "INSERT INTO made_up VALUES (7)",
    ]

    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
        try store.engine.write(.saveContact(ContactUpdate(sessionID: SessionID("bob"), notes: "from before")))
    }

    private func migrate(_ steps: [String]) throws {
        try store.engine.writer.perform { context throws(StoreError) in
            try Schema.migrate(try context.openConnection(), migrations: steps)
        }
    }

    private func integer(_ sql: String) throws -> Int64? {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer(sql))
        }
    }

    @Test func `a store of an earlier version takes every step it lacks, in order, and loses nothing`() throws {
        try migrate(Self.steps)
        #expect(try integer("PRAGMA user_version") == 3)
        #expect(try integer("SELECT number FROM made_up") == 7)
        #expect(
            try store.engine.makeReader().contact(SessionID("bob"), includeAvatar: false)?.notes == "from before")
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a step that fails changes nothing, and the steps before it stay`() throws {
        let failing = Array(Self.steps.dropLast()) + ["INSERT INTO made_up VALUES (7); INSERT INTO nothing VALUES (1)"]
        #expect(throws: StoreError.self) { try migrate(failing) }
        #expect(try integer("PRAGMA user_version") == 2)
        #expect(try integer("SELECT count(*) FROM made_up") == 0)
        try migrate(Self.steps)
        #expect(try integer("SELECT number FROM made_up") == 7)
    }

    /// A power failure may take the log of a migration along, and records behind it are of the new version.
    @Test(arguments: [false, true]) func `behind a migration the database file alone is of the new version`(
        isMigratedInLog: Bool
    ) throws {
        if isMigratedInLog {
            // Killed between the two.
            try migrate(Self.steps)
        }
        let placed = try TemporaryStore(open: false)
        placed.engine.shutDown()
        try StoreSpecimen.place(StoreSpecimen.image(of: store), in: placed)
        let engine = try TemporaryStore.engine(placed.path)
        defer { engine.shutDown() }
        let unlocked = try #require(try engine.keyringOfStore()).unlock(with: TemporaryStore.keyFile())
        let key = try unlocked.databaseKey(.current)
        engine.keys.set(unlocked, databaseKey: key)
        #expect(try versionOfFile(engine) == 1)
        var opening = engine.writerOpening
        opening.migrations = Self.steps
        let found = opening
        try engine.writer.perform { context throws(StoreError) in
            try found.open(.found, context)
            defer { context.close(preservingFiles: true) }
            _ = try context.commit { connection throws(StoreError) in
                try mapped(connection.execute("INSERT INTO made_up VALUES (8)"))
            }
        }
        #expect(try versionOfFile(engine) == 3)
        // The record is of that version: all of it is needed, and nothing of the log.
        try? engine.directory.remove(engine.directory.wal)
        let numbers = try engine.writer.perform { context throws(StoreError) in
            try found.open(.found, context)
            defer { context.close(preservingFiles: true) }
            let connection = try context.openConnection()
            return try mapped(connection.integer("SELECT sum(number) FROM made_up"))
        }
        #expect(numbers == 15)
    }

    private func versionOfFile(_ engine: StoreEngine) throws -> Int? {
        try engine.keys.withDatabaseKey { key throws(StoreError) in
            guard let key else { throw StoreState.locked.notOpenError }
            return DatabaseProbe(directory: engine.directory, libraries: engine.libraries).versionOfFile(key)
        }
    }

    @Test func `a store that has every step takes none`() throws {
        try migrate(Self.steps)
        try migrate(Self.steps)
        #expect(try integer("SELECT count(*) FROM made_up") == 1)
    }
}
