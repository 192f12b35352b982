import SQLCipher
import StoreBasics

/// The rows of `replica_contents`: contents that this device sends on request. The row of a content that was published
/// has the device that published it, and the sequence of the batch with the last piece. The row of a content to which
/// merged data only refers has no sequence.
enum ReplicaContentRows {
    /// Returns the device and the batch that published a content; `nil` if no such batch is known.
    static func publication(
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

    /// Writes a row.
    ///
    /// - Parameter sequence: The batch with the last piece; `nil` if merged data only refers to the content.
    static func write(
        _ digest: AttachmentDigest, _ device: UInt64, _ sequence: UInt64?, _ connection: Connection
    ) throws(StoreError) {
        try connection.runOrInsert(update, insert, digest.bytes, DeviceColumn(device), sequence)
    }

    /// Begins to publish a content again because a device requested it.
    ///
    /// - Returns: False if the group has never received the content and no record refers to it, or if the same device
    ///   asked recently, so that the answer is still on its way.
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
