import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks a store in which one page is damaged. An opening cannot replay the last records of the journal if they change
/// this page. The rest of the store can be read then, and nothing is changed. After the page is repaired, the next
/// opening replays the journal.
@Suite struct TailDamageTests {
    /// The number of messages in the specimen. Its database has the first four.
    private static let allMessages = 26
    private static let pages = stride(from: 2, to: 200, by: TestTier.count(2, long: 1))

    @Test(arguments: [false, true]) func `a store whose replay meets a damaged page can still be read`(
        acceptingLoss: Bool
    ) throws {
        let specimen = try JournalSpecimen.withoutLog()
        let database = try #require(specimen.files["store.db"])
        let store = try TemporaryStore()
        let history = try history(of: specimen, in: store)
        var (opened, read) = (0, 0)
        for page in Self.pages where (page + 1) * StoreSpecimen.pageBytes <= database.count {
            try place(specimen.files, damaging: page, in: store)
            if acceptingLoss, !store.engine.status.isStoreOpen {
                _ = try? store.engine.unlock(secret: TemporaryStore.keyFile(), acceptingLoss: true)
            }
            // A store that has opened with everything may still contain a damaged page, which it finds later.
            guard store.engine.state != .open, messageCount(of: store.engine) != Self.allMessages else { continue }
            #expect(failure(of: store.engine) == .databaseDamaged, "page \(page)")
            if store.engine.status.isStoreOpen {
                opened += 1
                read += try expectReadOnly(store, of: history) ? 1 : 0
            }
            try expectUntouched(specimen, page, in: store)
        }
        #expect(opened >= 5 && read >= 3, "\(opened) were opened, in \(read) there was a message to be read")
    }

    /// Checks that the store can be read and not written.
    ///
    /// - Returns: true if a message could be read that is older than the journal's records.
    private func expectReadOnly(_ store: TemporaryStore, of history: HistoryID) throws -> Bool {
        let engine = store.engine
        #expect(try engine.statistics().history == history && messageCount(of: engine) == 4)
        #expect(reason { try engine.saveNumbered(90..<91) } == .databaseDamaged)
        #expect(reason { _ = try engine.backUp() } == .databaseDamaged)
        #expect(reason { _ = try engine.rotateMasterKey { _ in } } == .databaseDamaged)
        #expect(reason { try engine.rebuildSearchIndex() } == .databaseDamaged)
        let refused = reason {
            try engine.writer.perform { context throws(StoreError) in try context.requireCommittedPages() }
        }
        #expect(refused == .databaseDamaged)
        #expect(
            reason { _ = try engine.makeReader().changes(after: UInt64(Self.allMessages), limit: 1) }
                == .databaseDamaged)
        // Messages that are only in the journal cannot be read.
        #expect((try? engine.hasNumbered(10)) != true)
        return (try? engine.hasNumbered(2)) == true
    }

    private func expectUntouched(_ specimen: JournalSpecimen, _ page: Int, in store: TemporaryStore) throws {
        store.engine.shutDown()
        let after = try StoreSpecimen.image(of: store)
        let changed = Set(after.keys).union(specimen.files.keys).filter { name in
            name != "store.db" && after[name] ?? [] != specimen.files[name] ?? []
        }
        #expect(changed.isEmpty, "page \(page)")
        let database = try #require(specimen.files["store.db"])
        #expect(after["store.db"] == Self.damaging(page, of: database), "page \(page)")
        // The page is repaired.
        try TestFile.write(database, to: store.statePath + "/store.db")
        try store.reopen()
        #expect(store.engine.state == .open, "page \(page)")
        #expect(try specimen.contents.differences(from: StoreContents(store.engine.makeReader())) == [])
    }

    @Test func `an older database is refused with a damaged page too, and can be read after its loss is accepted`()
        throws
    {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<4)
        try store.reopen()
        let older = try StoreSpecimen.image(of: store)
        try store.engine.saveNumbered(4..<12)
        #expect(try store.engine.writer.perform { context throws(StoreError) in try context.checkpointPassively() })
        var files = try StoreSpecimen.image(of: store)
        let database = try #require(older["store.db"])
        files["store.db"] = database
        files["store.db-wal"] = nil
        #expect(try JournalTrial(StoreContents(store.engine.makeReader())).outcome(files) == .whole)
        let placed = try TemporaryStore()
        var (refused, accepted) = (0, 0)
        for page in Self.pages where (page + 1) * StoreSpecimen.pageBytes <= database.count {
            try place(files, damaging: page, in: placed)
            guard failure(of: placed.engine) == .storeRolledBack else {
                #expect([12, nil].contains(messageCount(of: placed.engine)), "page \(page)")
                continue
            }
            refused += 1
            _ = try? placed.engine.unlock(secret: TemporaryStore.keyFile(), acceptingLoss: true)
            accepted += placed.engine.status.isStoreOpen ? 1 : 0
            #expect(messageCount(of: placed.engine) == 4 && placed.engine.status.damage != nil, "page \(page)")
        }
        #expect(refused >= 3 && accepted == refused, "\(refused) were refused, \(accepted) of them accepted")
    }

    // MARK: Files

    private static func damaging(_ page: Int, of database: [UInt8]) -> [UInt8] {
        var database = database
        database[page * StoreSpecimen.pageBytes + 700] ^= 1
        return database
    }

    private func place(_ files: [String: [UInt8]], damaging page: Int, in store: TemporaryStore) throws {
        var files = files
        files["store.db"] = files["store.db"].map { Self.damaging(page, of: $0) }
        store.engine.shutDown()
        try StoreSpecimen.place(files, in: store)
        try store.reopen()
    }

    private func history(of specimen: JournalSpecimen, in store: TemporaryStore) throws -> HistoryID {
        store.engine.shutDown()
        try StoreSpecimen.place(specimen.files, in: store)
        try store.reopen()
        return try store.engine.statistics().history
    }

    /// Returns the number of messages; `nil` if no store is open.
    private func messageCount(of engine: StoreEngine) -> Int? { try? engine.statistics().messageCount }

    private func failure(of engine: StoreEngine) -> ErrorReason? {
        if case .failed(let error) = engine.state { error.reason } else { nil }
    }
}
