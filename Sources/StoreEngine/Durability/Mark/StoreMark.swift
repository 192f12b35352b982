import StoreBasics
import StoreCrypto

/// The highest revision that is known to be in the database file, kept beside it: an older copy of database and journal
/// together is told by it (docs/decisions/2026-11-23-journal.md).
///
///     0 magic (16), 16 version (u32), 20 zero (u32), 24 revision (u64), 32 authenticator (32)
///
/// Numbers are big-endian. The authenticator is a keyed hash over all that comes before it, under a subkey of the
/// keyring's authenticity key.
struct StoreMark: Hashable {
    static let byteCount = contentBytes + AuthenticationKey.authenticatorBytes
    private static let contentBytes = 32
    private static let magic = Array("ghoststore-mark\n".utf8)
    private static let version: UInt32 = 2

    var revision: UInt64

    init(revision: UInt64) {
        self.revision = revision
    }

    /// `nil` for what was not written under the key.
    init?(_ file: [UInt8], under key: borrowing AuthenticationKey) {
        guard let mark = StoreMark(claimedBy: file), key.isAuthentic(file) else { return nil }
        self = mark
    }

    /// What a file says, whoever wrote it: enough to tell people about a store whose key is not at hand.
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

    /// - Parameter bytes: `byteCount` of them.
    func write(to bytes: UnsafeMutableRawBufferPointer, under key: borrowing AuthenticationKey) {
        bytes.copyBytes(from: Self.magic)
        bytes.storeBytes(of: Self.version.bigEndian, toByteOffset: 16, as: UInt32.self)
        bytes.storeBytes(of: 0, toByteOffset: 20, as: UInt32.self)
        bytes.storeBytes(of: revision.bigEndian, toByteOffset: 24, as: UInt64.self)
        key.authenticate(bytes)
    }
}

/// What an operator has accepted to be missing when the store was opened.
struct StoreLoss: Hashable, Sendable {
    /// What was answered is gone.
    var isCertain = false
    /// Revisions that were answered and are above the store's own, as far as they are known.
    var missingRevisions: UInt64 = 0
    /// Records that the journal shows behind those that could be run; more may have been there.
    var missingRecords: UInt64 = 0
}
