internal import Logging
public import StoreCrypto

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
    /// - Throws: `.storeExists`, and all that `verifyBackup` throws: nothing has changed then. `.backupDamaged` also
    ///   for a backup whose content does not fit together. `.diskFull`, `.storageFailed`.
    public func restoreBackup(
        name: String, secret: consuming SlotSecret?, replaceExisting: Bool, progress: (Progress) -> Void
    ) throws(StoreError) -> Statistics {
        let box = SlotSecretBox(optional: secret)
        return try administer { () throws(StoreError) in
            try StoreReplacement(directory).finishInterrupted()
            guard replaceExisting || !hasStore else {
                throw StoreError(.storeExists, "there is a store already; confirm that the backup may take its place")
            }
            let entry = try BackupFolder(directory).completeEntry(named: name)
            let backup = try openBackup(entry, secret: box, progress: progress)
            let report = try report(on: backup, progress: progress)
            if let finding = report.findings.first {
                throw .backupDamaged("\(report.findings.count) findings, the first: \(finding)")
            }
            return try replaceStore(with: backup)
        }
    }

    private var hasStore: Bool {
        directory.exists(directory.database) || directory.exists(directory.path + "/" + KeyringFile.name)
    }

    private func replaceStore(with backup: consuming OpenedBackup) throws(StoreError) -> Statistics {
        let restore = StoreRestore(directory)
        try stage(backup, in: restore)
        do throws(StoreError) {
            let keyring = try takeKeyring(for: backup)
            // No reader may hold the old file: the last connection that closes removes the log by its path.
            try gate.close { () throws(StoreError) in
                close(into: .locked, telling: nil)
                try restore.carryOut()
            }
            try openDatabase(keyring)
        } catch {
            close(into: .failed(error), telling: .failed(error))
            logger.error("the restored store was not opened", metadata: ["message": "\(error)"])
            throw error
        }
        status.endings.tell([.replaced])
        let statistics = try statistics()
        logger.notice("a backup took the place of the store", metadata: ["revision": "\(statistics.revision)"])
        return statistics
    }

    /// What opens the restored store: the backup's keyring, or that of the store which is about to be replaced.
    private func takeKeyring(for backup: consuming OpenedBackup) throws(StoreError) -> UnlockedKeyring {
        if let keyring = backup.takeUnlocked() {
            return keyring
        }
        guard let keyring = keys.take() else {
            throw StoreState.locked.notOpenError
        }
        return keyring
    }
}
