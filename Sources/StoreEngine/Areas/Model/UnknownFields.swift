import StoreBasics

/// Limits for fields that only a later version of ghoststore knows.
enum UnknownFields {
    /// The most bytes of unknown fields in one entity, so that an entity is never too large for an archive.
    static let bytesMax = 1 << 20

    /// - Throws: `.invalidArgument` for more than `bytesMax`.
    static func check(_ fields: [UInt8], _ attachments: [NewAttachment] = []) throws(StoreError) {
        let count = attachments.reduce(fields.count) { $0 + $1.unknownFields.count }
        guard count <= bytesMax else {
            throw .invalidArgument(
                "fields that only a later version of ghoststore knows have \(count) bytes; the limit is \(bytesMax)")
        }
    }
}
