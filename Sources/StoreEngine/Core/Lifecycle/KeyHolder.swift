import StoreBasics
import StoreCrypto

/// The keys of the open store. It is empty while the store is locked.
///
/// The keyring and the database key have separate locks: a reader that opens its connection needs the database key at
/// once, while a change of the keyring may derive keys for seconds.
final class KeyHolder: Sendable {
    private let keyring = ConditionLock<UnlockedKeyring?>(nil)
    private let databaseKey = ConditionLock<SecretBytes?>(nil)

    func set(_ keyring: consuming UnlockedKeyring, databaseKey: consuming SecretBytes) {
        var freshKeyring: UnlockedKeyring? = keyring
        var freshKey: SecretBytes? = databaseKey
        self.keyring.withLock { $0 = freshKeyring.take() }
        self.databaseKey.withLock { $0 = freshKey.take() }
    }

    /// Replaces the database key and keeps the keyring. Does nothing while the store is locked.
    func setDatabaseKey(_ databaseKey: consuming SecretBytes) {
        var fresh: SecretBytes? = databaseKey
        self.databaseKey.withLock { current in
            guard current != nil else { return }
            current = fresh.take()
        }
    }

    /// Replaces the keys by the keys of another holder, which is empty afterwards.
    func adoptKeys(of other: KeyHolder) {
        keyring.withLock { mine in other.keyring.withLock { theirs in mine = theirs.take() } }
        databaseKey.withLock { mine in other.databaseKey.withLock { theirs in mine = theirs.take() } }
    }

    func wipe() {
        databaseKey.withLock { $0 = nil }
        keyring.withLock { $0 = nil }
    }

    /// Lends the database key as the raw-key literal of SQLCipher to `body`; `nil` while the store is locked.
    func withDatabaseKey<Result>(
        _ body: (UnsafeRawBufferPointer?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try databaseKey.withLock { key throws(StoreError) in
            switch key {
            case .none: try body(nil)
            case .some(let key):
                try key.withUnsafeBytes { bytes throws(StoreError) in try body(bytes) }
            }
        }
    }

    /// - Throws: `.storeLocked`.
    func derive<Key: ~Copyable & Sendable>(
        _ body: (borrowing UnlockedKeyring) throws(CryptoError) -> Key
    ) throws(StoreError) -> Key {
        let key = try withKeyring { keyring throws(StoreError) in TakeOnce(try mappedKeys(body(keyring))) }
        guard let key = key.take() else { throw StoreState.locked.notOpenError }
        return key
    }

    /// Lends the open keyring to `body`, which may change it.
    ///
    /// - Throws: `.storeLocked`, errors of `body`.
    func withKeyring<Result>(
        _ body: (inout UnlockedKeyring) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try keyring.withLock { keyring throws(StoreError) in
            guard var current = keyring.take() else {
                throw StoreError(.storeLocked, "the store is locked; unlock it first")
            }
            do throws(StoreError) {
                let result = try body(&current)
                keyring = consume current
                return result
            } catch {
                keyring = consume current
                throw error
            }
        }
    }
}
