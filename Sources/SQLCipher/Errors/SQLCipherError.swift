import CSQLCipher
import Glibc

/// A failure reported by SQLite or SQLCipher: the primary and the extended result code, and the failed operation.
///
/// The library's own message is omitted on purpose, because it may quote values. See
/// https://www.sqlite.org/rescode.html.
package struct SQLCipherError: Error, Hashable, Sendable {
    /// The result codes that callers distinguish. All other codes are `other`.
    package enum Kind: Hashable, Sendable {
        /// SQLITE_CONSTRAINT with its extended code in `extendedCode`.
        case constraint
        /// SQLITE_FULL, and SQLITE_IOERR with ENOSPC or EDQUOT: the disk or the quota is full.
        case diskFull
        /// SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC: the state on disk is unknown.
        case syncFailed
        /// A COMMIT or a checkpoint failed with a code that does not say if it had an effect.
        case outcomeUnknown
        /// SQLITE_IOERR and SQLITE_CANTOPEN: the operating system reported an error.
        case inputOutput
        /// SQLITE_NOTADB: the key is wrong, or the first page is damaged.
        case notADatabase
        /// SQLITE_CORRUPT: a page is missing, is not authentic or has invalid content.
        case corrupt
        /// SQLITE_ERROR: SQLCipher has read a page that does not authenticate, and SQLite did not interpret its
        /// content, for example because the page is a part of a long text. A mistake in the SQL has the same code, but
        /// all SQL is fixed, so tests find such mistakes.
        case pageRefused
        /// SQLITE_BUSY, SQLITE_LOCKED, and SQLITE_PROTOCOL, which means that other connections held their locks at each
        /// attempt.
        case busy
        case interrupted
        /// SQLITE_READONLY: the file cannot be written, for example because its file system is mounted read-only.
        case readOnly
        case outOfMemory
        /// SQLITE_TOOBIG: a value is larger than SQLite allows.
        case tooBig
        /// The key is not a raw-key literal of the right length; nothing was opened.
        case malformedKey
        /// The library or the file did not accept a setting that the profile requires.
        case profileRefused
        /// The bytes are not statements written by `StatementRecorder`.
        case malformedRecording
        /// A recorded statement had another effect than when it was recorded. The database is therefore not in the
        /// state in which the statement was recorded.
        case replayDiverged
        case other
    }

    package let kind: Kind
    /// The primary result code; 0 for errors found by this wrapper.
    package let primaryCode: Int32
    package let extendedCode: Int32
    /// The failed operation, such as "step" or "open".
    package let operation: String

    package init(kind: Kind, operation: String) {
        self.kind = kind
        self.primaryCode = 0
        self.extendedCode = 0
        self.operation = operation
    }

    /// - Parameter systemErrors: possible error numbers of the system (errno(3)). They show an exceeded quota, which
    ///   SQLite does not distinguish from other write failures.
    init(extendedCode: Int32, systemErrors: [Int32] = [], operation: String) {
        self.extendedCode = extendedCode
        self.primaryCode = extendedCode & 0xff
        self.operation = operation
        let isOfPage = primaryCode == SQLITE_ERROR && Self.pageOperations.contains(operation)
        let kind = isOfPage ? .pageRefused : Self.kind(ofExtended: extendedCode)
        let isFull = kind == .inputOutput && systemErrors.contains { $0 == ENOSPC || $0 == EDQUOT }
        self.kind = isFull ? .diskFull : kind
    }

    private init(_ kind: Kind, of error: SQLCipherError) {
        self.kind = kind
        primaryCode = error.primaryCode
        extendedCode = error.extendedCode
        operation = error.operation
    }

    /// This error as the error of a COMMIT or a checkpoint. SQLite has specific codes for failures without an effect.
    /// After any other code, such as SQLITE_ERROR, the change may be on disk.
    var ofDurableChange: SQLCipherError {
        let isUnclassified = primaryCode == SQLITE_ERROR || kind == .other
        return isUnclassified ? SQLCipherError(.outcomeUnknown, of: self) : self
    }

    /// The operations that read pages. In other operations, SQLITE_ERROR has other causes.
    private static let pageOperations: Set = ["prepare", "step", "page probe", "backup step"]

    private static func kind(ofExtended code: Int32) -> Kind {
        // These are SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC, expressions that Swift does not import.
        let syncCodes = [SQLITE_IOERR | (4 << 8), SQLITE_IOERR | (5 << 8)]
        if syncCodes.contains(code) {
            return .syncFailed
        }
        switch code & 0xff {
        case SQLITE_CONSTRAINT: return .constraint
        case SQLITE_FULL: return .diskFull
        case SQLITE_IOERR, SQLITE_CANTOPEN: return .inputOutput
        case SQLITE_NOTADB: return .notADatabase
        case SQLITE_CORRUPT: return .corrupt
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
        case SQLITE_INTERRUPT: return .interrupted
        case SQLITE_READONLY: return .readOnly
        case SQLITE_NOMEM: return .outOfMemory
        case SQLITE_TOOBIG: return .tooBig
        default: return .other
        }
    }

    /// True for SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY.
    package var isUniqueViolation: Bool {
        extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
    }
}

extension SQLCipherError: CustomStringConvertible {
    package var description: String {
        "\(operation) failed: \(kind) (sqlite result code \(primaryCode), extended \(extendedCode))"
    }
}
