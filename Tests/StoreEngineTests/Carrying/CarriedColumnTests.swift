import CarriedColumns
import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that every column with content of applications is carried into another store, or is listed in `LocalColumns`.
/// `CarriedLineTests` does the same for JSON Lines.
@Suite struct CarriedColumnTests {
    private let fake = FakeClocks()

    private func store() throws -> TemporaryStore { try TemporaryStore(clocks: fake.clocks) }

    /// Fills a store. A second passes after each write, and an hour at the end. So times that a store sets itself
    /// differ from the carried ones.
    private func fill(_ engine: StoreEngine) throws {
        try ColumnSample(now: fake.wall) { mutation in
            try engine.write(mutation)
            fake.pass(seconds: 1)
        }.fill()
        // Applications cannot set fields of a later version, so the test writes them with SQL.
        try engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                try mapped(
                    connection.execute(
                        """
                        UPDATE OR FAIL messages SET unknown_fields = x'e00307' WHERE id = 'from-alice';
                        UPDATE OR FAIL attachments SET unknown_fields = x'e00308' WHERE position = 1;
                        """))
            }
        }
        fake.pass(seconds: 3_600)
    }

    /// Closes the store and reads its columns.
    private func columns(
        _ store: TemporaryStore, _ path: CarryingPath, _ end: CarryingEnd
    ) throws -> StoreColumns {
        store.engine.shutDown()
        return try StoreColumns(
            stateDirectory: store.statePath, secret: TemporaryStore.keyFile(), on: path, at: end)
    }

    private func expectCarried(
        from origin: TemporaryStore, to destination: TemporaryStore, by path: CarryingPath,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let given = try columns(origin, path, .origin)
        let found = try columns(destination, path, .destination)
        #expect(given.unfilled == [], "the sample does not fill them", sourceLocation: sourceLocation)
        #expect(found.differences(from: given) == [], sourceLocation: sourceLocation)
    }

    @Test func `every listed column exists, and is listed once for each path with a reason`() throws {
        let columns = try columns(store(), .replication, .origin)
        #expect(columns.missing(of: LocalColumns.all) == [])
        #expect(LocalColumns.all.allSatisfy { !$0.reason.isEmpty && !$0.paths.isEmpty })
        let names = LocalColumns.all.flatMap { local in local.paths.map { "\(local.name) \($0)" } }
        #expect(Set(names).count == names.count)
        let former = LocalColumn("messages", "former", on: [.archive], "a later schema has removed it")
        #expect(columns.missing(of: LocalColumns.all + [former]) == ["messages.former"])
    }

    @Test func `an archive of everything carries every column`() throws {
        let (origin, destination) = (try store(), try store())
        try fill(origin.engine)
        let table = RecordTable()
        try destination.engine.restore(origin.engine.archive(table), table, .fillEmpty)
        try expectCarried(from: origin, to: destination, by: .archive)
    }

    @Test func `an archive of changes carries every column`() throws {
        let (origin, destination) = (try store(), try store())
        try origin.engine.write(.saveContact(ContactUpdate(sessionID: SessionID("earlier"))))
        let (whole, changes) = (RecordTable(), RecordTable())
        let revision = try origin.engine.statistics().revision
        try destination.engine.restore(origin.engine.archive(whole), whole, .fillEmpty)
        try fill(origin.engine)
        try destination.engine.restore(origin.engine.archive(changes, since: revision), changes, .merge)
        try expectCarried(from: origin, to: destination, by: .archive)
    }

    /// Tests both ways of replication: the second device gets batches if it joins before the writes, and a snapshot if
    /// it joins after them.
    @Test(arguments: [true, false]) func `replication carries every column to a second device`(
        joinsBefore: Bool
    ) throws {
        let fleet = try ReplicaFleet(deviceCount: joinsBefore ? 2 : 1, seed: 1, kinds: [], clocks: fake.clocks)
        try fill(fleet.devices[0].engine)
        if !joinsBefore {
            try fleet.addStore()
            try fleet.join(1, by: 0)
        }
        try fleet.settle()
        // With an entry of the second device, the test also compares entries that another device appended.
        try fleet.devices[1].engine.write(
            .appendLog(LogAppend(log: LogName("events"), expected: nil, messages: [[1]])))
        try fleet.settle()
        try expectCarried(from: fleet.devices[0].store, to: fleet.devices[1].store, by: .replication)
    }

    @Test func `the test fails for a new column until the sample fills it and it is carried`() throws {
        let (origin, destination) = (try store(), try store())
        try fill(origin.engine)
        let table = RecordTable()
        try destination.engine.restore(origin.engine.archive(table), table, .fillEmpty)
        try origin.engine.tamper("ALTER TABLE contacts ADD COLUMN mood INTEGER NOT NULL DEFAULT 5")
        try destination.engine.tamper("ALTER TABLE contacts ADD COLUMN mood INTEGER NOT NULL DEFAULT 5")
        #expect(try columns(origin, .archive, .origin).unfilled == ["contacts.mood"])
        try origin.reopen()
        try origin.engine.tamper("UPDATE OR FAIL contacts SET mood = 7 WHERE session_id <> 'carol'")
        let given = try columns(origin, .archive, .origin)
        #expect(given.unfilled == [])
        let differences = try columns(destination, .archive, .destination).differences(from: given)
        #expect(
            differences == [
                "contacts.mood: 5 instead of 7 in 'alice'", "contacts.mood: 5 instead of 7 in 'bob'",
            ])
    }
}
