import SQLCipher

/// The number and the bytes of attachments' contents.
package struct AttachmentUsage: Hashable, Sendable {
    /// The number of contents that attachments have, or that were written for future attachments.
    package var contentCount = 0
    package var byteCount: UInt64 = 0
    /// The number of contents whose bytes are stored.
    package var storedCount = 0
    package var storedBytes: UInt64 = 0
    /// The stored bytes that can be evicted.
    package var evictableBytes: UInt64 = 0
    /// The limit for `evictableBytes`; 0 for no limit.
    package var evictableBytesMax: UInt64 = 0
}

extension StoreReader {
    package func attachmentUsage() throws(StoreError) -> AttachmentUsage {
        let bytesMax = attachmentCache.bytesMax
        return try readSnapshot { connection throws(StoreError) in
            var usage = AttachmentUsage(evictableBytesMax: bytesMax)
            guard let row = try connection.first(Self.usage) else { return usage }
            usage.contentCount = row.int(0)
            usage.byteCount = row.unsigned(1)
            usage.storedCount = row.int(2)
            usage.storedBytes = row.unsigned(3)
            usage.evictableBytes = try EvictableBytes.read(connection)
            return usage
        }
    }

    /// Uses `total`, which does not overflow: archives can claim any length for contents that the store lacks.
    private static let usage = StatementText(
        """
        SELECT count(*), CAST(min(total(byte_count), 9e18) AS INTEGER), count(stored),
            ifnull(sum(CASE WHEN stored IS NOT NULL THEN byte_count END), 0)
        FROM attachment_contents
        """)
}
