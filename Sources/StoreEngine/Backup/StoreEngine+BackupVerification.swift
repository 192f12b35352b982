import SQLCipher
internal import StoreBasics
package import StoreCrypto

extension StoreEngine {
    /// Reads every byte, page and row of a backup. Works in every state of the store, and changes nothing.
    ///
    /// - Parameters:
    ///   - secret: opens the backup's own keyring; `nil` uses the master key of the open store.
    ///   - progress: in bytes; every byte counts twice, since the file is read once as a file and once as a database.
    /// - Returns: what the backed-up store holds, and what of it does not fit together.
    /// - Throws: `.backupNotFound`, `.backupIncomplete`; `.backupDamaged` when the file is not what was written;
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
        try OpenedBackup(entry, secret: secret, storeKeys: keys) { step in
            progress(Progress(done: step.done, total: step.total * 2))
        }
    }

    func report(
        on backup: borrowing OpenedBackup, progress: (Progress) -> Void
    ) throws(StoreError) -> BackupReport {
        let bytes = backup.footer.sealedBytes
        return try backup.withConnection(libraries) { connection throws(StoreError) in
            _ = try Schema.version(of: connection)
            let check = try shutdown.interrupting(connection) { () throws(StoreError) in
                try IntegrityCheck.run(on: connection) { step in
                    let part = step.total == 0 ? 0 : Double(step.done) / Double(step.total)
                    progress(Progress(done: bytes + UInt64(Double(bytes) * part), total: bytes * 2))
                } proceed: { () throws(StoreError) in
                    try shutdown.check()
                }
            }
            return BackupReport(findings: check.findings, statistics: try StatisticsRow.read(connection))
        }
    }
}

extension SlotSecretBox {
    convenience init?(optional secret: consuming SlotSecret?) {
        guard let secret = consume secret else { return nil }
        self.init(secret)
    }
}
