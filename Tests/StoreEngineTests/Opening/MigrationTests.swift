import Foundation
import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Tests migrations. Most of them migrate a store to versions that no release has.
@Suite struct MigrationTests {
    /// Migrations after the current version. The earlier ones are invalid SQL here, because they must not run again.
    private static let steps =
        Schema.migrations.map { _ in "this is no SQL" } + [
            "CREATE TABLE made_up (number INTEGER)", "INSERT INTO made_up VALUES (7)",
        ]
    private static let newest = Int64(Schema.version)

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

    @Test func `a store of an earlier version runs each missing step in order, and loses nothing`() throws {
        try migrate(Self.steps)
        #expect(try integer("PRAGMA user_version") == Self.newest + 2)
        #expect(try integer("SELECT number FROM made_up") == 7)
        #expect(
            try store.engine.makeReader().contact(SessionID("bob"), includeAvatar: false)?.notes == "from before")
        #expect(try expectClean(store.engine) == ["the table made_up belongs to no part of the store"])
    }

    @Test func `a failed step changes nothing, and the steps before it stay`() throws {
        let failing = Array(Self.steps.dropLast()) + ["INSERT INTO made_up VALUES (7); INSERT INTO nothing VALUES (1)"]
        #expect(throws: StoreError.self) { try migrate(failing) }
        #expect(try integer("PRAGMA user_version") == Self.newest + 1)
        #expect(try integer("SELECT count(*) FROM made_up") == 0)
        try migrate(Self.steps)
        #expect(try integer("SELECT number FROM made_up") == 7)
    }

    /// Checks that after a migration the database file alone has the new version. A power cut may remove the WAL of the
    /// migration, and later records need the new version.
    @Test(arguments: [false, true]) func `after a migration the database file without its WAL has the new version`(
        isMigratedInLog: Bool
    ) throws {
        if isMigratedInLog {
            // The process was killed after the migration was committed and before the checkpoint.
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
        #expect(try versionOfFile(engine) == Schema.version)
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
        #expect(try versionOfFile(engine) == Schema.version + 2)
        // The record of this row can be replayed only into the new version. The database file must have that version
        // without its WAL, which is removed here.
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

    @Test func `a store that has run every step runs none`() throws {
        try migrate(Self.steps)
        try migrate(Self.steps)
        #expect(try integer("SELECT count(*) FROM made_up") == 1)
    }

    /// Uses stores that daemons of earlier schemas created (see scripts/make-schema-store).
    @Test(arguments: 1..<Schema.version) func `a store of an earlier schema is migrated to this one`(
        schema: Int
    ) throws {
        let old = try storeOfEarlierSchema(schema)
        try old.reopen()
        let reader = old.engine.makeReader()
        #expect(try reader.message(EntityID("m1"))?.text == "hello again")
        #expect(try reader.contact(SessionID("ann"), includeAvatar: false)?.notes == "from school")
        #expect(try expectClean(old.engine) == [])
        #expect(try versionOfFile(old.engine) == Schema.version)
        // Features of later steps can be used.
        _ = try old.engine.createReplicaGroup(deviceName: ReplicaDeviceName("here"), selection: .everything)
        try old.engine.write(.deleteMessages([EntityID("m1")]))
        try old.engine.write(.deleteConversation(.session(SessionID("ann"))))
        try old.reopen()
        #expect(try old.engine.makeReader().message(EntityID("m1")) == nil)
        #expect(try expectClean(old.engine) == [])
    }

    @Test func `messages of an earlier schema are in the order of their ids, and are found and deleted as before`()
        throws
    {
        let old = try storeOfEarlierSchema(2)
        try old.reopen()
        let reader = old.engine.makeReader()
        let ann = ConversationReference.session(try SessionID("ann"))
        let oldest = try reader.messages(MessageQuery(conversation: ann, order: .oldestFirst)).messages.map(\.id.text)
        #expect(oldest == ["a1", "z1", "m1", "m2"])
        #expect(try reader.conversation(ann, includeAvatar: false)?.lastMessage?.id.text == "m2")
        #expect(try old.engine.rowCount(of: "message_expiries") == 1)
        let attachments = try reader.attachments(AttachmentQuery(of: .conversation(ann))).attachments
        #expect(attachments.map(\.messageID.text) == ["m2"])
        let ofStore = try reader.attachments(AttachmentQuery(of: .store)).attachments
        #expect(ofStore.filter { attachments.contains($0) } == attachments)
        let ofAll = try reader.messages(MessageQuery(order: .oldestFirst)).messages.map(\.id.text)
        #expect(ofAll.filter { oldest.contains($0) } == oldest)
        try old.engine.writer.perform { context throws(StoreError) in
            while try SearchUpkeep.step(context) != .none {}
        }
        #expect(try expectClean(old.engine) == [])
        var found: [String] = []
        _ = try reader.searchMessages(MessageSearch(try SearchQuery("saved"), limit: 10)) { message in
            found.append(StoredMessage(message.message).id.text)
            return .goOn
        }
        #expect(found == ["z1", "a1"])
    }

    @Test func `long texts of an earlier schema get rows of their own`() throws {
        let old = try storeOfEarlierSchema(3)
        try old.reopen()
        let text = String(repeating: "long ", count: 2_000)
        #expect(try old.engine.makeReader().message(EntityID("long"))?.text == text)
        #expect(try old.engine.rowCount(of: "message_texts") == 1)
        try old.engine.write(.deleteMessages([EntityID("long")]))
        #expect(try old.engine.rowCount(of: "message_texts") == 0)
        #expect(try expectClean(old.engine) == [])
    }

    @Test func `a store leaves a group of the previous format, and keeps the entries of its logs`() throws {
        let old = try storeOfEarlierSchema(4)
        try old.reopen()
        #expect(try old.engine.makeReader().replicaStatus() == nil)
        for table in ["replica_group", "replica_things", "replica_former"] {
            #expect(try old.engine.rowCount(of: table) == 0)
        }
        let shared = try LogName("shared")
        #expect(try old.engine.makeReader().log(shared)?.isReplicated == true)
        _ = try old.engine.createReplicaGroup(deviceName: ReplicaDeviceName("here"), selection: .everything)
        #expect(try old.engine.makeReader().replicaStatus()?.state == .member)
        #expect(try expectClean(old.engine) == [])
    }

    /// Tests the check of a store without a migration, as the check of a backup of an earlier schema does it.
    @Test(arguments: 1..<Schema.version) func `a store of an earlier schema passes the check before its migration`(
        schema: Int
    ) throws {
        let old = try storeOfEarlierSchema(schema)
        let engine = try TemporaryStore.engine(old.path)
        defer { engine.shutDown() }
        let unlocked = try #require(try engine.keyringOfStore()).unlock(with: TemporaryStore.keyFile())
        let key = try unlocked.databaseKey(.current)
        engine.keys.set(unlocked, databaseKey: key)
        // Opens the database in the same way as the database of a backup.
        let checked = try engine.keys.withDatabaseKey { key throws(StoreError) -> CheckReport? in
            guard let key else { return nil }
            let connection = try mapped(
                Connection(
                    path: engine.directory.database, key: key, mode: .probe, profile: .ghoststore,
                    versions: engine.libraries))
            defer { connection.close() }
            let version = try mapped(connection.integer("PRAGMA user_version"))
            #expect(version == Int64(schema))
            return try IntegrityCheck.run { _ in
            } onSnapshot: { part throws(StoreError) in
                _ = try part(connection)
            }
        }
        let report = try #require(checked)
        #expect(report.findings == [])
        #expect(report.rowsChecked > 1)
    }

    private func storeOfEarlierSchema(_ schema: Int) throws -> TemporaryStore {
        let old = try TemporaryStore(open: false)
        old.engine.shutDown()
        let archive = URL(filePath: #filePath).deletingLastPathComponent().path + "/schema-\(schema).tar.gz"
        let files = old.statePath
        for name in try FileManager.default.contentsOfDirectory(atPath: files) {
            try FileManager.default.removeItem(atPath: files + "/" + name)
        }
        let unpacking = Process()
        unpacking.executableURL = URL(fileURLWithPath: "/bin/tar")
        unpacking.arguments = ["--extract", "--gzip", "--file", archive, "--directory", files]
        try unpacking.run()
        unpacking.waitUntilExit()
        try #require(unpacking.terminationStatus == 0)
        return old
    }
}
