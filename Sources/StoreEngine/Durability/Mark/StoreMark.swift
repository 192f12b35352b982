import StoreBasics
import StoreCrypto

/// The highest revision that is known to be in the database file. It is stored in a file beside the database and
/// reveals if an older copy of database and journal was put back (docs/decisions/2026-11-23-journal.md).
///
///     0 magic (16), 16 version (u32), 20 zero (u32), 24 revision (u64), 32 authenticator (32)
///
/// Numbers are big-endian. The authenticator is a keyed hash over all bytes before it, under a subkey of the keyring's
/// authenticity key.
struct StoreMark: Hashable {
    static let byteCount = contentBytes + AuthenticationKey.authenticatorBytes
    private static let contentBytes = 32
    private static let magic = Array("ghoststore-mark\n".utf8)
    private static let version: UInt32 = 2

    var revision: UInt64

    init(revision: UInt64) {
        self.revision = revision
    }

    /// Returns `nil` if the file was not written under `key`.
    init?(_ file: [UInt8], under key: borrowing AuthenticationKey) {
        guard let mark = StoreMark(claimedBy: file), key.isAuthentic(file) else { return nil }
        self = mark
    }

    /// Decodes a file without checking its authenticator. Use it only to describe a store whose key is not available.
    init?(claimedBy file: [UInt8]) {
        guard file.count == Self.byteCount, file.starts(with: Self.magic) else { return nil }
        let mark = file.withUnsafeBytes { bytes -> StoreMark? in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[Self.magic.count...]))
            guard reader.bigEndian(UInt32.self) == Self.version, reader.bigEndian(UInt32.self) == 0 else { return nil }
            return reader.bigEndian(UInt64.self).map(StoreMark.init(revision:))
        }
        guard let mark else { return nil }
        self = mark
    }

    /// Encodes the mark into `bytes`, which has room for `byteCount` bytes.
    func write(to bytes: UnsafeMutableRawBufferPointer, under key: borrowing AuthenticationKey) {
        bytes.copyBytes(from: Self.magic)
        bytes.storeBytes(of: Self.version.bigEndian, toByteOffset: 16, as: UInt32.self)
        bytes.storeBytes(of: 0, toByteOffset: 20, as: UInt32.self)
        bytes.storeBytes(of: revision.bigEndian, toByteOffset: 24, as: UInt64.self)
        key.authenticate(bytes)
    }
}

/// The loss that an operator has accepted when the store was opened.
struct StoreLoss: Hashable, Sendable {
    /// True if acknowledged writes are certainly missing.
    var isCertain = false
    /// The number of acknowledged revisions above the store's own revision, as far as it is known.
    var missingRevisions: UInt64 = 0
    /// The number of records that the journal shows after the last record that could be applied. There may have been
    /// more.
    var missingRecords: UInt64 = 0
}
