import Glibc
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct RestoreTests {
    @Test func `a restore brings back the content of the backup and keeps the replaced store`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<10)
        let made = try store.engine.backUp()
        try store.engine.saveNumbered(10..<20)
        let reader = store.engine.makeReader()
        #expect(try reader.message(try EntityID("m15")) != nil)
        #expect(reason { try store.engine.restore(made.name, replaceExisting: false) } == .storeExists)
        #expect(try store.engine.restore(made.name).revision == made.revision)
        // Readers created before the restore see the restored store.
        #expect(try reader.message(try EntityID("m15")) == nil)
        #expect(try reader.message(try EntityID("m9")) != nil)
        try store.engine.saveNumbered(30..<31)
        #expect(try expectClean(store.engine) == [])
        try store.reopen()
        #expect(try store.engine.hasNumbered(30) && store.engine.hasNumbered(9) && !store.engine.hasNumbered(15))
        let replaced = try StateDirectory(path: store.statePath + "/replaced").fileNames()
        #expect(replaced.contains("store.db") && replaced.contains("keyring"))
        let left = try StateDirectory(path: store.statePath).fileNames()
        #expect(!left.contains { $0.hasPrefix("restoring") || $0 == "replacing" })
    }

    @Test func `the replaced store is complete, and the next restore replaces it`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        try store.engine.saveNumbered(0..<5)
        try store.engine.restore(made.name)
        try store.engine.saveNumbered(5..<6)
        try store.engine.restore(made.name)
        // The second restore keeps the store that it replaces. The test puts that store back by hand.
        store.engine.shutDown()
        for slot in try StateDirectory(path: store.statePath + "/journal").fileNames() {
            try #require(unlink(store.statePath + "/journal/" + slot) == 0)
        }
        let journal = try StateDirectory(path: store.statePath + "/replaced/journal").fileNames()
        for name in ["store.db", "keyring", "mark"] + journal.map({ "journal/" + $0 }) {
            try TestFile.write(
                try TestFile.read(store.statePath + "/replaced/" + name), to: store.statePath + "/" + name)
        }
        try store.reopen()
        #expect(try store.engine.hasNumbered(5) && !store.engine.hasNumbered(4))
    }

    @Test func `a restore with a secret installs the backup's keyring, and without one keeps the store's`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        _ = try store.engine.addKeySlot(
            authorizedBy: try TemporaryStore.keyFile(), new: .given(try TemporaryStore.passphrase("a later one")),
            label: "later", lowCost: true)
        try store.engine.restore(made.name)
        #expect(try store.engine.keySlots().count == 2)
        try store.reopen(with: try TemporaryStore.passphrase("a later one"))
        #expect(store.engine.state == .open)
        try store.engine.restore(made.name, with: try TemporaryStore.keyFile())
        #expect(try store.engine.keySlots().count == 1)
        try store.reopen(with: try TemporaryStore.passphrase("a later one"))
        #expect(store.engine.state != .open)
        try store.reopen()
        #expect(store.engine.state == .open)
    }

    @Test func `a backup from before a rotation needs a secret of that time and can be restored`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<10)
        let made = try store.engine.backUp()
        _ = try store.engine.rotateMasterKey { _ in }
        try store.engine.saveNumbered(10..<11)
        #expect(reason { try store.engine.restore(made.name) } == .backupKeyMissing)
        #expect(try store.engine.hasNumbered(10))
        try store.engine.restore(made.name, with: try TemporaryStore.keyFile())
        #expect(try store.engine.hasNumbered(9) && !store.engine.hasNumbered(10))
        #expect(try store.engine.backUp().isComplete)
        try store.reopen()
        #expect(store.engine.state == .open)
    }

    @Test(arguments: ["store.db", "keyring"]) func `a damaged store can be replaced by a restore`(damaged: String)
        throws
    {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<10)
        let made = try store.engine.backUp()
        store.engine.shutDown()
        let path = store.statePath + "/" + damaged
        try TestFile.write([UInt8](repeating: 0x55, count: 4_096), to: path)
        try store.reopen()
        guard case .failed = store.engine.state else {
            Issue.record("the damage was not seen")
            return
        }
        #expect(
            reason { try store.engine.restore(made.name, with: try TemporaryStore.keyFile(), replaceExisting: false) }
                == .storeExists)
        #expect(reason { try store.engine.restore(made.name) } == .backupKeyMissing)
        try store.engine.restore(made.name, with: try TemporaryStore.keyFile())
        #expect(store.engine.state == .open)
        #expect(try store.engine.hasNumbered(9))
        #expect(try TestFile.read(store.statePath + "/replaced/" + damaged).allSatisfy { $0 == 0x55 })
    }

    @Test func `the WAL of the old store does not reach the restored store`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<10)
        let made = try store.engine.backUp()
        try store.engine.saveNumbered(10..<20)
        let wal = try TestFile.read(store.statePath + "/store.db-wal")
        #expect(!wal.isEmpty)
        store.engine.shutDown()
        // A leftover WAL beside a database file that does not open.
        try TestFile.write(wal, to: store.statePath + "/store.db-wal")
        try TestFile.write([UInt8](repeating: 0x55, count: 4_096), to: store.statePath + "/store.db")
        try store.reopen()
        try store.engine.restore(made.name, with: try TemporaryStore.keyFile())
        #expect(try store.engine.hasNumbered(9) && !store.engine.hasNumbered(15))
        #expect(try TestFile.read(store.statePath + "/replaced/store.db-wal") == wal)
        #expect(try expectClean(store.engine) == [])
    }
}
