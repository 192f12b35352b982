import StoreCrypto

/// The keys of the open store, and nothing while it is locked.
final class KeyHolder: Sendable {
    private struct Keys: ~Copyable {
        var keyring: UnlockedKeyring
        var databaseKey: SecretBytes
    }

    private let keys = ConditionLock<Keys?>(nil)

    func set(_ keyring: consuming UnlockedKeyring, databaseKey: consuming SecretBytes) {
        var fresh: Keys? = Keys(keyring: keyring, databaseKey: databaseKey)
        keys.withLock { $0 = fresh.take() }
    }

    /// Puts another database key beside the keyring.
    func setDatabaseKey(_ databaseKey: consuming SecretBytes) {
        var fresh: SecretBytes? = databaseKey
        keys.withLock { keys in
            guard var current = keys.take() else { return }
            if let key = fresh.take() {
                current.databaseKey = key
            }
            keys = consume current
        }
    }

    /// Takes the keyring out and wipes the database key; `nil` while the store is locked.
    func take() -> UnlockedKeyring? {
        var taken: Keys?
        keys.withLock { taken = $0.take() }
        guard let taken else { return nil }
        return taken.keyring
    }

    /// Wipes the keys.
    func clear() {
        keys.withLock { $0 = nil }
    }

    /// Lends the raw-key literal of the database; `nil` while the store is locked.
    func withDatabaseKey<Result>(
        _ body: (UnsafeRawBufferPointer?) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try keys.withLock { keys throws(StoreError) in
            switch keys {
            case .none: try body(nil)
            case .some(let keys):
                try keys.databaseKey.withUnsafeBytes { bytes throws(StoreError) in try body(bytes) }
            }
        }
    }

    /// Lends the open keyring for a change; `nil` while the store is locked.
    func withKeyring<Result>(
        _ body: (inout UnlockedKeyring) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try keys.withLock { keys throws(StoreError) in
            guard var current = keys.take() else {
                throw StoreError(.storeLocked, "the store is locked; unlock it first")
            }
            do throws(StoreError) {
                let result = try body(&current.keyring)
                keys = consume current
                return result
            } catch {
                keys = consume current
                throw error
            }
        }
    }
}
