import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests files that a crash leaves, and disk space that other programs have used in the meantime.
@Suite struct LeftoverTests {
    private static let names = [
        "keyring.new", "keyring.previous.new", "mark.new", "store.db.next-journal", "backups/unfinished-copy",
        "backups/unfinished-copy-journal",
    ]

    @Test(arguments: [7, 8] as [UInt8])
    func `files of work that a crash interrupted are removed at the next start, even without the right key`(
        key: UInt8
    ) throws {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<3)
        let backup = try store.engine.backUp().name
        store.engine.shutDown()
        for name in Self.names {
            try TestFile.write([1, 2, 3], to: store.statePath + "/" + name)
        }
        try store.reopen(with: try TemporaryStore.keyFile(key))
        #expect(store.engine.state.isOpen == (key == 7))
        for name in Self.names {
            #expect(!TestFile.exists(store.statePath + "/" + name), "\(name)")
        }
        #expect(TestFile.exists(store.backupPath(backup)))
        try store.reopen()
        #expect(try store.engine.hasNumbered(2))
    }

    @Test(.enabled(if: SmallDisk.isMountable, "mounting a tmpfs is not permitted here"))
    func `uploads share the space of the disk, which is checked again with each piece`() throws {
        let disk = try SmallDisk(bytes: 48 << 20)
        let engine = try TemporaryStore.engine(disk.path)
        defer { engine.shutDown() }
        _ = try engine.initialize(
            secret: TemporaryStore.keyFile(), label: "test", withRecoveryCode: false, lowCost: true)
        let first = try engine.beginBackupUpload(bytes: 10 << 20)
        _ = try engine.beginBackupUpload(bytes: 10 << 20)
        #expect(reason { _ = try engine.beginBackupUpload(bytes: 10 << 20) } == .diskFull)
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        try disk.fill(leaving: BackupLimits.reserveBytes + (1 << 19))
        #expect(reason { _ = try engine.writeBackup(name: first, offset: 0, data: piece) } == .diskFull)
        #expect(try engine.listBackups().first { $0.name == first }?.bytes == 0)
        disk.release()
        #expect(try engine.writeBackup(name: first, offset: 0, data: piece) == 1 << 20)
        try engine.deleteBackup(name: first)
        _ = try engine.beginBackupUpload(bytes: 10 << 20)
    }
}
