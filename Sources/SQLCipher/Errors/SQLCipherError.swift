import CSQLCipher
import Glibc

/// A failure reported by SQLite or SQLCipher: the primary and the extended result code and the call it came from.
///
/// The library's own message text is left out on purpose: it may quote values. See https://www.sqlite.org/rescode.html.
package struct SQLCipherError: Error, Hashable, Sendable {
    /// Result codes callers decide on; every other code is `other`.
    package enum Kind: Hashable, Sendable {
        /// SQLITE_CONSTRAINT with its extended code in `extendedCode`.
        case constraint
        /// SQLITE_FULL, and SQLITE_IOERR where the system's reason was ENOSPC or EDQUOT: the disk or the quota is full.
        case diskFull
        /// SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC: what is on disk is no longer known.
        case syncFailed
        /// A COMMIT or a checkpoint failed with a code that does not tell whether it had an effect.
        case outcomeUnknown
        /// SQLITE_IOERR and SQLITE_CANTOPEN: the operating system refused.
        case inputOutput
        /// SQLITE_NOTADB: wrong key, or the first page is damaged.
        case notADatabase
        /// SQLITE_CORRUPT: a page is missing, does not authenticate or does not make sense.
        case corrupt
        /// SQLITE_ERROR: what SQLCipher answers from the moment it has met a page that does not authenticate and whose
        /// content SQLite does not look into, such as a piece of a long text. A mistake in the SQL has the same code;
        /// all of it is fixed, so tests find those.
        case pageRefused
        /// SQLITE_BUSY, SQLITE_LOCKED, and SQLITE_PROTOCOL: others were too quick with their locks too often.
        case busy
        case interrupted
        /// SQLITE_READONLY: the file system is mounted read-only.
        case readOnly
        case outOfMemory
        /// SQLITE_TOOBIG: a value is larger than SQLite takes.
        case tooBig
        /// The key is not a raw-key literal of the right length; nothing was opened.
        case malformedKey
        /// The library or the file did not take a setting that the profile needs.
        case profileRefused
        /// Recorded statements that no `StatementRecorder` has written.
        case malformedRecording
        /// A recorded statement did not do what it did when it was recorded: the database is another one.
        case replayDiverged
        case other
    }

    package let kind: Kind
    /// 0 for errors found by this wrapper.
    package let primaryCode: Int32
    package let extendedCode: Int32
    /// The call that failed, such as "step" or "open".
    package let operation: String

    package init(kind: Kind, operation: String) {
        self.kind = kind
        self.primaryCode = 0
        self.extendedCode = 0
        self.operation = operation
    }

    /// - Parameter systemErrors: what the system may have given as the reason (errno(3)): SQLite tells a full disk from
    ///   other failures to write, but not a reached quota.
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

    /// This failure as that of a COMMIT or a checkpoint. SQLite gives reasons of its own for those that had no effect;
    /// with any other, such as SQLITE_ERROR, the change may be on disk.
    var ofDurableChange: SQLCipherError {
        let isUnclassified = primaryCode == SQLITE_ERROR || kind == .other
        return isUnclassified ? SQLCipherError(.outcomeUnknown, of: self) : self
    }

    /// What reads pages; elsewhere SQLITE_ERROR has other causes.
    private static let pageOperations: Set = ["prepare", "step", "page probe", "backup step"]

    private static func kind(ofExtended code: Int32) -> Kind {
        // SQLITE_IOERR | (n << 8): the macros are expressions Swift does not import.
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

    /// SQLITE_CONSTRAINT_UNIQUE or SQLITE_CONSTRAINT_PRIMARYKEY.
    package var isUniqueViolation: Bool {
        extendedCode == SQLITE_CONSTRAINT | (8 << 8) || extendedCode == SQLITE_CONSTRAINT | (6 << 8)
    }
}

extension SQLCipherError: CustomStringConvertible {
    package var description: String {
        "\(operation) failed: \(kind) (sqlite result code \(primaryCode), extended \(extendedCode))"
    }
}
