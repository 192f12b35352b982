import StoreCrypto

/// What a backup needs of its master key: the key of its database, and the one that makes it recognisable and
/// unforgeable.
final class BackupKeys: Sendable {
    private let databaseKey: SecretBytes
    private let sealKey: SecretBytes

    init(_ master: borrowing MasterKey) throws(StoreError) {
        databaseKey = try mappedKeys(master.databaseKey())
        sealKey = try mappedKeys(master.subkey(.backup))
    }

    /// - Returns: `nil` while the store is not open.
    static func ofOpenStore(_ keys: KeyHolder) throws(StoreError) -> BackupKeys? {
        guard try keys.withDatabaseKey({ $0 != nil }) else { return nil }
        return try keys.withKeyring { keyring throws(StoreError) in
            try keyring.withMasterKey(.current) { master throws(StoreError) in try BackupKeys(master) }
        }
    }

    /// Lends the raw-key literal of the database.
    func withDatabaseKey<Result>(
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try databaseKey.withUnsafeBytes { bytes throws(StoreError) in try body(bytes) }
    }

    /// Equal for backups under one master key, and says nothing else of it.
    func keyCheck() -> [UInt8] {
        var hash = KeyedHash(key: sealKey)
        hash.update(Array("ghoststore backup key check".utf8))
        return hash.finish()
    }

    /// A keyed hash of all that a footer covers.
    func seal(_ file: borrowing BackupFile, _ footer: BackupFooter) throws(StoreError) -> [UInt8] {
        try hash(file, bytes: footer.sealedBytes, progress: { _ in }).finish()
    }

    /// Whether a file is as it was written.
    func isSealed(
        _ file: borrowing BackupFile, _ footer: BackupFooter, progress: (Progress) -> Void
    ) throws(StoreError) -> Bool {
        try hash(file, bytes: footer.sealedBytes, progress: progress).isEqual(to: footer.seal)
    }

    private func hash(
        _ file: borrowing BackupFile, bytes count: UInt64, progress: (Progress) -> Void
    ) throws(StoreError) -> KeyedHash {
        var hash = KeyedHash(key: sealKey)
        try file.forEachPiece(ofFirst: count) { piece, offset throws(StoreError) in
            hash.update(piece)
            progress(Progress(done: offset + UInt64(piece.count), total: count))
        }
        return hash
    }
}
