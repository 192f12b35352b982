import Logging
import SQLCipher
import StoreBasics
package import StoreCrypto

extension StoreEngine {
    /// Verifies a backup and puts it in the store's place; the store is open afterwards. Works in every state.
    ///
    /// The store that was there goes on serving until the backup is ready beside it, and is then kept in the folder
    /// `replaced` until the next restore. Killed at any moment this leaves the old store or the restored one, whole.
    ///
    /// - Parameters:
    ///   - secret: opens the backup's own keyring, which becomes the store's. `nil` uses the master key of the open
    ///     store, and the store keeps its keyring: nobody is locked out by a secret that was in use long ago.
    ///   - replaceExisting: must be true where a store exists, in whatever state.
    ///   - progress: in bytes.
    /// - Returns: what the restored store holds.
    /// - Throws: `.storeExists`, and all that `verifyBackup` throws; `.backupDamaged` also for a backup whose content
    ///   does not fit together; `.diskFull`, `.storageFailed`. Nothing has changed then.
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
                    throw .backupDamaged("\(report.findings.count) findings, the first: \(finding)")
                }
                // The rest of the store is whole, and these files were lost before.
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

    /// The store goes on as it was when this fails before the commit; after it, a failure ends the process, and the
    /// next start carries the restore out.
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
                    throw error.settledByNextStart
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

    /// On the writer thread, with no reader open: from the committed restore to the restored store in use.
    private func install(
        _ restore: StoreRestore, _ newKeys: KeyHolder?, _ context: WriterContext
    ) throws(StoreError) -> Statistics {
        blobs.endAll()
        files.endAll()
        context.close()
        try restore.finish()
        if let newKeys {
            keys.takeAll(of: newKeys)
        }
        status.note(try writerOpening.open(.exchanged, context).loss)
        status.set(.open, statistics: context.statistics, fileUsage: context.fileUsage)
        files.beginCleaning(directory)
        // Before the first commit to the restored store is told.
        status.endings.tell([.replaced(context.statistics.history)])
        return context.statistics
    }

    /// The keys of the backup's own keyring; `nil` where the restored store goes on with the keys at hand.
    private func keysToInstall(from backup: consuming OpenedBackup) throws(StoreError) -> KeyHolder? {
        guard let unlocked = backup.takeUnlocked() else { return nil }
        let key = try mappedKeys(unlocked.databaseKey(.current))
        let holder = KeyHolder()
        holder.set(unlocked, databaseKey: key)
        return holder
    }
}

extension StoreEngine {
    /// Writes database and keyring of a backup into the folder a restore starts from, durably.
    ///
    /// - Throws: `.diskFull`, `.storageFailed`; nothing is left behind then.
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

    /// What comes after the backup's revision is not what came after it before: the numbers are used again.
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

    /// The folder is made in any case: what is in the store's place by then is not the backup's.
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
