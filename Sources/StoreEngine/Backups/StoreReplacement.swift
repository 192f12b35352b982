import StoreBasics
import StoreCrypto

/// Puts a complete new database in the place of the old one, so that a crash at any step leaves one of the two.
///
/// The new one waits under `nextDatabase`. What happens to it after a crash depends on the keyring: see
/// `RotationRecovery`.
struct StoreReplacement {
    let directory: StateDirectory

    init(_ directory: StateDirectory) {
        self.directory = directory
    }

    /// Carries out a restore that was cut off; a store whose making was cut off between its keyring and its database
    /// gets its database.
    func finishInterrupted() throws(StoreError) {
        try StoreRestore(directory).finishInterrupted()
        guard !directory.exists(directory.database), directory.exists(directory.nextDatabase), isKeyringNew else {
            return
        }
        try directory.rename(directory.nextDatabase, to: directory.database)
    }

    /// No rotation has begun since the keyring was made: later a database under the next name is an unfinished copy,
    /// which must not stand in for one that is gone.
    private var isKeyringNew: Bool {
        // A keyring that cannot be read is reported by who reads it to open the store.
        guard let keyring = try? KeyringFile.read(inDirectory: directory.path) else { return false }
        return keyring.generation == 0 && !keyring.hasPendingRotation
    }

    /// Swaps the databases; every connection to the old one must be closed, so that its WAL is gone.
    func swap() throws(StoreError) {
        guard directory.bytes(of: directory.wal) == 0 else {
            throw StoreError(
                .internal, "the old database still has a write-ahead log, so the old database was not replaced")
        }
        try directory.remove(directory.wal)
        try directory.remove(directory.sharedMemory)
        try directory.rename(directory.nextDatabase, to: directory.database)
    }

    func discardNext() throws(StoreError) {
        try directory.remove(database: directory.nextDatabase)
    }

    /// Removes what a crash has left of work that is begun from its start when it is done again. A database under the
    /// next name is not among it: what it is good for takes the keyring, and its secret.
    func removeLeftovers() throws(StoreError) {
        try mappedKeys(KeyringFile.removeLeftovers(inDirectory: directory.path))
        // A complete database has no journal of a rollback.
        try directory.remove(directory.nextDatabase + "-journal")
        try StoreMarkFile.removeLeftovers(in: directory)
        if let backups = BackupFolder(existingIn: directory) {
            try backups.removeUnfinished()
        }
    }
}
