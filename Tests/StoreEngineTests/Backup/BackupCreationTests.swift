import Glibc
import SQLCipher
import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct BackupCreationTests {
    @Test func `a backup contains the store, and the list shows its revision and size`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<20)
        let made = try store.engine.backUp()
        let statistics = try store.engine.statistics()
        #expect(made.revision == statistics.revision && made.isComplete)
        #expect(try store.engine.listBackups() == [made])
        #expect(try TestFile.read(store.backupPath(made.name)).count == made.bytes)
        let report = try store.engine.verify(made.name)
        #expect(report.isClean && report.statistics == statistics)
    }

    @Test func `a backup made during concurrent writes contains the store at one revision`() throws {
        let store = try TemporaryStore()
        let engine = store.engine
        for part in 0..<36 {
            let numbers = (part * 250)..<((part + 1) * 250)
            try engine.write(.saveMessages(try numbers.map { try StoreEngine.numbered($0) }))
        }
        let isDone = Atomic(false)
        let written = OneShot<Int>()
        let writer = try StoreThread(name: "test-writer") {
            var number = 9_000
            while !isDone.load(ordering: .relaxed) {
                guard (try? engine.saveNumbered(number..<(number + 1))) != nil else { break }
                number += 1
            }
            written.set(number)
        }
        var steps = 0
        let made = try engine.createBackup { _ in steps += 1 }
        isDone.store(true, ordering: .relaxed)
        writer.join()
        #expect(steps > 3 && written.wait() > 9_000)

        let before = try engine.statistics()
        #expect(made.revision <= before.revision)
        let report = try engine.verify(made.name)
        #expect(report.findings == [])
        let restored = try engine.restore(made.name)
        #expect(restored.revision == made.revision && restored.isEqualButForHistory(to: report.statistics))
        // The thread's writes are one change each, so the revision of the backup gives the number of the last message
        // in it.
        let last = written.wait() - 1 - Int(before.revision - made.revision)
        #expect(try engine.hasNumbered(last))
        #expect(try !engine.hasNumbered(last + 1))
        #expect(try expectClean(engine) == [])
    }

    @Test func `a backup of an inconsistent store is reported as not clean and cannot be restored`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("UPDATE conversations SET message_count = 9"))
        }
        let made = try store.engine.backUp()
        let report = try store.engine.verify(made.name)
        #expect(!report.isClean && report.findings.count == 1)
        #expect(reason { try store.engine.restore(made.name) } == .backupDamaged)
        #expect(try store.engine.hasNumbered(2))
    }

    @Test func `the next listing removes the files of an interrupted copy`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try TestFile.write([1, 2, 3], to: store.backupPath("unfinished-copy" + suffix))
        }
        #expect(try store.engine.listBackups() == [made])
        #expect(try TestFile.all(below: store.statePath + "/backups") == [store.backupPath(made.name)])
    }

    @Test func `another backup is refused when the greatest number of backups exists`() throws {
        let store = try TemporaryStore()
        for _ in 0..<64 {
            _ = try store.engine.beginBackupUpload(bytes: 5_000)
        }
        #expect(reason { _ = try store.engine.backUp() } == .tooManyBackups)
        #expect(reason { _ = try store.engine.beginBackupUpload(bytes: 5_000) } == .tooManyBackups)
        try store.engine.deleteBackup(name: try #require(try store.engine.listBackups().first).name)
        #expect(try store.engine.backUp().isComplete)
    }

    @Test func `no backup is made of a locked or missing store`() throws {
        let absent = try TemporaryStore(open: false)
        absent.engine.openWithConfiguredKey(nil)
        #expect(reason { _ = try absent.engine.backUp() } == .storeAbsent)
        let store = try TemporaryStore()
        try store.engine.lock()
        #expect(reason { _ = try store.engine.backUp() } == .storeLocked)
        #expect(try store.engine.listBackups().isEmpty)
    }

    @Test func `backup files are readable by the owner only and contain no plaintext`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<200)
        let made = try store.engine.backUp()
        try store.engine.restore(made.name)
        try store.engine.saveNumbered(200..<210)
        let files = try TestFile.all(below: store.statePath)
        #expect(files.contains { $0.hasSuffix("/replaced/store.db") } && files.contains(store.backupPath(made.name)))
        let plain = [Array("numbered message".utf8), Array("SQLite format 3".utf8), Array("conversations".utf8)]
        for file in files {
            var status = stat()
            #expect(lstat(file, &status) == 0 && status.st_mode & 0o077 == 0, "\(file)")
            if file.hasSuffix("-shm") || file.hasSuffix("/lock") { continue }
            let bytes = try TestFile.read(file)
            for text in plain {
                #expect(!bytes.holds(text), "\(file)")
            }
        }
    }
}
