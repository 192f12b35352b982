import SQLCipher
import StoreCrypto

/// Tries a key on the database file without changing it or its WAL: an ordinary open would write the WAL back when
/// it is closed.
struct DatabaseProbe {
    let directory: StateDirectory
    let libraries: LibraryVersions

    /// - Throws: `.databaseDamaged`, `.newerSchema`, `.storageFailed`.
    func check(_ key: borrowing SecretBytes) throws(StoreError) {
        guard directory.exists(directory.database) else {
            throw StoreError(
                .databaseDamaged, "the database file is missing beside its keyring; restore a backup")
        }
        do throws(SQLCipherError) {
            try key.withUnsafeBytes { bytes throws(SQLCipherError) in
                _ = try Connection(
                    path: directory.database, key: bytes, mode: .probe, profile: .ghoststore, versions: libraries)
            }
        } catch {
            // A crash in the middle of a checkpoint leaves a file that makes sense only together with its WAL. Its
            // first page did authenticate, so the key is right; reading it with its WAL decides about the rest.
            guard error.kind == .corrupt, hasWAL else {
                throw StoreError(error)
            }
        }
        try checkVersion(key)
    }

    private var hasWAL: Bool {
        directory.bytes(of: directory.wal) > 0
    }

    /// Looks into the WAL as well, if there is one: it may hold the commit of a later build's migration.
    private func checkVersion(_ key: borrowing SecretBytes) throws(StoreError) {
        let hadSharedMemory = directory.exists(directory.sharedMemory)
        defer {
            // The read-only connection leaves the index it had to make; nobody else has this directory open.
            if !hadSharedMemory { try? directory.remove(directory.sharedMemory) }
        }
        try key.withUnsafeBytes { bytes throws(StoreError) in
            let connection = try mapped { () throws(SQLCipherError) in
                try Connection(
                    path: directory.database, key: bytes, mode: hasWAL ? .readOnly : .probe, profile: .ghoststore,
                    versions: libraries)
            }
            defer { connection.close() }
            _ = try Schema.version(of: connection)
        }
    }

    /// Whether the key opens the database; other failures are thrown.
    func opens(_ key: borrowing SecretBytes) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try check(key)
            return true
        } catch {
            guard error.reason == .databaseDamaged else { throw error }
            return false
        }
    }
}
