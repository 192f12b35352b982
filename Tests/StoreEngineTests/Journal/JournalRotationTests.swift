import SQLCipher
import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

/// Checks that the journal continues under a new master key and after a restore, even if the process is killed at any
/// moment.
@Suite struct JournalRotationTests {
    private let store: TemporaryStore
    private let history: HistoryID

    init() throws {
        store = try TemporaryStore()
        try store.engine.saveNumbered(0..<4)
        history = try store.engine.statistics().history
    }

    /// Returns the files before and after the switch of keys, as `MasterKeySwitch` writes them.
    private func imagesOfRotation(of store: TemporaryStore) throws -> (
        before: [String: [UInt8]], after: [String: [UInt8]]
    ) {
        let engine = store.engine
        let folder = engine.directory.path
        let (key, next) = try engine.keys.withKeyring { keyring throws(StoreError) in
            try mappedKeys(keyring.beginRotation())
            let pending = keyring.keyring
            try mappedKeys(KeyringFile.write(pending, inDirectory: folder))
            return (
                SecretBox(try mappedKeys(keyring.databaseKey(.next))),
                TakeOnce(try mappedKeys(keyring.journalKey(.next)))
            )
        }
        let copy = DatabaseCopy(path: engine.directory.nextDatabase, key: key, libraries: engine.libraries)
        let isPrepared = try engine.writer.perform { context throws(StoreError) in
            try copy.start(context)
            try copy.finish()
            guard try context.emptyLog(), let next = next.take() else { return false }
            try context.journal?.prepare(under: next)
            return true
        }
        #expect(isPrepared)
        var before = try StoreSpecimen.image(of: store)
        let database = try TestFile.read(engine.directory.nextDatabase)
        var after = before
        before["store.db.next"] = database
        after["store.db"] = database
        after["store.db-wal"] = nil
        return (before, after)
    }

    private func expectWhole(_ engine: StoreEngine, last: Int, _ what: String) throws {
        #expect(engine.state == .open, "\(what)")
        #expect(try engine.statistics().history == history, "\(what)")
        for number in 0...last {
            #expect(try engine.hasNumbered(number), "\(what): \(number)")
        }
        #expect(try expectClean(engine) == [], "\(what)")
    }

    @Test func `a store that was killed before or after the switch of keys is complete, and continues`() throws {
        let (before, after) = try imagesOfRotation(of: store)
        for (image, what) in [(before, "before the swap"), (after, "after it")] {
            let opened = try TemporaryStore(placing: image)
            try expectWhole(opened.engine, last: 3, what)
            try opened.engine.saveNumbered(4..<8)
            let killed = try TemporaryStore(placing: StoreSpecimen.image(of: opened))
            try expectWhole(killed.engine, last: 7, what + ", killed")
            try opened.reopen()
            try expectWhole(opened.engine, last: 7, what + ", started again")
        }
    }

    /// Tests a segment that an interrupted rotation has prepared under a key that no longer exists. The test puts the
    /// segment into the free file that is used last.
    @Test(arguments: 0...4) func `a store opens after a rotation that followed an interrupted one`(freeFiles: Int)
        throws
    {
        var (before, _) = try imagesOfRotation(of: store)
        let prepared = try #require(before.first { $0.key.hasPrefix("journal/") && $0.value[23] == 1 })
        before[prepared.key] = nil
        for slot in 0..<freeFiles where before["journal/\(10 + slot)"] == nil {
            before["journal/\(10 + slot)"] = [UInt8](repeating: 0, count: prepared.value.count)
        }
        before["journal/20"] = prepared.value
        let opened = try TemporaryStore(placing: before)
        try expectWhole(opened.engine, last: 3, "killed")
        try opened.engine.saveNumbered(4..<6)
        let (beforeNext, afterNext) = try imagesOfRotation(of: opened)
        for (image, what) in [(beforeNext, "before the swap"), (afterNext, "after it")] {
            let killed = try TemporaryStore(placing: image)
            try expectWhole(killed.engine, last: 5, what)
        }
    }

    @Test func `writes around a rotation survive a kill, with and without the WAL`() throws {
        for round in 0..<3 {
            _ = try store.engine.rotateMasterKey { _ in
                try? store.engine.saveNumbered((4 + round * 2)..<(5 + round * 2))
            }
            try store.engine.saveNumbered((5 + round * 2)..<(6 + round * 2))
            var image = try StoreSpecimen.image(of: store)
            for what in ["with the log", "without"] {
                let killed = try TemporaryStore(placing: image)
                #expect(killed.engine.state == .open, "\(what)")
                #expect(try killed.engine.hasNumbered(5 + round * 2), "\(what)")
                image["store.db-wal"] = nil
            }
        }
    }

    @Test func `a restored store has a journal of its own`() throws {
        let backup = try store.engine.backUp().name
        try store.engine.saveNumbered(4..<8)
        for round in 0..<2 {
            try store.engine.restore(backup)
            #expect(try !store.engine.hasNumbered(4))
            try store.engine.saveNumbered((20 + round)..<(21 + round))
            let begun = try store.engine.statistics().history
            #expect(begun != history)
            var image = try StoreSpecimen.image(of: store)
            for _ in 0..<2 {
                let killed = try TemporaryStore(placing: image)
                #expect(killed.engine.state == .open)
                #expect(try killed.engine.hasNumbered(3) && killed.engine.hasNumbered(20 + round))
                #expect(try killed.engine.statistics().history == begun)
                image["store.db-wal"] = nil
            }
        }
        try store.reopen()
        #expect(try store.engine.hasNumbered(21) && expectClean(store.engine) == [])
    }
}
