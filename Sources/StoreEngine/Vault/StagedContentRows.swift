import SQLCipher
import StoreBasics

/// The rows of `replica_staged_contents`: contents that other devices send in parts. A row is deleted when the whole
/// content has been received and checked, or when the content is dropped.
enum StagedContentRows {
    struct Row {
        let content: Int64
        let digest: AttachmentDigest
        let device: UInt64
        /// The size of the whole content, as the sending device reported it.
        let byteCount: UInt64

        init(content: Int64, digest: AttachmentDigest, device: UInt64, byteCount: UInt64) {
            self.content = content
            self.digest = digest
            self.device = device
            self.byteCount = byteCount
        }

        fileprivate init(_ row: borrowing Rows) {
            content = row.integer(0)
            digest = AttachmentDigest(trusted: row.bytes(1))
            device = row.device(2)
            byteCount = row.unsigned(3)
        }
    }

    static func insert(_ row: Row, at time: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.run(
            insert, row.content, row.digest.bytes, DeviceColumn(row.device), row.byteCount, time)
    }

    static func setChanged(_ content: Int64, at time: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.run(update, content, time)
    }

    static func delete(_ content: Int64, _ connection: Connection) throws(StoreError) {
        try connection.run(delete, content)
    }

    static func find(
        _ digest: AttachmentDigest, of device: UInt64, _ connection: Connection
    ) throws(StoreError) -> Row? {
        try row(connection.first(byDevice, digest.bytes, DeviceColumn(device)))
    }

    static func all(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> [Row] {
        let rows = try connection.rows(byDigest, digest.bytes)
        var found: [Row] = []
        while try rows.next() {
            found.append(Row(rows))
        }
        return found
    }

    /// Returns the first content whose bytes have all been received; `nil` if every content lacks some.
    static func whole(_ connection: Connection) throws(StoreError) -> Row? {
        try row(connection.first(firstWhole))
    }

    static func unchanged(since time: Timestamp, _ connection: Connection) throws(StoreError) -> Row? {
        try row(connection.first(firstUnchanged, time))
    }

    /// Returns the content at position `count`, counted from 1, among the contents of a device, newest first; `nil` if
    /// the device has fewer.
    static func oldest(of device: UInt64, besides count: Int, _ connection: Connection) throws(StoreError) -> Row? {
        try row(connection.first(behindNewest, DeviceColumn(device), count - 1))
    }

    static func isThere(_ content: Int64, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(byContent, content) != nil
    }

    private static func row(_ found: consuming Rows?) -> Row? {
        guard let row = found else { return nil }
        return Row(row)
    }

    private static let byContent = StatementText("SELECT 1 FROM replica_staged_contents WHERE content = ?1")
    private static let columns = "s.content, s.digest, s.device, s.byte_count FROM replica_staged_contents AS s"
    private static let insert = StatementText("INSERT INTO replica_staged_contents VALUES (?1, ?2, ?3, ?4, ?5)")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_staged_contents SET changed_at = ?2 WHERE content = ?1")
    private static let delete = StatementText("DELETE FROM replica_staged_contents WHERE content = ?1")
    private static let byDevice = StatementText("SELECT \(columns) WHERE s.digest = ?1 AND s.device = ?2")
    private static let byDigest = StatementText("SELECT \(columns) WHERE s.digest = ?1")
    private static let firstWhole = StatementText(
        """
        SELECT \(columns) CROSS JOIN file_contents AS c ON c.number = s.content
        WHERE c.byte_count = s.byte_count LIMIT 1
        """)
    private static let firstUnchanged = StatementText("SELECT \(columns) WHERE s.changed_at < ?1 LIMIT 1")
    private static let behindNewest = StatementText(
        "SELECT \(columns) WHERE s.device = ?1 ORDER BY s.content DESC LIMIT 1 OFFSET ?2")
}
