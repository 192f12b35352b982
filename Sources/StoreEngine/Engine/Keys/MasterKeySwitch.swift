import SQLCipher
import StoreBasics
import StoreCrypto

/// The decisive step of a rotation: replaces the database by its copy under the next key. Runs on the writer thread,
/// with no reader open.
struct MasterKeySwitch {
    let opening: WriterOpening

    private var directory: StateDirectory { opening.directory }
    private var keys: KeyHolder { opening.keys }

    /// Replaces the database.
    ///
    /// - Throws: An error after which the store is unchanged, or an error with `losesDurability`. After an error with
    ///   `losesDurability`, the next start determines which of the two keys the store has.
    func run(_ copy: DatabaseCopy, _ context: WriterContext) throws(StoreError) {
        try prepare(copy, context)
        context.close()
        do throws(StoreError) {
            try StoreReplacement(directory).swap()
        } catch {
            guard !error.losesDurability else { throw error }
            // Nothing was swapped: the database continues under the old key.
            try open(context)
            throw error
        }
        do throws(StoreError) {
            try adoptNextKey()
        } catch {
            throw error.asDurabilityLost
        }
        try open(context)
    }

    private func open(_ context: WriterContext) throws(StoreError) {
        do throws(StoreError) {
            try opening.open(.exchanged, context)
        } catch {
            throw error.asDurabilityLost
        }
    }

    /// Completes the copy, makes it durable, and empties the WAL of the database, because `swap` does not move a WAL.
    private func prepare(_ copy: DatabaseCopy, _ context: WriterContext) throws(StoreError) {
        do throws(StoreError) {
            try context.requireCommittedPages()
            try copy.finish()
        } catch {
            copy.abandon()
            throw error
        }
        try directory.sync(file: directory.nextDatabase)
        guard try context.emptyLog() else {
            throw StoreError(.storeBusy, "a running read kept the write-ahead log in use; start the rotation again")
        }
        let key = try keys.derive { keyring throws(CryptoError) in try keyring.journalKey(.next) }
        try context.journal?.prepare(under: key)
    }

    private func adoptNextKey() throws(StoreError) {
        let path = directory.path
        let key = try keys.withKeyring { keyring throws(StoreError) in
            keyring.finishRotation()
            let settled = keyring.keyring
            try mappedKeys(KeyringFile.write(settled, inDirectory: path))
            return SecretBox(try mappedKeys(keyring.databaseKey(.current)))
        }
        if let key = key.take() {
            keys.setDatabaseKey(key)
        }
    }
}

/// Resolves an interrupted rotation of the master key. The key that opens the database shows which state the rotation
/// has reached.
struct RotationRecovery {
    let directory: StateDirectory
    let libraries: LibraryVersions

    func recover(_ unlocked: inout UnlockedKeyring) throws(StoreError) {
        guard unlocked.hasNext else { return }
        let probe = DatabaseProbe(directory: directory, libraries: libraries)
        let next = try mappedKeys(unlocked.databaseKey(.next))
        let current = try mappedKeys(unlocked.databaseKey(.current))
        if try probe.opens(next) {
            unlocked.finishRotation()
        } else if try probe.opens(current) {
            unlocked.cancelRotation()
            try StoreReplacement(directory).discardNext()
        } else {
            throw .databaseDamaged("neither key of an unfinished rotation opens the database")
        }
        let (keyring, path) = (unlocked.keyring, directory.path)
        try mappedKeys(KeyringFile.write(keyring, inDirectory: path))
    }
}
