import ReplicaModel
import SQLCipher
import StoreBasics

/// The rows of `replica_outgoing`: sealed messages that the group's stream does not have yet. A message is never sealed
/// again, because two different messages with one sequence look to the other devices like a copied store.
enum ReplicaOutgoingRows {
    static func insert(
        _ channel: ReplicaChannel, _ sequence: UInt64, _ bytes: [UInt8], _ connection: Connection
    ) throws(StoreError) {
        try connection.run(insert, channel.text, sequence, bytes)
    }

    static func messages(
        _ channel: ReplicaChannel, after sequence: UInt64, bytesMax: Int, _ connection: Connection
    ) throws(StoreError) -> [ReplicaOutgoing] {
        var messages: [ReplicaOutgoing] = []
        var byteCount = 0
        let rows = try connection.rows(selectBehind, channel.text, sequence)
        while try rows.next() {
            byteCount += rows.borrowedBytes(1).count
            guard messages.isEmpty || byteCount <= bytesMax else { break }
            messages.append(ReplicaOutgoing(sequence: rows.unsigned(0), bytes: rows.bytes(1)))
        }
        return messages
    }

    /// Deletes the messages up to a sequence.
    ///
    /// - Returns: True if there were such messages.
    static func delete(
        _ channel: ReplicaChannel, through sequence: UInt64, _ connection: Connection
    ) throws(StoreError) -> Bool {
        guard try connection.first(selectThrough, channel.text, sequence) != nil else { return false }
        try connection.run(deleteThrough, channel.text, sequence)
        return true
    }

    /// Returns the number of messages in all channels, and their bytes.
    static func total(_ connection: Connection) throws(StoreError) -> (count: UInt64, bytes: UInt64) {
        guard let row = try connection.first(selectTotal) else { return (0, 0) }
        return (row.unsigned(0), row.unsigned(1))
    }

    static func areThere(
        _ channel: ReplicaChannel, after sequence: UInt64, _ connection: Connection
    ) throws(StoreError) -> Bool {
        try connection.first(selectAnyBehind, channel.text, sequence) != nil
    }

    /// Returns the number of bytes that wait in a channel.
    static func bytes(of channel: ReplicaChannel, _ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(selectBytes, channel.text)?.unsigned(0) ?? 0
    }

    /// Returns the channels in which messages wait, with the first sequence of each.
    static func channels(
        _ connection: Connection
    ) throws(StoreError) -> [(channel: ReplicaChannel, firstSequence: UInt64)] {
        var channels: [(channel: ReplicaChannel, firstSequence: UInt64)] = []
        let rows = try connection.rows(selectChannels)
        while try rows.next() {
            guard let channel = ReplicaChannel(text: try rows.text(0)) else { throw ReplicaTables.damaged }
            channels.append((channel, rows.unsigned(1)))
        }
        return channels
    }

    private static let insert = StatementText("INSERT INTO replica_outgoing VALUES (?1, ?2, ?3)")
    private static let selectBehind = StatementText(
        "SELECT sequence, message FROM replica_outgoing WHERE channel = ?1 AND sequence > ?2 ORDER BY sequence")
    private static let selectAnyBehind = StatementText(
        "SELECT 1 FROM replica_outgoing WHERE channel = ?1 AND sequence > ?2 LIMIT 1")
    private static let selectThrough = StatementText(
        "SELECT 1 FROM replica_outgoing WHERE channel = ?1 AND sequence <= ?2 LIMIT 1")
    private static let deleteThrough = StatementText(
        "DELETE FROM replica_outgoing WHERE channel = ?1 AND sequence <= ?2")
    private static let selectTotal = StatementText(
        "SELECT count(*), ifnull(sum(length(message)), 0) FROM replica_outgoing")
    private static let selectBytes = StatementText(
        "SELECT ifnull(sum(length(message)), 0) FROM replica_outgoing WHERE channel = ?1")
    private static let selectChannels = StatementText(
        "SELECT channel, min(sequence) FROM replica_outgoing GROUP BY channel ORDER BY channel")
}
