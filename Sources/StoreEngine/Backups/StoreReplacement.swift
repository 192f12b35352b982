import StoreBasics
import StoreCrypto

/// Replaces the old database by a complete new one, so that a crash at any step leaves one of the two.
///
/// The new database waits under `nextDatabase`. After a crash, the keyring decides what happens to it: see
/// `RotationRecovery`.
struct StoreReplacement {
    let directory: StateDirectory

    init(_ directory: StateDirectory) {
        self.directory = directory
    }

    /// Completes an interrupted restore. If the creation of a store was interrupted between its keyring and its
    /// database, installs the database.
    func finishInterrupted() throws(StoreError) {
        try StoreRestore(directory).finishInterrupted()
        guard !directory.exists(directory.database), directory.exists(directory.nextDatabase), isKeyringNew else {
            return
        }
        try directory.rename(directory.nextDatabase, to: directory.database)
    }

    /// True if no rotation has begun since the keyring was created. After a rotation, a database under `nextDatabase`
    /// is an unfinished copy, which must not replace a missing database.
    private var isKeyringNew: Bool {
        // A damaged keyring is reported when it is read to open the store.
        guard let keyring = try? KeyringFile.read(inDirectory: directory.path) else { return false }
        return keyring.generation == 0 && !keyring.hasPendingRotation
    }

    /// Replaces the old database by the new one. Every connection to the old database must be closed, so that its WAL
    /// is empty or missing.
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

    /// Removes the remains of interrupted work that is not continued, but repeated from its beginning. A database under
    /// `nextDatabase` stays, because only the keyring and its secret show whether it is needed.
    func removeLeftovers() throws(StoreError) {
        try mappedKeys(KeyringFile.removeLeftovers(inDirectory: directory.path))
        // A complete database has no rollback journal.
        try directory.remove(directory.nextDatabase + "-journal")
        try StoreMarkFile.removeLeftovers(in: directory)
        if let backups = BackupFolder(existingIn: directory) {
            try backups.removeUnfinished()
        }
    }
}
