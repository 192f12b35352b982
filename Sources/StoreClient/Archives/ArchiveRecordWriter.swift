import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// Turns records into the bytes of a plain archive. What stands where it cannot is refused; what no store takes is
/// found by the daemon that the archive is restored with.
///
/// The footer of an archive that is written so has no digest: `StoreClient.beginArchiveRestore` is told so.
public struct ArchiveRecordWriter: Sendable {
    private var order = ArchiveOrder()
    private var hasBegun = false
    /// Bytes of the records so far.
    public private(set) var offset: UInt64 = 0

    /// At the start of an archive.
    public init() {}

    /// How many things of each kind were written: what the footer has to say.
    public var counts: ArchiveCounts { order.counts }

    /// Whether the footer was written.
    public var hasEnded: Bool { order.hasEnded }

    /// The bytes of the next record; before the first those that every archive begins with.
    ///
    /// - Throws: `.invalidArgument` for a record that cannot stand here, or that is too large.
    public mutating func bytes(of record: ArchiveRecord) throws(StoreClientError) -> [UInt8] {
        if let fault = order.take(record) {
            throw .invalidArgument(fault)
        }
        var wire = record.wire
        wire.contentFile = ""
        let content: [UInt8]? = try? wire.serializedBytes()
        guard let content, 1...ArchiveRecordReader.recordBytesMax ~= content.count else {
            throw .invalidArgument("a record has more than \(ArchiveRecordReader.recordBytesMax) bytes")
        }
        var bytes = hasBegun ? [] : ArchiveRecordReader.magic
        hasBegun = true
        bytes.append(bigEndian: UInt32(content.count))
        bytes += content
        offset += UInt64(bytes.count)
        return bytes
    }
}
