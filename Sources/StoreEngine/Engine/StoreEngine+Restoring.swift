import Logging
import SQLCipher
import StoreBasics
package import StoreCrypto

extension StoreEngine {
    /// Verifies a backup and replaces the store by it. The store is open afterwards. Works in every state.
    ///
    /// The old store stays in use until the backup is ready beside it. It is then kept in the folder `replaced` until
    /// the next restore. If the process is killed at any moment, the old store or the restored one is complete.
    ///
    /// - Parameters:
    ///   - secret: Opens the backup's own keyring, which becomes the store's keyring. `nil` to use the master key of
    ///     the open store; the store then keeps its keyring, so that secrets that were removed since the backup stay
    ///     invalid.
    ///   - replaceExisting: Must be true if a store exists, in any state.
    ///   - progress: In bytes.
    /// - Returns: The counters of the restored store.
    /// - Throws: `.storeExists`, and all errors of `verifyBackup`; `.backupDamaged` also for an inconsistent backup;
    ///   `.diskFull`, `.storageFailed`. Nothing was changed then.
    package func restoreBackup(
        name: String, secret: consuming SlotSecret?, replaceExisting: Bool, progress: (Progress) -> Void
    ) throws(StoreError) -> Statistics {
        let box = SlotSecretBox(optional: secret)
        return try administer { () throws(StoreError) in
            try StoreReplacement(directory).finishInterrupted()
            guard replaceExisting || !hasStore else {
                throw StoreError(.storeExists, "a store exists; confirm that the backup may replace it")
            }
            let entry = try BackupFolder(directory).completeEntry(named: name)
            let backup = try openBackup(entry, secret: box, progress: progress)
            let report = try report(on: backup, progress: progress)
            if let finding = report.findings.first {
                guard report.isDatabaseClean else {
                    throw .backupDamaged("findings: \(report.findings.count), the first: \(finding)")
                }
                // Damaged files do not prevent the restore, because the rest of the store is intact.
                logger.warning(
                    "files were already damaged when the backup was created; they are restored as they are",
                    metadata: ["files": "\(report.findings.count)", "first": "\(finding)"])
            }
            return try replaceStore(with: backup)
        }
    }

    private var hasStore: Bool {
        directory.exists(directory.database) || directory.exists(directory.path + "/" + KeyringFile.name)
    }

    /// Replaces the store. If this fails before the commit, the store continues unchanged. After the commit, a failure
    /// ends the process, and the next start completes the restore.
    private func replaceStore(with backup: consuming OpenedBackup) throws(StoreError) -> Statistics {
        let restore = StoreRestore(directory)
        try stage(backup, in: restore)
        let newKeys = try keysToInstall(from: backup)
        let statistics: Statistics
        do throws(StoreError) {
            statistics = try exchangeFiles { [self] context throws(StoreError) in
                try restore.commit()
                do throws(StoreError) {
                    return try install(restore, newKeys, context)
                } catch {
                    throw error.asDurabilityLost
                }
            }
        } catch {
            try? restore.removePartialFolder()
            throw error
        }
        logger.notice(
            "a backup replaced the store",
            metadata: ["revision": "\(statistics.revision)", "history": "\(statistics.history)"])
        return statistics
    }

    /// Completes a committed restore and opens the restored store. Runs on the writer thread, with no reader open.
    private func install(
        _ restore: StoreRestore, _ newKeys: KeyHolder?, _ context: WriterContext
    ) throws(StoreError) -> Statistics {
        blobs.endAll()
        files.endAll()
        context.close()
        try restore.finish()
        if let newKeys {
            keys.adoptKeys(of: newKeys)
        }
        status.setLoss(try writerOpening.open(.exchanged, context).loss)
        status.set(.open, statistics: context.statistics, fileUsage: context.fileUsage)
        files.beginCleaning(directory)
        // Announce the replacement before the first commit to the restored store.
        status.endings.notify([.replaced(context.statistics.history)])
        return context.statistics
    }

