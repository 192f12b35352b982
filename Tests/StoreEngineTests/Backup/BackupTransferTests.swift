import Glibc
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct BackupTransferTests {
    private func upload(_ bytes: [UInt8], to engine: StoreEngine, pieceBytes: Int = 50_000) throws -> String {
        let name = try engine.beginBackupUpload(bytes: UInt64(bytes.count))
        var sent = 0
        while sent < bytes.count {
            let piece = Array(bytes[sent..<min(bytes.count, sent + pieceBytes)])
            let received = try engine.writeBackup(name: name, offset: UInt64(sent), data: piece)
            sent += piece.count
            #expect(received == UInt64(sent))
        }
        return name
    }

    private func download(_ name: String, from engine: StoreEngine, pieceBytes: Int = 30_000) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = try engine.readBackup(name: name, offset: UInt64(bytes.count), length: pieceBytes)
            bytes += chunk.data
            if bytes.count == Int(chunk.totalBytes) { return bytes }
        }
    }

    @Test func `a backup that was read from one store and sent to another can be restored there`() throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<100)
        let made = try store.engine.backUp()
        let bytes = try download(made.name, from: store.engine)

        let other = try TemporaryStore(open: false)
        other.engine.openWithConfiguredKey(nil)
        let name = try upload(bytes, to: other.engine)
        let listed = try #require(try other.engine.listBackups().first)
        #expect(listed.isComplete && listed.revision == made.revision && listed.bytes == made.bytes)
        #expect(reason { _ = try other.engine.verify(name) } == .backupKeyMissing)
        let restored = try other.engine.restore(name, with: try TemporaryStore.keyFile(), replaceExisting: false)
        #expect(restored.isEqualButForHistory(to: try store.engine.statistics()))
        #expect(other.engine.state == .open)
        #expect(try other.engine.hasNumbered(99))
    }

    @Test func `an upload continues after a restart and is no backup until it is complete`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        let bytes = try download(made.name, from: store.engine)
        try store.engine.deleteBackup(name: made.name)
        let name = try store.engine.beginBackupUpload(bytes: UInt64(bytes.count))
        _ = try store.engine.writeBackup(name: name, offset: 0, data: Array(bytes.prefix(1_000)))
        try store.reopen()
        let listed = try #require(try store.engine.listBackups().first)
        #expect(!listed.isComplete && listed.revision == 0 && listed.bytes == 1_000)
        #expect(reason { _ = try store.engine.verify(name) } == .backupIncomplete)
        #expect(reason { try store.engine.restore(name) } == .backupIncomplete)
        #expect(reason { _ = try store.engine.readBackup(name: name, offset: 0, length: 10) } == .backupIncomplete)
        _ = try store.engine.writeBackup(name: name, offset: 1_000, data: Array(bytes.dropFirst(1_000)))
        #expect(try store.engine.verify(name).isClean)
    }

    @Test func `pieces out of order or too long are refused and change nothing`() throws {
        let engine = try TemporaryStore()
        let name = try engine.engine.beginBackupUpload(bytes: 1_000)
        func send(_ offset: UInt64, _ count: Int) -> ErrorReason? {
            reason {
                _ = try engine.engine.writeBackup(
                    name: name, offset: offset, data: [UInt8](repeating: 1, count: count))
            }
        }
        #expect(send(0, 600) == nil)
        let wrong: [(UInt64, Int)] = [
            (0, 100), (599, 10), (601, 10), (600, 401), (600, 0), (600, (1 << 20) + 1), (.max, 10),
            (UInt64(Int64.max), 10),
        ]
        for (offset, count) in wrong {
            #expect(send(offset, count) == .invalidArgument, "\(count) bytes at \(offset)")
        }
        #expect(try engine.engine.listBackups().first?.bytes == 600)
        #expect(send(600, 400) == nil)
        #expect(send(1_000, 1) == .invalidArgument)
        #expect(try engine.engine.listBackups().first?.isComplete == true)
    }

    @Test func `an upload of an impossible size is refused`() throws {
        let store = try TemporaryStore()
        for bytes: UInt64 in [0, 112, .max, UInt64(Int64.max) + 1] {
            #expect(reason { _ = try store.engine.beginBackupUpload(bytes: bytes) } == .invalidArgument)
        }
        #expect(reason { _ = try store.engine.beginBackupUpload(bytes: 1 << 60) } == .diskFull)
        #expect(try store.engine.listBackups().isEmpty)
    }

    @Test func `a read beyond the end is refused, and a read at the end is empty`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        let size = UInt64(made.bytes)
        #expect(try store.engine.readBackup(name: made.name, offset: size, length: 1).data.isEmpty)
        #expect(try store.engine.readBackup(name: made.name, offset: size - 3, length: 10).data.count == 3)
        for offset in [size + 1, UInt64(Int64.max), .max] {
            #expect(
                reason { _ = try store.engine.readBackup(name: made.name, offset: offset, length: 1) }
                    == .invalidArgument)
        }
        for length in [0, -1, (1 << 20) + 1] {
            #expect(
                reason { _ = try store.engine.readBackup(name: made.name, offset: 0, length: length) }
                    == .invalidArgument)
        }
    }

    @Test func `only names of listed backups are accepted`() throws {
        let store = try TemporaryStore()
        let made = try store.engine.backUp()
        try TestFile.write([1, 2, 3], to: store.statePath + "/outside.ghostbackup")
        symlink(store.statePath + "/outside.ghostbackup", store.backupPath("link.ghostbackup"))
        mkdir(store.backupPath("folder.ghostbackup"), 0o700)
        let names = [
            "../store.db", "../outside.ghostbackup", "./\(made.name)", "/\(made.name)", "..", ".", "",
            "link.ghostbackup", "folder.ghostbackup", "\(made.name)/", "\(made.name)\0", "*.ghostbackup",
            store.backupPath(made.name), "unfinished-copy", String(made.name.dropLast()),
        ]
        for name in names {
            #expect(reason { try store.engine.deleteBackup(name: name) } == .backupNotFound, "\(name)")
            #expect(reason { _ = try store.engine.verify(name) } == .backupNotFound, "\(name)")
            #expect(reason { try store.engine.restore(name) } == .backupNotFound, "\(name)")
            #expect(
                reason { _ = try store.engine.readBackup(name: name, offset: 0, length: 1) } == .backupNotFound,
                "\(name)")
            #expect(
                reason { _ = try store.engine.writeBackup(name: name, offset: 0, data: [1]) } == .backupNotFound,
                "\(name)")
        }
        #expect(try store.engine.listBackups() == [made])
        #expect(TestFile.exists(store.statePath + "/outside.ghostbackup"))
        #expect(TestFile.exists(store.statePath + "/store.db"))
        #expect(reason { _ = try store.engine.writeBackup(name: made.name, offset: 0, data: [1]) } == .invalidArgument)
        rmdir(store.backupPath("folder.ghostbackup"))
    }
}
