import StoreBasics
import StoreCrypto
import Testing

@testable import StoreEngine

@Suite struct RestoreCrashTests {
    /// Returns a store with messages 0 to 19, and a restore of its backup (messages 0 to 9) that is ready to be
    /// committed.
    private func staged(log: Bool = false) throws -> (TemporaryStore, StoreRestore) {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<10)
        let made = try store.engine.backUp()
        try store.engine.saveNumbered(10..<20)
        let wal = try TestFile.read(store.statePath + "/store.db-wal")
        let entry = try BackupFolder(store.engine.directory).completeEntry(named: made.name)
        let restore = StoreRestore(store.engine.directory)
        let backup = try OpenedBackup(entry, secret: nil, storeKeys: store.engine.keys) { _ in }
        try store.engine.stage(backup, in: restore)
        store.engine.shutDown()
        if log {
            try TestFile.write(wal, to: store.statePath + "/store.db-wal")
        }
        return (store, restore)
    }

    private func expectOneStore(_ store: TemporaryStore, isRestored: Bool) throws {
        #expect(store.engine.state == .open)
        #expect(try store.engine.hasNumbered(9))
        #expect(try store.engine.hasNumbered(19) == !isRestored)
        #expect(try expectClean(store.engine) == [])
        let left = try StateDirectory(path: store.statePath).fileNames()
        #expect(!left.contains { $0.hasPrefix("restoring") || $0 == "replacing" })
        #expect(left.contains("replaced") == isRestored)
    }

    @Test func `a restore that was interrupted before its commit leaves the old store`() throws {
        let (store, _) = try staged()
        try store.reopen()
        try expectOneStore(store, isRestored: false)
    }

    @Test(arguments: 1...StoreRestore.Step.allCases.count)
    func `a restore that was interrupted after any step is complete after the next start`(stepsDone: Int) throws {
        for log in [false, true] {
            let (store, restore) = try staged(log: log)
            for step in StoreRestore.Step.allCases.prefix(stepsDone) {
                try restore.perform(step)
            }
            try store.reopen()
            try expectOneStore(store, isRestored: true)
            let replaced = try StateDirectory(path: store.statePath + "/replaced").fileNames()
            #expect(replaced.contains("store.db") && replaced.contains("keyring"))
            #expect(replaced.contains("store.db-wal") == log)
            try store.reopen()
            try expectOneStore(store, isRestored: true)
        }
    }

    @Test(arguments: 1...StoreRestore.Step.allCases.count)
    func `a restore that was interrupted twice still completes`(stepsDone: Int) throws {
        let (store, restore) = try staged()
        for step in StoreRestore.Step.allCases.prefix(stepsDone) {
            try restore.perform(step)
        }
        for again in 1..<StoreRestore.Step.allCases.count {
            for step in StoreRestore.Step.allCases.dropFirst().prefix(again) {
                try restore.perform(step)
            }
        }
        try store.reopen()
        try expectOneStore(store, isRestored: true)
    }

    @Test func `the next unlock completes a restore that the start could not complete`() throws {
        let (store, _) = try staged()
        try store.reopen(with: try TemporaryStore.keyFile(9))
        try #require(!store.engine.state.isOpen)
        let restore = StoreRestore(store.engine.directory)
        let made = try #require(try store.engine.listBackups().first)
        let entry = try BackupFolder(store.engine.directory).completeEntry(named: made.name)
        let secret = SlotSecretBox(try TemporaryStore.keyFile())
        let backup = try OpenedBackup(entry, secret: secret, storeKeys: store.engine.keys) { _ in }
        try store.engine.stage(backup, in: restore)
        for step in StoreRestore.Step.allCases.prefix(5) {
            try restore.perform(step)
        }
        _ = try store.engine.unlock(secret: try TemporaryStore.keyFile())
        try expectOneStore(store, isRestored: true)
    }
}
