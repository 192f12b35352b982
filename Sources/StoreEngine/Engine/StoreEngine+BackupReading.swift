import SQLCipher
package import StoreCrypto

extension StoreEngine {
    /// Reads every byte, page and row of a backup, and opens every chunk of the contents of files. Works in every state
    /// of the store, and changes nothing.
    ///
    /// - Parameters:
    ///   - secret: Opens the backup's own keyring; `nil` to use the master key of the open store.
    ///   - progress: In bytes. Every byte counts twice, because the file is read once as a file and once as a database.
    /// - Returns: The counters of the backed-up store, and its inconsistencies.
    /// - Throws: `.backupNotFound`, `.backupIncomplete`; `.backupDamaged` if the file is not as it was written;
    ///   `.wrongKey`, `.backupKeyMissing`, `.newerSchema`, `.storageFailed`.
    package func verifyBackup(
        name: String, secret: consuming SlotSecret?, progress: (Progress) -> Void
    ) throws(StoreError) -> BackupReport {
        let box = SlotSecretBox(optional: secret)
        return try administration.withLock { _ throws(StoreError) in
            let entry = try BackupFolder(directory).completeEntry(named: name)
            let backup = try openBackup(entry, secret: box, progress: progress)
            return try report(on: backup, progress: progress)
        }
    }

    func openBackup(
        _ entry: BackupFolder.Entry, secret: SlotSecretBox?, progress: (Progress) -> Void
    ) throws(StoreError) -> OpenedBackup {
        try OpenedBackup(entry, secret: secret, storeKeys: keys) { step throws(StoreError) in
            try interruption.check()
            progress(Progress(done: step.done, total: step.total * 2))
        }
    }

    func report(
        on backup: borrowing OpenedBackup, progress: (Progress) -> Void
    ) throws(StoreError) -> BackupReport {
        let bytes = backup.footer.sealedBytes
        let cutoff = StatementCutoff()
        return try backup.withConnection(libraries, cutoff) { connection throws(StoreError) in
            _ = try Schema.version(of: connection)
            let check = try interruption.interrupting(cutoff) { () throws(StoreError) in
                let files = try BackupContentReader(backup.path, backup.footer.contentRange)
                return try IntegrityCheck.run(files: .backup(files)) { step in
                    let part = step.total == 0 ? 0 : Double(step.done) / Double(step.total)
                    progress(Progress(done: bytes + UInt64(Double(bytes) * part), total: bytes * 2))
                } onSnapshot: { part throws(StoreError) in
                    try interruption.check()
                    _ = try part(connection)
                }
            }
            return BackupReport(
                findings: check.findings, isDatabaseClean: check.isDatabaseClean,
                statistics: try StatisticsRow.read(connection))
        }
    }
}
