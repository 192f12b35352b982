import Glibc
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct VaultBackupTests {
    private static let chunk = FileStore.chunkBytes

    private func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var random = SplitMix(seed: seed)
        return random.bytes(count)
    }

    @Test func `a restore brings back the contents of files, in the same store and in another`() throws {
        let files = FileStore()
        let contents = [bytes(3 * Self.chunk + 5, 1), bytes(2 * Self.chunk, 2), bytes(40 * Self.chunk, 3), [1, 2, 3]]
        for (number, content) in contents.enumerated() {
            try files.write(content, to: "\(number)")
        }
        try files.write([9, 9], to: "2", .offset(UInt64(7 * Self.chunk)))
        let third = try files.bytes("2")
        let engine = try files.engine
        let backup = try engine.backUp().name
        #expect(try engine.verify(backup).findings == [])
        try files.write([8], to: "0", .end)
        try files.delete("1")
        try files.write(bytes(9 * Self.chunk, 4), to: "new")
        try engine.waitForCleaning()
        for place in [files, FileStore()] {
            let store = try place.store.get()
            if place.store.path != files.store.path {
                let folder = try BackupFolder(StateDirectory(path: store.path + "/state"))
                let file = try TestFile.read(files.store.get().path + "/state/backups/" + backup)
                try TestFile.write(file, to: folder.path(of: try #require(BackupName(listed: backup))))
            }
            _ = try store.engine.restore(backup, with: TemporaryStore.keyFile())
            for _ in 0..<2 {
                #expect(try place.bytes("0") == contents[0] && place.bytes("1") == contents[1])
                #expect(try place.bytes("2") == third && place.bytes("3") == contents[3])
                #expect(try place.item("new") == nil)
                try store.engine.waitForCleaning()
                #expect(try place.vaultFiles().count == 3)
                #expect(try expectClean(store.engine) == [])
                try store.reopen()
            }
            let replaced = try #require(try store.engine.listBackups().last)
            #expect(replaced.kind == .replacedStore)
            try store.engine.deleteBackup(name: replaced.name)
            #expect(!TestFile.exists(store.path + "/state/replaced"))
        }
    }

    @Test func `a check names the file whose chunk was damaged before the backup, and the rest is restored`() throws {
        let files = FileStore()
        let engine = try files.engine
        for number in 0..<3 {
            try files.write(bytes((number + 2) * Self.chunk + 5, UInt64(number)), to: "\(number)")
        }
        let damaged = try #require(
            try files.vaultFiles().sorted { try TestFile.read($0).count < TestFile.read($1).count }.dropFirst().first)
        var content = try TestFile.read(damaged)
        content[content.count / 2] ^= 4
        try TestFile.write(content, to: damaged)
        let backup = try engine.backUp().name
        let revision = try #require(try files.item("1")?.revision)
        for _ in 0..<2 {
            let findings = try engine.verify(backup).findings
            #expect(
                findings.count == 1 && findings[0].hasPrefix("the file created at revision \(revision)"), "\(findings)")
            #expect(findings.first?.contains("chunk") == true)
        }
        #expect(unlink(damaged) == 0)
        let missing = try engine.backUp().name
        #expect(try engine.verify(missing).findings.count == 1)
        _ = try engine.restore(backup, with: TemporaryStore.keyFile())
        #expect(
            try files.bytes("0") == bytes(2 * Self.chunk + 5, 0) && files.bytes("2") == bytes(4 * Self.chunk + 5, 2))
        #expect(reason { _ = try files.bytes("1") } == .fileDamaged)
        #expect(try expectClean(files.engine).count == 1)
    }

    @Test func `verifying a backup reports progress up to the total`() throws {
        let files = FileStore()
        try files.write(bytes(80 * Self.chunk, 1), to: "file")
        let backup = try files.engine.backUp().name
        var steps: [Progress] = []
        let report = try files.engine.verifyBackup(name: backup, secret: nil) { steps.append($0) }
        #expect(report.isClean)
        #expect(steps.allSatisfy { $0.done <= $0.total } && steps.map(\.done) == steps.map(\.done).sorted())
        #expect(steps.last.map { $0.done == $0.total } == true)
    }

    @Test func `contents that are released while a backup is made are erased only after it`() throws {
        let files = FileStore()
        try files.write(bytes(3 * Self.chunk, 1), to: "file")
        try files.write(bytes(3 * Self.chunk, 2), to: "other")
        let before = try files.vaultFiles().map { try TestFile.read($0) }
        let engine = try files.engine
        try engine.files.holdCleaning()
        try files.delete("file")
        try files.write([1], to: "other", .offset(0))
        try files.write([2], to: "other", .offset(0))
        try engine.waitForCleaning()
        for (path, old) in zip(try files.vaultFiles(), before) {
            #expect(try TestFile.read(path).starts(with: old))
        }
        engine.files.releaseCleaning()
        try engine.waitForCleaning()
        #expect(try files.vaultFiles().count == 1 && files.rowCount("content_freed_slots") == 0)
    }
}

extension Result where Success == TemporaryStore {
    fileprivate var path: String? { try? get().path }
}
