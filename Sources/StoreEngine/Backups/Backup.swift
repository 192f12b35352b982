import Glibc
package import StoreBasics

/// A backup under the state directory.
package struct BackupInfo: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case made
        case uploaded
        /// No backup, but the store that was there before the last restore. It can be deleted, nothing else.
        case replacedStore
    }

    package let kind: Kind
    package let name: String
    /// Later backups of the folder have greater numbers, whatever the clock said; 0 if it is not known.
    package let number: UInt64
    package let bytes: Int
    /// Of the replaced store: when it was replaced.
    package let createdAt: Timestamp
    /// The store's revision it holds; 0 where it is not known.
    package let revision: UInt64
    /// False for an upload that still misses bytes, and for a made backup that does not end as one does.
    package let isComplete: Bool
}

/// A piece of a backup.
package struct BackupChunk: Sendable {
    package let data: [UInt8]
    /// Size of the whole backup.
    package let totalBytes: UInt64
}

/// What verifying a backup found.
package struct BackupReport: Hashable, Sendable {
    package var isClean: Bool { findings.isEmpty }
    package let findings: [String]
    /// Whatever is found is of single files, which were damaged already when the backup was made.
    package let isDatabaseClean: Bool
    package let statistics: Statistics
}

/// Every bound of backups, in one place.
enum BackupLimits {
    /// Backups and uploads in the folder.
    static let backupsMax = 64
    /// Bytes of one piece that is read or written.
    static let chunkBytesMax = 1 << 20
    /// Bytes of a name, as the daemon makes and lists them.
    static let nameBytesMax = 128
    /// Bytes of a keyring file.
    static let keyringBytesMax = 64 << 10
    /// Bytes copied or hashed at once.
    static let bufferBytes = 1 << 20
    /// Bytes that a backup leaves free on the disk, so that the store beside it can go on.
    static let reserveBytes: UInt64 = 16 << 20
}

/// The name of a backup. The daemon makes names; what a client sends is only compared with names in the folder.
struct BackupName: Hashable {
    static let suffix = ".ghostbackup"

    let text: String
    /// The size announced for an upload; `nil` for a backup the daemon made.
    let announcedBytes: UInt64?

    /// `backup-20260131T235959Z-r1234-0a1b2c.ghostbackup`
    static func made(at time: Timestamp, revision: UInt64) -> BackupName {
        BackupName(
            text: "backup-\(stamp(time))-r\(revision)-\(randomDigits())\(suffix)", announcedBytes: nil)
    }

    /// `upload-20260131T235959Z-4096b-0a1b2c.ghostbackup`: the size is in the name, so that it survives a restart.
    static func uploaded(at time: Timestamp, bytes: UInt64) -> BackupName {
        BackupName(text: "upload-\(stamp(time))-\(bytes)b-\(randomDigits())\(suffix)", announcedBytes: bytes)
    }

    /// A name found in the folder; `nil` for a file that is no backup.
    init?(listed text: String) {
        guard text.hasSuffix(Self.suffix), text.utf8.count <= BackupLimits.nameBytesMax else { return nil }
        self.text = text
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 4, parts[0] == "upload", parts[2].last == "b" {
            announcedBytes = UInt64(parts[2].dropLast())
        } else {
            announcedBytes = nil
        }
    }

    private init(text: String, announcedBytes: UInt64?) {
        self.text = text
        self.announcedBytes = announcedBytes
    }

    /// UTC, as ISO 8601's basic format.
    private static func stamp(_ time: Timestamp) -> String {
        CalendarTime(secondsSinceEpoch: time.microseconds / 1_000_000).text(isBasic: true) + "Z"
    }

    private static func randomDigits() -> String {
        let digits = String(UInt32.random(in: 0..<(1 << 24)), radix: 16)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
}
