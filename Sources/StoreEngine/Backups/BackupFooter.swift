import SQLCipher
import StoreBasics
import StoreCrypto

/// The end of a backup file.
///
///     database     encrypted, as SQLCipher wrote it
///     keyring      the keyring that opens it, in the form of a keyring file
///     contents     the files of the vault: everything between the keyring and the footer
///     footer       120 bytes, numbers big-endian:
///                  0 number (u64), 8 magic (16), 24 version (u32), 28 keyring bytes (u32), 32 database bytes (u64),
///                  40 revision (u64), 48 created at, microseconds (i64), 56 key check (32), 88 seal (32)
///
/// Version 1 had no number, so its footer begins with the magic. The key check identifies the master key without
/// revealing it. The seal is a keyed hash of everything before it. Both use the backup subkey of the master key. The
/// database comes first so that it can be written in place.
struct BackupFooter: Hashable {
    static let byteCount = 120
    /// The size of a footer of version 1.
    static let byteCountMin = 112
    static let sealBytes = 32
    private static let magic = Array("ghoststore-back\n".utf8)
    private static let version: UInt32 = 2

    /// The number of the backup: greater than the numbers of all backups that were in the folder when it was made. A
    /// footer of version 1 has no number, and this is 0.
    var number: UInt64
    var keyringBytes: Int
    var databaseBytes: UInt64
    /// The bytes of the contents. The footer does not contain them, because they follow from the size of the file.
    var contentBytes: UInt64
    var revision: UInt64
    var createdAt: Timestamp
    var keyCheck: [UInt8]
    var seal: [UInt8]

    init(
        number: UInt64, keyringBytes: Int, databaseBytes: UInt64, contentBytes: UInt64 = 0, revision: UInt64,
        createdAt: Timestamp, keyCheck: [UInt8]
    ) {
        self.number = number
        self.keyringBytes = keyringBytes
        self.databaseBytes = databaseBytes
        self.contentBytes = contentBytes
        self.revision = revision
        self.createdAt = createdAt
        self.keyCheck = keyCheck
        seal = []
    }

    /// The number of bytes that the seal covers.
    var sealedBytes: UInt64 {
        contentRange.upperBound + UInt64(ownByteCount - Self.sealBytes)
    }

    private var ownByteCount: Int { number == 0 ? Self.byteCountMin : Self.byteCount }

    /// The range of the vault's files within the backup file.
    var contentRange: Range<UInt64> {
        let start = databaseBytes + UInt64(keyringBytes)
        return start..<(start + contentBytes)
    }

    /// Returns the footer without the seal.
    func unsealed() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        bytes += Self.magic
        bytes.append(bigEndian: Self.version)
        bytes.append(bigEndian: UInt32(keyringBytes))
        bytes.append(bigEndian: databaseBytes)
        bytes.append(bigEndian: revision)
        bytes.append(bigEndian: createdAt.microseconds)
        return bytes + keyCheck
    }

    /// Reads the footer. All lengths are checked against the size of the file.
    ///
    /// - Throws: `.backupDamaged`, `.newerSchema` for a backup of a later format.
    static func read(from file: borrowing BackupFile) throws(StoreError) -> BackupFooter {
        let size = try file.size()
        guard size > UInt64(byteCountMin) else { throw .backupDamaged("the file has only \(size) bytes") }
        let bytes = try file.read(byteCountMin, at: size - UInt64(byteCountMin))
        guard bytes.count == byteCountMin, Array(bytes[0..<16]) == magic else {
            throw .backupDamaged("the footer of a backup is missing: the file is cut off, or not a backup")
        }
        let version = number(bytes, 16, UInt32.self)
        guard version == 1 || version == Self.version else {
            throw StoreError(
                .newerSchema,
                """
                the backup has format version \(version) but this daemon knows only \(Self.version); use a newer \
                daemon
                """)
        }
        var footer = BackupFooter(
            number: version == 1 ? 0 : try backupNumber(file, size), keyringBytes: Int(number(bytes, 20, UInt32.self)),
            databaseBytes: number(bytes, 24, UInt64.self),
            revision: number(bytes, 32, UInt64.self),
            createdAt: Timestamp(microseconds: Int64(bitPattern: number(bytes, 40, UInt64.self))),
            keyCheck: Array(bytes[48..<80]))
        footer.seal = Array(bytes[80..<112])
        try footer.checkLengths(fileBytes: size)
        return footer
    }

    private static func backupNumber(_ file: borrowing BackupFile, _ size: UInt64) throws(StoreError) -> UInt64 {
        guard size > UInt64(byteCount) else { throw .backupDamaged("the file has only \(size) bytes") }
        let number = number(try file.read(8, at: size - UInt64(byteCount)), 0, UInt64.self)
        guard number > 0 else { throw .backupDamaged("the footer has 0 as the number of the backup") }
        return number
    }

    private mutating func checkLengths(fileBytes: UInt64) throws(StoreError) {
        let pageBytes = UInt64(CipherProfile.ghoststore.pageBytes)
        let rest = fileBytes - UInt64(ownByteCount)
        guard (1...BackupLimits.keyringBytesMax).contains(keyringBytes), databaseBytes > 0,
            databaseBytes.isMultiple(of: pageBytes), databaseBytes <= rest,
            UInt64(keyringBytes) <= rest - databaseBytes
        else { throw .backupDamaged("the lengths in the footer do not add up to the size of the file") }
        contentBytes = rest - databaseBytes - UInt64(keyringBytes)
    }

    private static func number<Number: FixedWidthInteger>(
        _ bytes: [UInt8], _ offset: Int, _ type: Number.Type
    ) -> Number {
        bytes[offset..<(offset + MemoryLayout<Number>.size)].reduce(0) { $0 << 8 | Number($1) }
    }
}

/// The keys of a backup, derived from the master key: the key of its database, and the key of its seal and key check.
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

    /// Passes the raw-key literal of the database to `body`.
    func withDatabaseKey<Result>(
        _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try databaseKey.withUnsafeBytes { bytes throws(StoreError) in try body(bytes) }
    }

    /// Returns a value that is equal for backups with the same master key, and reveals nothing else about the key.
    func keyCheck() -> [UInt8] {
        var hash = KeyedHash(key: sealKey)
        hash.update(Array("ghoststore backup key check".utf8))
        return hash.finish()
    }

    /// Returns the seal of a backup: a keyed hash of everything before the seal.
    ///
    /// - Parameter progress: Throws to end the work.
    func seal(
        _ file: borrowing BackupFile, _ footer: BackupFooter, progress: (Progress) throws(StoreError) -> Void
    ) throws(StoreError) -> [UInt8] {
        try hash(file, bytes: footer.sealedBytes, progress: progress).finish()
    }

    /// Returns true if the seal of a backup is valid, so that the file is as it was written.
    func isSealed(
        _ file: borrowing BackupFile, _ footer: BackupFooter, progress: (Progress) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        try hash(file, bytes: footer.sealedBytes, progress: progress).isEqual(to: footer.seal)
    }

    private func hash(
        _ file: borrowing BackupFile, bytes count: UInt64, progress: (Progress) throws(StoreError) -> Void
    ) throws(StoreError) -> KeyedHash {
        var hash = KeyedHash(key: sealKey)
        try file.forEachPiece(ofFirst: count) { piece, offset throws(StoreError) in
            hash.update(piece)
            try progress(Progress(done: offset + UInt64(piece.count), total: count))
        }
        return hash
    }
}
