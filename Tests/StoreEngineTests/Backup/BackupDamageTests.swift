import Glibc
import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct BackupDamageTests {
    /// Returns a store with ten messages, its backup, and an eleventh message saved after the backup.
    private func storeWithBackup() throws -> (TemporaryStore, BackupInfo, [UInt8]) {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<10)
        let made = try store.engine.backUp()
        try store.engine.saveNumbered(10..<11)
        return (store, made, try TestFile.read(store.backupPath(made.name)))
    }

    /// Checks that verify and restore fail with the same reason, and that the store is unchanged.
    private func expectRefusal(
        _ store: TemporaryStore, _ name: String, _ expected: ErrorReason, _ comment: Comment? = nil
    ) throws {
        let before = try store.engine.statistics()
        #expect(reason { _ = try store.engine.verify(name) } == expected, comment)
        #expect(reason { try store.engine.restore(name) } == expected, comment)
        #expect(reason { try store.engine.restore(name, with: try TemporaryStore.keyFile()) } == expected, comment)
        #expect(try store.engine.statistics() == before && store.engine.state == .open)
        #expect(try store.engine.hasNumbered(10))
        #expect(!TestFile.exists(store.statePath + "/replaced"))
        #expect(!TestFile.exists(store.statePath + "/restoring.partial"))
    }

    @Test func `a backup cut off anywhere is damaged`() throws {
        let (store, made, bytes) = try storeWithBackup()
        for count in [0, 1, 111, 112, 113, 119, 120, 121, 2_048, bytes.count / 2, bytes.count - 113, bytes.count - 1] {
            try TestFile.write(Array(bytes.prefix(count)), to: store.backupPath(made.name))
            try expectRefusal(store, made.name, .backupDamaged, "\(count) bytes")
        }
    }

    @Test func `a backup with bytes added is damaged`() throws {
        let (store, made, bytes) = try storeWithBackup()
        try TestFile.write(bytes + [0], to: store.backupPath(made.name))
        try expectRefusal(store, made.name, .backupDamaged)
        try TestFile.write([UInt8](repeating: 0, count: 2_048) + bytes, to: store.backupPath(made.name))
        try expectRefusal(store, made.name, .backupDamaged)
    }

    @Test func `a flipped bit anywhere is reported as damage`() throws {
        let (store, made, bytes) = try storeWithBackup()
        let footer = bytes.count - 112
        let seal = bytes.count - 32
        let keyring = footer - 300
        // Positions in the salt, the first page, a later page, the keyring, and the footer's magic, lengths, revision,
        // time and seal.
        let inFooter = [footer, footer + 23, footer + 31, footer + 39, footer + 47, seal, bytes.count - 1]
        for position in [0, 20, 3_000, footer - 5_000, keyring, footer - 1] + inFooter {
            var flipped = bytes
            flipped[position] ^= 0x10
            try TestFile.write(flipped, to: store.backupPath(made.name))
            try expectRefusal(store, made.name, .backupDamaged, "byte \(position) of \(bytes.count)")
        }
    }

    /// Tests a backup that was damaged before it was sealed, so that its seal is right.
    @Test func `a sealed backup with a page of zeros, or fewer pages than it says, is no clean backup`() throws {
        let (store, made, bytes) = try storeWithBackup()
        let path = store.backupPath(made.name)
        let footer = try BackupFooter.read(from: BackupFile(path, .read))
        let keys = try #require(try BackupKeys.ofOpenStore(store.engine.keys))
        // SQLite does not read free pages, and overwrites them before it uses them. So a damaged free page does no
        // harm.
        let freePages = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            return try mapped(connection.integer("PRAGMA freelist_count")) ?? 0
        }
        var refused = 0
        for page in stride(from: 0, to: Int(footer.databaseBytes), by: StoreSpecimen.pageBytes) {
            var damaged = bytes
            damaged.replaceSubrange(
                page..<(page + StoreSpecimen.pageBytes), with: repeatElement(0, count: StoreSpecimen.pageBytes))
            try TestFile.write(damaged, to: path)
            let file = try BackupFile(path, .update)
            try file.write(try keys.seal(file, footer) { _ in }, at: footer.sealedBytes)
            let report = Result { try store.engine.verify(made.name) }
            guard (try? report.get().isClean) == true else {
                refused += 1
                #expect(reason { try store.engine.restore(made.name) } == .backupDamaged, "page at \(page)")
                continue
            }
        }
        #expect(freePages < 10)
        #expect(refused >= Int(footer.databaseBytes) / StoreSpecimen.pageBytes - Int(freePages))
        #expect(try store.engine.hasNumbered(10))
    }

    @Test func `a flipped bit in the key check is reported as a missing key, and with a secret as damage`() throws {
        let (store, made, bytes) = try storeWithBackup()
        var flipped = bytes
        flipped[bytes.count - 60] ^= 1
        try TestFile.write(flipped, to: store.backupPath(made.name))
        #expect(reason { _ = try store.engine.verify(made.name) } == .backupKeyMissing)
        #expect(
            reason { _ = try store.engine.verify(made.name, with: try TemporaryStore.keyFile()) } == .backupDamaged)
    }

    @Test func `lengths near the maximum of their type are reported as damage and do not trap`() throws {
        let (store, made, bytes) = try storeWithBackup()
        for field in [20..<24, 24..<32, 32..<40, 40..<48] {
            var changed = bytes
            for position in field {
                changed[bytes.count - 112 + position] = 0xff
            }
            try TestFile.write(changed, to: store.backupPath(made.name))
            try expectRefusal(store, made.name, .backupDamaged, "field \(field)")
            #expect(try store.engine.listBackups().count == 1)
        }
    }

    /// Tests a backup of the first version of the format, which has no number.
    @Test func `a backup without a number can be read, and is older than backups with a number`() throws {
        let (store, made, bytes) = try storeWithBackup()
        let path = store.backupPath(made.name)
        var earlier = Array(bytes.dropLast(120)) + bytes.suffix(112)
        earlier[earlier.count - 112 + 19] = 1
        try TestFile.write(earlier, to: path)
        let keys = try #require(try BackupKeys.ofOpenStore(store.engine.keys))
        let file = try BackupFile(path, .update)
        let footer = try BackupFooter.read(from: file)
        try file.write(try keys.seal(file, footer) { _ in }, at: footer.sealedBytes)
        #expect(try store.engine.verify(made.name).isClean)
        let next = try store.engine.backUp()
        #expect(try store.engine.listBackups().map(\.number) == [0, 1])
        #expect(next.number == 1)
        try store.engine.restore(made.name)
        #expect(try store.engine.hasNumbered(9))
        #expect(try !store.engine.hasNumbered(10))
    }

    @Test func `later backups have greater numbers, even after a delete or a restore`() throws {
        let (store, made, _) = try storeWithBackup()
        let (second, third) = (try store.engine.backUp(), try store.engine.backUp())
        #expect([made.number, second.number, third.number] == [1, 2, 3])
        try store.engine.deleteBackup(name: second.name)
        try store.engine.restore(made.name)
        #expect(try store.engine.backUp().number == 4)
    }

    /// Checks that a hostile number in an uploaded backup does no harm. The number is verified only when the backup is
    /// used.
    @Test func `a backup with the greatest number does not make the next backup trap`() throws {
        let (store, made, bytes) = try storeWithBackup()
        var changed = bytes
        for position in 0..<8 {
            changed[bytes.count - 120 + position] = 0xff
        }
        try TestFile.write(changed, to: store.backupPath(made.name))
        #expect(try store.engine.listBackups().map(\.number) == [.max])
        let next = try store.engine.backUp()
        #expect(next.number == .max)
        #expect(try store.engine.verify(next.name).isClean)
    }

    @Test func `a backup of a later format is refused as such`() throws {
        let (store, made, bytes) = try storeWithBackup()
        var later = bytes
        later[bytes.count - 112 + 19] = 3
        try TestFile.write(later, to: store.backupPath(made.name))
        try expectRefusal(store, made.name, .newerSchema)
    }

    @Test func `a page of an earlier backup in a later one is damage`() throws {
        let (store, made, bytes) = try storeWithBackup()
        let second = try store.engine.backUp()
        let whole = try TestFile.read(store.backupPath(second.name))
        var mixed = whole
        // Both pages authenticate under the same key. Only the seal shows that they belong to different backups.
        mixed.replaceSubrange(2_048..<4_096, with: bytes.dropFirst(2_048).prefix(2_048))
        try #require(mixed != whole)
        try TestFile.write(mixed, to: store.backupPath(second.name))
        try store.engine.deleteBackup(name: made.name)
        try expectRefusal(store, second.name, .backupDamaged)
    }

    @Test func `a backup of another store opens only with a secret of that store`() throws {
        let (store, made, bytes) = try storeWithBackup()
        let other = try TemporaryStore()
        try other.engine.saveNumbered(10..<11)
        _ = try other.engine.listBackups()
        try TestFile.write(bytes, to: other.backupPath(made.name))
        #expect(reason { _ = try other.engine.verify(made.name) } == .backupKeyMissing)
        #expect(
            reason { _ = try other.engine.verify(made.name, with: try TemporaryStore.keyFile(9)) } == .wrongKey)
        #expect(reason { try other.engine.restore(made.name, with: try TemporaryStore.keyFile(9)) } == .wrongKey)
        #expect(try other.engine.hasNumbered(10))
        let report = try other.engine.verify(made.name, with: try TemporaryStore.keyFile())
        #expect(report.isClean && report.statistics.messageCount == 10)
        _ = store
    }
}
