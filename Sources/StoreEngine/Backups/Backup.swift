import Glibc
package import StoreBasics

/// A backup or an upload in the state directory, or the store that the last restore replaced.
package struct BackupInfo: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case made
        case uploaded
        /// The store that the last restore replaced, which is not a backup. It can only be deleted.
        case replacedStore
    }

    package let kind: Kind
    package let name: String
    /// The number of the backup. Later backups of the folder have greater numbers, even if the clock was wrong; 0 if it
    /// is not known.
    package let number: UInt64
    package let bytes: Int
    /// When the backup was made, or when the replaced store was replaced.
    package let createdAt: Timestamp
    /// The store's revision in the backup; 0 if it is not known.
    package let revision: UInt64
    /// False for an upload that lacks bytes, and for a backup made by the daemon that has no valid end.
    package let isComplete: Bool
}

/// A part of a backup, as a client downloads it.
package struct BackupChunk: Sendable {
    package let data: [UInt8]
    /// The size of the whole backup, not only of this part.
    package let totalBytes: UInt64
}

/// The result of verifying a backup.
package struct BackupReport: Hashable, Sendable {
    package var isClean: Bool { findings.isEmpty }
    package let findings: [String]
    /// True if the only findings are damaged files, which were already damaged when the backup was made.
    package let isDatabaseClean: Bool
    package let statistics: Statistics
}

/// The limits for backups, uploads and the work on them.
enum BackupLimits {
    /// The most backups and uploads in the folder.
    static let backupsMax = 64
    /// The most bytes of one part that is read or written.
    static let chunkBytesMax = 1 << 20
    /// The most bytes of a backup's file name.
    static let nameBytesMax = 128
    /// The most bytes of a keyring file.
    static let keyringBytesMax = 64 << 10
    /// The number of bytes that are copied or hashed at once.
    static let bufferBytes = 1 << 20
    /// The bytes that a backup leaves free on the disk, so that the store stays usable.
    static let reserveBytes: UInt64 = 16 << 20
}

/// The name of a backup. The daemon creates names; a name from a client is only compared with names in the folder.
struct BackupName: Hashable {
    static let suffix = ".ghostbackup"

    let text: String
    /// The announced size of an upload; `nil` for a backup that the daemon made.
    let announcedBytes: UInt64?

    /// Returns a name such as `backup-20260131T235959Z-r1234-0a1b2c.ghostbackup`.
    static func made(at time: Timestamp, revision: UInt64) -> BackupName {
        BackupName(
            text: "backup-\(stamp(time))-r\(revision)-\(randomDigits())\(suffix)", announcedBytes: nil)
    }

    /// Returns a name such as `upload-20260131T235959Z-4096b-0a1b2c.ghostbackup`. It contains the size, so that the
    /// size survives a restart.
    static func uploaded(at time: Timestamp, bytes: UInt64) -> BackupName {
        BackupName(text: "upload-\(stamp(time))-\(bytes)b-\(randomDigits())\(suffix)", announcedBytes: bytes)
    }

    /// Decodes the name of a file in the folder; `nil` if the file is not a backup.
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

    /// Returns the time in UTC, in the basic format of ISO 8601.
    private static func stamp(_ time: Timestamp) -> String {
        CalendarTime(secondsSinceEpoch: time.microseconds / 1_000_000).text(isBasic: true) + "Z"
    }

    private static func randomDigits() -> String {
        let digits = String(UInt32.random(in: 0..<(1 << 24)), radix: 16)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
}
