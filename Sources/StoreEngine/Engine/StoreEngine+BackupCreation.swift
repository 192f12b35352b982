import Logging
import SQLCipher
import StoreBasics
import StoreCrypto
import Synchronization

extension StoreEngine {
    /// Makes a consistent encrypted copy of the open store with its keyring. The store stays in use meanwhile.
    ///
    /// The copy contains every commit up to one revision and nothing after it. It is encrypted with the store's own
    /// keys and opens with the secrets that open the store now.
    ///
    /// - Parameter progress: In pages.
    /// - Throws: The reason if the store is not open; `.tooManyBackups`, `.diskFull`, `.storageFailed`,
    ///   `.shuttingDown`. No file is left then.
    package func createBackup(progress: (Progress) -> Void) throws(StoreError) -> BackupInfo {
        try administer { () throws(StoreError) in
            guard status.state.isOpen else { throw status.state.notOpenError }
            let folder = try BackupFolder(directory)
            try folder.removeUnfinished()
            let sizes = storage()
            let reader = makeReader()
            defer { reader.close() }
            let contentBytes = try reader.read(BackupContents.bytes)
            try folder.checkRoom(forBytes: UInt64(sizes.databaseBytes) + UInt64(sizes.walBytes) + contentBytes)
            // Contents to which the copy refers must stay on the disk until they are copied.
            try files.holdCleaning()
            defer { files.releaseCleaning() }
            do throws(StoreError) {
                return try makeBackup(in: folder, progress: progress)
            } catch {
                try? folder.removeUnfinished()
                throw error
            }
        }
    }

    private func makeBackup(
        in folder: BackupFolder, progress: (Progress) -> Void
    ) throws(StoreError) -> BackupInfo {
        guard let backupKeys = try BackupKeys.ofOpenStore(keys) else { throw StoreState.locked.notOpenError }
        let keyring = try keys.withKeyring { keyring throws(StoreError) in keyring.keyring.serialized() }
        let path = folder.unfinishedCopy
        let revision = try copyDatabase(to: path, keys: backupKeys, progress: progress)
        let createdAt = Timestamp.now
        let number = try Self.numberOfNext(in: folder)
        try complete(path, number, keyring: keyring, revision: revision, createdAt: createdAt, keys: backupKeys)
        let name = BackupName.made(at: createdAt, revision: revision)
        try folder.finishCopy(as: name)
        lastBackupAt.withLock { $0 = createdAt }
        logger.info("a backup was created", metadata: ["revision": "\(revision)"])
        return BackupInfo(try folder.entry(named: name.text))
    }

    /// - Returns: The revision of the copy.
    private func copyDatabase(
        to path: String, keys: BackupKeys, progress: (Progress) -> Void
    ) throws(StoreError) -> UInt64 {
        let key = try keys.withDatabaseKey { key throws(StoreError) in
            SecretBox(try mappedKeys(SecretBytes(copying: key)))
        }
        let copy = DatabaseCopy(path: path, key: key, libraries: libraries)
        do throws(StoreError) {
            try writer.perform { context throws(StoreError) in try copy.start(context) }
            var isNearlyFinished = false
            while !isNearlyFinished {
                try interruption.check()
                let step = try writer.perform { _ throws(StoreError) in try copy.step() }
                progress(step.progress)
                isNearlyFinished = step.isNearlyFinished
            }
            return try writer.perform { context throws(StoreError) in
                try context.requireCommittedPages()
                try copy.finish()
                return context.statistics.revision
            }
        } catch {
            try? writer.perform { _ in copy.abandon() }
            throw error
        }
    }

    /// - Parameter path: The copied database, which no other thread changes.
    private func copyContents(
        namedBy path: String, keys: BackupKeys, to file: borrowing BackupFile, at start: UInt64
    ) throws(StoreError) -> UInt64 {
        guard VaultFolder.exists(in: directory) else { return 0 }
        let vault = try VaultFolder(in: directory)
        let connection = try keys.withDatabaseKey { key throws(StoreError) in
            try mapped(
                Connection(path: path, key: key, mode: .probe, profile: .ghoststore, versions: libraries))
        }
        defer { connection.close() }
        return try BackupContents.append(namedBy: connection, in: vault, to: file, at: start) {
            () throws(StoreError) in try interruption.check()
        }
    }

    /// Returns the number of the next backup of a folder. The numbers of uploaded backups are not verified. If one is
    /// the greatest possible number, the next backup gets the same number again.
    private static func numberOfNext(in folder: BackupFolder) throws(StoreError) -> UInt64 {
        let last = try folder.entries().map { BackupInfo($0).number }.max() ?? 0
        return last == .max ? .max : last + 1
    }

    /// Appends keyring, contents and footer to the copied database, and makes the file durable.
    private func complete(
        _ path: String, _ number: UInt64, keyring: [UInt8], revision: UInt64, createdAt: Timestamp, keys: BackupKeys
    ) throws(StoreError) {
        let file = try BackupFile(path, .update)
        let databaseBytes = try file.size()
        try file.write(keyring, at: databaseBytes)
        let contentBytes = try copyContents(
            namedBy: path, keys: keys, to: file, at: databaseBytes + UInt64(keyring.count))
        var footer = BackupFooter(
            number: number, keyringBytes: keyring.count, databaseBytes: databaseBytes, contentBytes: contentBytes,
            revision: revision, createdAt: createdAt, keyCheck: keys.keyCheck())
        try file.write(footer.unsealed(), at: footer.contentRange.upperBound)
        footer.seal = try keys.seal(file, footer) { _ throws(StoreError) in try interruption.check() }
        try file.write(footer.seal, at: footer.sealedBytes)
        try file.sync()
    }
}
