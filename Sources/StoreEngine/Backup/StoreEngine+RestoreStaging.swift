import StoreCrypto

extension StoreEngine {
    /// Writes database and keyring of a backup into the folder a restore starts from, durably.
    ///
    /// - Throws: `.diskFull`, `.storageFailed`; nothing is left behind then.
    func stage(_ backup: borrowing OpenedBackup, in restore: StoreRestore) throws(StoreError) {
        let bytes = backup.footer.databaseBytes
        guard bytes <= directory.freeBytes, directory.freeBytes - bytes >= BackupLimits.reserveBytes else {
            throw StoreError(.diskFull, "the disk has no room for a store of \(bytes) bytes beside the old one")
        }
        do throws(StoreError) {
            let folder = try restore.makePartialFolder()
            try Self.copyDatabase(of: backup, to: folder.path + "/" + StateDirectory.databaseName)
            let keyring = try keyringToInstall(for: backup)
            try mappedKeys(KeyringFile.write(keyring, inDirectory: folder.path))
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

    private static func copyDatabase(of backup: borrowing OpenedBackup, to path: String) throws(StoreError) {
        let source = try BackupFile(backup.path, .read)
        let target = try BackupFile(path, .create)
        try source.forEachPiece(ofFirst: backup.footer.databaseBytes) { piece, offset throws(StoreError) in
            try target.write(piece, at: offset)
        }
        try target.sync()
    }
}
