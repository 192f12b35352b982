import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// Encodes records as the bytes of a plain archive. It rejects records in the wrong order. The daemon that restores the
/// archive checks their contents.
///
/// The footer of such an archive has no digest. Pass `withoutDigest: true` to `StoreClient.beginArchiveRestore`.
public struct ArchiveRecordWriter: Sendable {
    private var order = ArchiveOrderChecker()
    private var hasBegun = false
    /// The number of bytes that were returned so far, including the magic.
    public private(set) var offset: UInt64 = 0

    /// Creates a writer at the start of an archive.
    public init() {}

    /// The number of records that were written, by kind. The footer must contain these counts.
    public var counts: ArchiveCounts { order.counts }

    /// True after the footer was written.
    public var hasEnded: Bool { order.hasEnded }

    /// Returns the bytes of the next record. The bytes of the first record begin with the magic of every archive.
    ///
    /// - Throws: `.invalidArgument` for a record that is empty or too large, or cannot be at this position.
    public mutating func bytes(of record: ArchiveRecord) throws(StoreClientError) -> [UInt8] {
        if let fault = order.check(record) {
            throw .invalidArgument(fault)
        }
        var wire = record.wire
        wire.contentFile = ""
        let content: [UInt8]? = try? wire.serializedBytes()
        guard let content, 1...ArchiveRecordReader.recordBytesMax ~= content.count else {
            throw .invalidArgument("a record must have 1 to \(ArchiveRecordReader.recordBytesMax) bytes")
        }
        var bytes = hasBegun ? [] : ArchiveRecordReader.magic
        hasBegun = true
        bytes.append(bigEndian: UInt32(content.count))
        bytes += content
        offset += UInt64(bytes.count)
        return bytes
    }
}
