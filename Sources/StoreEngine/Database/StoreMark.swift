import SQLCipher
import StoreBasics
import StoreCrypto

/// What the store held at its last commit, kept beside it: the next opening tells by it that something answered is
/// missing, of which SQLite says nothing (docs/decisions/2026-11-22-store-mark.md).
///
///     0 magic (16), 16 version (u32), 20 frames (u32), 24 salts (2 x u32), 32 revision (u64), 40 authenticator (32)
///
/// Numbers are big-endian. The authenticator is a keyed hash over all that comes before it, under a subkey of the
/// keyring's authenticity key.
struct StoreMark: Hashable {
    /// What of the WAL the database file cannot do without.
    struct NeededLog: Hashable {
        let salts: WriteAheadLogSalts
        /// From the log's beginning; at least one.
        let frames: UInt32
    }

    static let byteCount = contentBytes + AuthenticationKey.authenticatorBytes
    private static let contentBytes = 40
    private static let magic = Array("ghoststore-mark\n".utf8)
    private static let version: UInt32 = 1

    var revision: UInt64
    /// `nil` where everything is in the database file.
    var neededLog: NeededLog?

    init(revision: UInt64, neededLog: NeededLog? = nil) {
        self.revision = revision
        self.neededLog = neededLog
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
            guard reader.bigEndian(UInt32.self) == Self.version, let frames = reader.bigEndian(UInt32.self),
                let round = reader.bigEndian(UInt32.self), let random = reader.bigEndian(UInt32.self),
                let revision = reader.bigEndian(UInt64.self)
            else { return nil }
            let salts = WriteAheadLogSalts(round: round, random: random)
            return StoreMark(
                revision: revision, neededLog: frames == 0 ? nil : NeededLog(salts: salts, frames: frames))
        }
        guard let mark else { return nil }
        self = mark
    }

    /// - Parameter bytes: `byteCount` of them.
    func write(to bytes: UnsafeMutableRawBufferPointer, under key: borrowing AuthenticationKey) {
        bytes.copyBytes(from: Self.magic)
        bytes.storeBytes(of: Self.version.bigEndian, toByteOffset: 16, as: UInt32.self)
        bytes.storeBytes(of: (neededLog?.frames ?? 0).bigEndian, toByteOffset: 20, as: UInt32.self)
        bytes.storeBytes(of: (neededLog?.salts.round ?? 0).bigEndian, toByteOffset: 24, as: UInt32.self)
        bytes.storeBytes(of: (neededLog?.salts.random ?? 0).bigEndian, toByteOffset: 28, as: UInt32.self)
        bytes.storeBytes(of: revision.bigEndian, toByteOffset: 32, as: UInt64.self)
        key.authenticate(bytes)
    }

    /// Frames that the store cannot do without and that its log does not have.
    func missingFrames(in log: WriteAheadLogScan) -> Int {
        guard let neededLog else { return 0 }
        guard let salts = log.salts else { return Int(neededLog.frames) }
        // A log is begun anew only when everything in it is in the database file.
        guard !salts.isLater(than: neededLog.salts) else { return 0 }
        return salts == neededLog.salts ? max(0, Int(neededLog.frames) - log.validFrames) : Int(neededLog.frames)
    }
}

/// What an opening found to be wrong with what the store held when it was last used.
struct StoreLoss: Hashable, Sendable {
    /// What the mark said, or why it said nothing.
    enum Evidence: Hashable, Sendable {
        case mark
        case noMark
        /// It is damaged, or of another store.
        case foreignMark
    }

    var evidence = Evidence.mark
    var validFrames = 0
    /// Behind a damaged frame: see `WriteAheadLogScan`.
    var ignoredFrames = 0
    /// Of commits that were answered.
    var missingFrames = 0
    /// Revisions that were answered and are above the store's own.
    var missingRevisions: UInt64 = 0

    init() {}

    init(_ found: StoreMarkFile.Found, _ log: WriteAheadLogScan, revision: UInt64) {
        validFrames = log.validFrames
        ignoredFrames = log.ignoredFrames
        switch found {
        case .none: evidence = .noMark
        case .foreign: evidence = .foreignMark
        case .mark(let mark):
            missingFrames = mark.missingFrames(in: log)
            missingRevisions = mark.revision > revision ? mark.revision - revision : 0
        }
    }

    /// What was answered is gone, whatever happened.
    var isCertain: Bool {
        missingFrames > 0 || missingRevisions > 0
    }

    var isNothing: Bool {
        evidence == .mark && ignoredFrames == 0 && !isCertain
    }
}
