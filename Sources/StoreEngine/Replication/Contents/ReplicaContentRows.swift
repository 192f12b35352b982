import SQLCipher
import StoreBasics

/// The rows of `replica_contents`: contents that this device tells who asks for them. They are in batches of the group
/// as a whole: who told them, and the batch with the last of each. Or only something that was merged names them.
enum ReplicaContentRows {
    /// Who told a content; `nil` for one that nobody is known to have told.
    static func told(
        _ digest: AttachmentDigest, _ connection: Connection
    ) throws(StoreError) -> (device: UInt64, sequence: UInt64)? {
        guard let row = try connection.first(select, digest.bytes), let sequence = row.optionalUnsigned(1) else {
            return nil
        }
        return (row.device(0), sequence)
    }

    static func isThere(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(select, digest.bytes) != nil
    }

    /// - Parameter sequence: `nil` where it was only named.
    static func write(
        _ digest: AttachmentDigest, _ device: UInt64, _ sequence: UInt64?, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(update, insert, digest.bytes, DeviceColumn(device), sequence)
    }

    /// A content is to be told again, as a device asks for it.
    ///
    /// - Returns: false where the group was not told of it and nothing that was merged names it, and where that device
    ///   has asked not long ago: what was told then is on its way to it.
    static func beginAnswer(
        _ digest: AttachmentDigest, to device: UInt64, at now: Timestamp, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard let row = try connection.first(selectAnswered, digest.bytes) else { return false }
        if !row.isNull(0), row.optionalDevice(1) == device,
            !ReplicaTimes.hasPassed(ReplicaTimes.askingAgain, since: row.timestamp(0), now: now)
        {
            return false
        }
        try connection.run(updateAnswered, digest.bytes, now, DeviceColumn(device))
        return true
    }

    private static let selectAnswered = StatementText(
        "SELECT answered_at, answered_to FROM replica_contents WHERE digest = ?1")
    private static let updateAnswered = StatementText(
        "UPDATE OR FAIL replica_contents SET answered_at = ?2, answered_to = ?3 WHERE digest = ?1")
    private static let select = StatementText("SELECT device, sequence FROM replica_contents WHERE digest = ?1")
    private static let update = StatementText(
        "UPDATE OR FAIL replica_contents SET device = ?2, sequence = ?3 WHERE digest = ?1")
    private static let insert = StatementText("INSERT INTO replica_contents VALUES (?1, ?2, ?3, NULL, NULL)")
}
