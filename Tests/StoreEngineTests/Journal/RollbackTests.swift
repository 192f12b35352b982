import StoreBasics
import Testing

@testable import StoreEngine

/// Tests an older database that is put back. It opens with all changes if the journal still has the missing records.
/// Otherwise it is refused.
@Suite struct RollbackTests {
    private let store: TemporaryStore
    /// The database files of a store without a WAL.
    private let older: [String: [UInt8]]
    /// The database files of a store in use, with its WAL.
    private let olderInUse: [String: [UInt8]]

    private let snapshot: StoreReader

    init() throws {
        (store, snapshot) = try TemporaryStore.held()
        older = try StoreSpecimen.image(of: store)
        try store.engine.saveNumbered(4..<8)
        olderInUse = try StoreSpecimen.image(of: store)
        try JournalSpecimen.fill(store.engine)
    }

    private func outcome(
        _ files: [String: [UInt8]], with names: [String] = [], of other: [String: [UInt8]] = [:]
    ) throws -> JournalTrial.Outcome {
        let trial = try JournalTrial(StoreContents(store.engine.makeReader()))
        var files = files
        names.forEach { files[$0] = other[$0] }
        return try trial.outcome(files)
    }

    /// Runs `body` on the writer after the snapshot is closed, so that a checkpoint can copy the whole WAL.
    private func perform(_ body: @escaping @Sendable (WriterContext) throws(StoreError) -> Bool) throws {
        snapshot.close()
        #expect(try store.engine.writer.perform(body))
    }

    @Test func `an older database opens with everything while the journal has the missing records`() throws {
        let now = try StoreSpecimen.image(of: store)
        #expect(try outcome(now, with: ["store.db", "store.db-wal"], of: older) == .whole)
        #expect(try outcome(now, with: ["store.db", "store.db-wal"], of: olderInUse) == .whole)
        #expect(try outcome(now, with: ["store.db"], of: older) == .whole)
    }

    @Test(arguments: [false, true]) func `an older database is refused after the journal was released`(isStopped: Bool)
        throws
    {
        if isStopped {
            try store.reopen()
        } else {
            try perform { context throws(StoreError) in try context.emptyLog() }
        }
        try store.engine.saveNumbered(30..<32)
        let now = try StoreSpecimen.image(of: store)
        for image in [older, olderInUse] {
            #expect(try outcome(now, with: ["store.db", "store.db-wal"], of: image) == .refused(.storeRolledBack))
        }
        #expect(try outcome(now) == .whole)
    }

    @Test func `an older database with its older journal is refused if the mark is newer`() throws {
        let uncommitted = try StoreSpecimen.image(of: store) { try store.engine.saveNumbered(30..<31) }
        try store.engine.saveNumbered(31..<33)
        try perform { context throws(StoreError) in try context.checkpointPassively() }
        let now = try StoreSpecimen.image(of: store)
        func withoutLog(_ image: [String: [UInt8]]) -> [String: [UInt8]] { image.filter { $0.key != "store.db-wal" } }
        // In this loop each database has all records of its own journal. In the next loop a replay is needed first.
        for image in [older, withoutLog(older), olderInUse] {
            let outcome = try self.outcome(image, with: ["mark"], of: now)
            #expect(outcome == .refused(.storeRolledBack), "\(outcome)")
        }
        for image in [withoutLog(olderInUse), uncommitted, withoutLog(uncommitted)] {
            let outcome = try self.outcome(image, with: ["mark"], of: now)
            #expect(outcome == .refused(.storeRolledBack), "\(outcome)")
        }
    }

    /// Checks that an older copy of the whole directory is accepted. No file outside of the directory shows that there
    /// were later changes, see SECURITY.md.
    @Test func `an older copy of the whole directory opens in its older state`() throws {
        for (image, last) in [(older, 3), (olderInUse, 7)] {
            let opened = try TemporaryStore(placing: image)
            #expect(opened.engine.state == .open)
            #expect(try opened.engine.hasNumbered(last) && !opened.engine.hasNumbered(last + 1))
        }
    }

    @Test func `a store opens if its mark is missing or belongs to another store`() throws {
        var now = try StoreSpecimen.image(of: store)
        let other = try StoreSpecimen.image(of: TemporaryStore())["mark"]
        for mark in [nil, [], other] {
            now["mark"] = mark
            #expect(try outcome(now) == .whole)
        }
    }
}
