import Interchange

/// The bytes that an entry uses of its log's size. Without metadata, these are the bytes that the message needs in a
/// CacheAdvance file: its own and four bytes of length. Metadata use their encoded bytes and four more, as if they were
/// a second message.
enum LogEntrySize {
    static func bytes(_ message: [UInt8], _ metadata: Metadata?) -> UInt64 {
        CacheAdvanceLayout.storedBytes(messageBytes: message.count)
            + (metadata.map { CacheAdvanceLayout.storedBytes(messageBytes: $0.bytes.count) } ?? 0)
    }

    /// Returns the SQL for the bytes of an entry.
    ///
    /// - Parameters:
    ///   - entry: The name that the query has for the table `log_entries`.
    ///   - hasMetadata: False for a database without metadata of entries.
    static func column(of entry: String, hasMetadata: Bool = true) -> String {
        let message = "\(CacheAdvanceLayout.lengthBytes) + length(\(entry).data)"
        guard hasMetadata else { return "(\(message))" }
        return "(\(message) + coalesce(\(CacheAdvanceLayout.lengthBytes) + length(\(entry).metadata), 0))"
    }
}
