import StoreBasics

/// Limits for fields that only a later version of ghoststore knows.
enum UnknownFields {
    /// The most bytes of unknown fields in one entity, so that an entity is never too large for an archive.
    static let bytesMax = 1 << 20

    /// The most bytes of unknown fields in metadata. This limit is small, because the metadata of all attachments of a
    /// message must fit into one answer.
    static let metadataBytesMax = 4 << 10

    /// - Throws: `.invalidArgument` for more than `bytesMax`.
    static func check(_ fields: [UInt8], _ attachments: [NewAttachment] = []) throws(StoreError) {
        try check(attachments.reduce(fields.count) { $0 + $1.unknownFields.count }, atMost: bytesMax)
    }

    /// - Throws: `.invalidArgument` for more than `metadataBytesMax`.
    static func check(ofMetadata fields: [UInt8]) throws(StoreError) {
        try check(fields.count, atMost: metadataBytesMax)
    }

    private static func check(_ count: Int, atMost bytesMax: Int) throws(StoreError) {
        guard count <= bytesMax else {
            throw .invalidArgument(
                "fields that only a later version of ghoststore knows have \(count) bytes; the limit is \(bytesMax)")
        }
    }
}
