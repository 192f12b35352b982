import SQLCipher
import StoreBasics
import StoreCrypto

extension SlotSecretBox {
    convenience init?(optional secret: consuming SlotSecret?) {
        guard let secret = consume secret else { return nil }
        self.init(secret)
    }
}

/// A verified backup, with its keys.
struct OpenedBackup: ~Copyable {
    let path: String
    let footer: BackupFooter
    /// The backup's keyring, if a secret opened it; `nil` if the keys come from the open store.
    let openedKeyring: Keyring?
    private let unlocked: UnlockedKeyring?
    private let keys: BackupKeys

    /// Reads and verifies the whole file.
    ///
    /// - Parameters:
    ///   - secret: Opens the backup's own keyring; `nil` to try the master key of the open store.
    ///   - storeKeys: The keys of the open store, if it is open.
    ///   - progress: In bytes.
    /// - Throws: `.backupDamaged`, `.wrongKey`, `.backupKeyMissing`, `.newerSchema`, `.storageFailed`.
    init(
        _ entry: BackupFolder.Entry, secret: SlotSecretBox?, storeKeys: KeyHolder,
        progress: (Progress) throws(StoreError) -> Void
    ) throws(StoreError) {
        let file = try BackupFile(entry.path, .read)
        let footer = try BackupFooter.read(from: file)
        let keyring = try Self.keyring(of: file, footer)
        let keys: BackupKeys
        var unlocked: UnlockedKeyring?
        if let secret {
            let given = try secret.takeOrThrow()
            let opened = try Self.opened { () throws(CryptoError) in try keyring.unlock(with: given) }
            keys = try opened.withMasterKey(.current) { master throws(StoreError) in try BackupKeys(master) }
            guard keys.keyCheck() == footer.keyCheck else {
                throw .backupDamaged("the keyring belongs to another backup")
            }
            unlocked = consume opened
        } else {
            guard let open = try BackupKeys.ofOpenStore(storeKeys), open.keyCheck() == footer.keyCheck else {
                throw StoreError(
                    .backupKeyMissing,
                    """
                    the store is not open, or has another master key than the backup; give a secret of the backup
                    """)
            }
            keys = open
        }
        guard try keys.isSealed(file, footer, progress: progress) else {
            throw .backupDamaged("bytes of the file were changed after it was written")
        }
        path = entry.path
        self.footer = footer
        self.keys = keys
        openedKeyring = secret == nil ? nil : keyring
        self.unlocked = unlocked.take()
    }

    /// Returns the key that authenticates the `StoreMark` of a store with the backup's own keyring; `nil` if the keys
    /// come from the open store.
    borrowing func markKey() throws(StoreError) -> AuthenticationKey? {
        switch unlocked {
        case .some(let unlocked): try mappedKeys(unlocked.markKey())
        case .none: nil
        }
    }

    /// Ends this value, and returns the keyring that a secret has opened; `nil` if the keys come from the open store.
    consuming func takeUnlocked() -> UnlockedKeyring? {
        unlocked
    }

    /// Opens a connection that reads the database inside the backup file, and passes it to `body`. SQLite reads only as
    /// many pages as the database's own header says, so it ignores what follows in the file.
    borrowing func withConnection<Result>(
        _ libraries: LibraryVersions, _ cutoff: StatementCutoff, _ body: (Connection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let path = path
        let databaseBytes = footer.databaseBytes
        do throws(StoreError) {
            return try keys.withDatabaseKey { key throws(StoreError) in
                let connection = try mapped(
                    Connection(
                        path: path, key: key, mode: .probe, profile: .ghoststore, versions: libraries,
                        cutoff: cutoff))
                defer { connection.close() }
                let pages = try mapped(connection.integer("PRAGMA page_count"))
                let pageBytes = Int64(CipherProfile.ghoststore.pageBytes)
                guard let pages, pages * pageBytes == Int64(databaseBytes) else {
                    throw .backupDamaged("the number of pages in the database's first page does not match the footer")
                }
                return try body(connection)
            }
        } catch {
            // The damage is in the backup, not in the store's own file.
            guard error.reason == .databaseDamaged else { throw error }
            throw .backupDamaged("the database is not intact")
        }
    }

    borrowing func withDatabaseKey<Result>(
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try keys.withDatabaseKey(body)
    }

    private static func keyring(
        of file: borrowing BackupFile, _ footer: BackupFooter
    ) throws(StoreError) -> Keyring {
        let bytes = try file.read(footer.keyringBytes, at: footer.databaseBytes)
        return try opened { () throws(CryptoError) in try Keyring.parse(bytes) }
    }

    /// Reports damage of the backup's keyring as damage of the backup. The store's own keyring is another file.
    private static func opened<Value: ~Copyable>(
        _ body: () throws(CryptoError) -> Value
    ) throws(StoreError) -> Value {
        do throws(CryptoError) {
            return try body()
        } catch {
            guard error.code == .keyringDamaged else { throw StoreError(error) }
            throw .backupDamaged("the keyring was changed after it was written")
        }
    }
}