    /// Returns the keys of the backup's own keyring, or `nil` if the restored store uses the keys of the replaced
    /// store.
    private func keysToInstall(from backup: consuming OpenedBackup) throws(StoreError) -> KeyHolder? {
        guard let unlocked = backup.takeUnlocked() else { return nil }
        let key = try mappedKeys(unlocked.databaseKey(.current))
        let holder = KeyHolder()
        holder.set(unlocked, databaseKey: key)
        return holder
    }
}

extension StoreEngine {
    /// Writes the store in a backup durably into the folder from which a restore starts: database, contents, keyring
    /// and mark.
    ///
    /// - Throws: `.diskFull`, `.storageFailed`; then nothing is left.
    func stage(_ backup: borrowing OpenedBackup, in restore: StoreRestore) throws(StoreError) {
        let bytes = backup.footer.databaseBytes + backup.footer.contentBytes
        guard bytes <= directory.freeBytes, directory.freeBytes - bytes >= BackupLimits.reserveBytes else {
            throw StoreError(
                .diskFull, "the disk has no space for a store of \(bytes) bytes in addition to the old store")
        }
        do throws(StoreError) {
            let folder = try restore.makePartialFolder()
            try copyDatabase(of: backup, to: folder.database)
            try renewHistory(of: folder, backup)
            try copyContents(of: backup, to: folder)
            let keyring = try keyringToInstall(for: backup)
            try mappedKeys(KeyringFile.write(keyring, inDirectory: folder.path))
            try makeMark(for: backup, in: folder)
            try folder.sync()
            try directory.sync()
        } catch {
            try? restore.removePartialFolder()
            throw error
        }
    }

    private func keyringToInstall(for backup: borrowing OpenedBackup) throws(StoreError) -> Keyring {
        if let keyring = backup.openedKeyring {
            return keyring
        }
        return try keys.withKeyring { keyring throws(StoreError) in keyring.keyring }
    }

    /// Gives the restored store a new history, because revisions after the backup's revision will be used again for
    /// other changes.
    private func renewHistory(of folder: StateDirectory, _ backup: borrowing OpenedBackup) throws(StoreError) {
        let libraries = libraries
        try backup.withDatabaseKey { key throws(StoreError) in
            let connection = try mapped(
                Connection(
                    path: folder.database, key: key, mode: .readWrite, profile: .ghoststore, versions: libraries))
            defer { connection.close() }
            try History.write(.random(), connection)
            try JournalRow.remove(connection)
            _ = try mapped(connection.checkpoint(.truncate))
        }
        try folder.sync(file: folder.database)
    }

    private func makeMark(for backup: borrowing OpenedBackup, in folder: StateDirectory) throws(StoreError) {
        let mark = StoreMark(revision: backup.footer.revision)
        if let key = try backup.markKey() {
            return try StoreMarkFile.create(mark, in: folder, under: key)
        }
        try keys.withKeyring { keyring throws(StoreError) in
            try StoreMarkFile.create(mark, in: folder, under: mappedKeys(keyring.markKey()))
        }
    }

    /// Copies the contents of files. Creates the folder even without contents, because it replaces the old store's
    /// folder.
    private func copyContents(
        of backup: borrowing OpenedBackup, to folder: StateDirectory
    ) throws(StoreError) {
        let vault = try VaultFolder(in: folder)
        let source = try BackupFile(backup.path, .read)
        try BackupContents.extract(backup.footer.contentRange, of: source, to: vault) { () throws(StoreError) in
            try interruption.check()
        }
    }

    private func copyDatabase(of backup: borrowing OpenedBackup, to path: String) throws(StoreError) {
        let source = try BackupFile(backup.path, .read)
        let target = try BackupFile(path, .create)
        try source.forEachPiece(ofFirst: backup.footer.databaseBytes) { piece, offset throws(StoreError) in
            try interruption.check()
            try target.write(piece, at: offset)
        }
        try target.sync()
    }
}
