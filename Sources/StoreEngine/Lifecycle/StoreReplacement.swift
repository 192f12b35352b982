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
            throw StoreError(.internal, "the old database still has a write-ahead log; it was not replaced")
        }
        try directory.remove(directory.wal)
        try directory.remove(directory.sharedMemory)
        try directory.rename(directory.nextDatabase, to: directory.database)
    }

    func discardNext() throws(StoreError) {
        for suffix in ["", "-wal", "-shm"] {
            try directory.remove(directory.nextDatabase + suffix)
        }
    }
}
