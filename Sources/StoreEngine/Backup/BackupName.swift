import Glibc
internal import StoreBasics

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
        var seconds = time_t(time.microseconds / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let date = "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
        return "\(date)T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }

    private static func randomDigits() -> String {
        let digits = String(UInt32.random(in: 0..<(1 << 24)), radix: 16)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
}
