import SQLCipher

/// How much the contents of attachments are.
package struct AttachmentUsage: Hashable, Sendable {
    /// Those that attachments have, or that were written for some.
    package var contentCount = 0
    package var byteCount: UInt64 = 0
    /// Of those whose bytes are there.
    package var storedCount = 0
    package var storedBytes: UInt64 = 0
    /// Of those of these that can be fetched again.
    package var evictableBytes: UInt64 = 0
    /// What the last may be; 0: no bound.
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

    /// A list may say of contents that are nowhere here that they are large: `total` does not overflow.
    private static let usage = StatementText(
        """
        SELECT count(*), CAST(min(total(byte_count), 9e18) AS INTEGER), count(stored),
            ifnull(sum(CASE WHEN stored IS NOT NULL THEN byte_count END), 0)
        FROM attachment_contents
        """)
}
