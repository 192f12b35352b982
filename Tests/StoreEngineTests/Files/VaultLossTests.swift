import Glibc
import SQLCipher
import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Tests vault files to which no row refers. After a loss they may belong to missing commits, so they are kept while
/// these commits may come back.
@Suite struct VaultLossTests {
    private static let chunk = FileStore.chunkBytes
    private let files = FileStore()

    private var vault: String { get throws { try files.store.get().path + "/state/vault" } }

    private func bytes(_ count: Int) -> [UInt8] {
        var random = SplitMix(seed: 8)
        return random.bytes(count)
    }

    /// Creates a store with two files and puts back an older database that has only one of them. The store is not
    /// opened again.
    private func putBackOlder(_ prepare: (StoreEngine) throws -> Void = { _ in }) throws -> [String: [UInt8]] {
        let store = try files.store.get()
        try files.write(bytes(2 * Self.chunk), to: "old")
        try store.engine.waitForCleaning()
        store.engine.shutDown()
        try store.reopen()
        try prepare(store.engine)
        store.engine.shutDown()
        let older = try TestFile.read(store.engine.directory.database)
        try store.reopen()
        try files.write(bytes(3 * Self.chunk), to: "new")
        try files.delete("new")
        try files.write(bytes(3 * Self.chunk), to: "new")
        try store.engine.waitForCleaning()
        store.engine.shutDown()
        let newer = try StoreSpecimen.image(of: store)
        try TestFile.write(older, to: store.engine.directory.database)
        return newer
    }

    @Test func `a certain loss that cannot be recorded is not accepted`() throws {
        _ = try putBackOlder()
        let store = try files.store.get()
        let (path, aside) = (try vault, try vault + "-aside")
        try #require(rename(path, aside) == 0)
        // No file can be created below a path that is a file.
        try TestFile.write([], to: path)
        for _ in 0..<2 {
            #expect(reason { try store.reopenAcceptingLoss() } == .storageFailed)
        }
        try #require(unlink(path) == 0 && rename(aside, path) == 0)
        try store.reopenAcceptingLoss()
        #expect(store.engine.state == .open && store.engine.status.loss.isCertain)
        #expect(VaultFolder.hasUnresolvedLoss(in: store.engine.directory))
        try store.reopen()
        #expect(store.engine.state == .open && !store.engine.status.loss.isCertain)
        try store.engine.waitForCleaning()
        #expect(try files.vaultFiles().count == 2)
    }

    @Test func `a certain loss is recorded before the history is renewed`() throws {
        // The trigger makes the renewal of the history fail, as a kill after the record of the loss would.
        let newer = try putBackOlder { engine in
            try engine.tamper(
                """
                CREATE TRIGGER no_history BEFORE UPDATE OF history ON store
                BEGIN SELECT RAISE(ABORT, 'for the test'); END
                """)
        }
        let store = try files.store.get()
        #expect(throws: StoreError.self) { try store.reopenAcceptingLoss() }
        #expect(VaultFolder.hasUnresolvedLoss(in: store.engine.directory))
        store.engine.shutDown()
        for (name, bytes) in newer {
            try TestFile.write(bytes, to: store.path + "/state/" + name)
        }
        try store.reopen()
        try store.engine.waitForCleaning()
        #expect(store.engine.state == .open && !store.engine.status.loss.isCertain)
        #expect(try files.bytes("new") == bytes(3 * Self.chunk) && files.bytes("old").count == 2 * Self.chunk)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `after a loss no other files are erased, however many removed files there are`() throws {
        try files.write(bytes(2 * Self.chunk), to: "file")
        let stray = try makeStray()
        let many = try (0..<5_000).map { _ in try ContentID.random() }
        let writes = try sessionsAfterLoss()
        for _ in 0..<2 {
            writes.clean(.some(many))
            while writes.workInBackground() {}
            #expect(try files.vaultFiles().contains(stray) && writes.millisecondsToIdleEnd == nil)
            writes.endAll()
        }
        let store = try files.store.get()
        try store.reopen()
        try store.engine.waitForCleaning()
        #expect(try files.vaultFiles().contains(stray) && files.vaultFiles().count == 2)
        // After the loss is resolved, the next opening erases files without a reference as usual.
        VaultFolder.resolveLoss(in: store.engine.directory)
        try store.reopen()
        try store.engine.waitForCleaning()
        #expect(try !files.vaultFiles().contains(stray) && files.vaultFiles().count == 1)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `after a loss the files of a cleared store are erased at once`() throws {
        let stray = try makeStray()
        let writes = try sessionsAfterLoss()
        writes.clean(.some([]))
        while writes.workInBackground() {}
        #expect(try files.vaultFiles() == [stray])
        writes.clean(.unknown)
        while writes.workInBackground() {}
        #expect(try files.vaultFiles() == [] && writes.millisecondsToIdleEnd == nil)
        #expect(try !VaultFolder.hasUnresolvedLoss(in: files.engine.directory))
        writes.endAll()
    }

    @Test func `after a loss freed slots are erased only in files that are written`() throws {
        let engine = try files.engine
        for name in ["one", "two"] {
            try files.write(bytes(4 * Self.chunk), to: name)
        }
        try engine.files.holdCleaning()
        try files.write(bytes(Self.chunk), to: "one", .offset(0))
        #expect(try files.rowCount("content_freed_slots") == 1)
        let writes = try sessionsAfterLoss()
        let request = FileWriteRequest(path: try FileStore.path("two"), place: .offset(0))
        let id = try writes.begin(.file(request), userID: 7, history: nil)
        _ = try writes.write(bytes(Self.chunk), at: 0, id, userID: 7)
        while try writes.finishStep(id, userID: 7, { FileCommit(work: .complete($0)) }) == nil {}
        #expect(try files.rowCount("content_freed_slots") == 2)
        while writes.workInBackground() {}
        #expect(try files.rowCount("content_freed_slots") == 1)
        writes.clean(.unknown)
        while writes.workInBackground() {}
        #expect(try files.rowCount("content_freed_slots") == 0)
        writes.endAll()
        #expect(try expectClean(engine) == [])
    }

    /// Returns the writes of a store that has accepted a loss.
    private func sessionsAfterLoss() throws -> FileWrites {
        let engine = try files.engine
        try VaultFolder.recordLoss(in: engine.directory)
        return FileWrites(
            source: StoreEngine.fileSource(
                engine.directory, engine.readers, engine.status, engine.writer, engine.logger))
    }

    /// Creates a vault file to which no row refers.
    private func makeStray() throws -> String {
        let id = try ContentID.random().hexadecimal
        let folder = try StateDirectory(path: StateDirectory(path: vault).path + "/" + id.prefix(2)).path
        try TestFile.write(bytes(100), to: folder + "/" + id)
        return folder + "/" + id
    }
}
