import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf

/// One record of an archive: the state of one item of the store, a piece of the bytes of a file or content, or the
/// header or footer of the archive.
///
/// The content of a record is the protobuf message `ArchiveRecord` of proto-docs/ghoststore/v1/archives.proto.
/// `json` gives it in the standard JSON form of protobuf, for `JSONDecoder` or another program:
///
/// ```json
/// {"message": {"id": "m1", "text": "hello", "timestampMicroseconds": "1732161241000250", "isRead": true}}
/// ```
public struct ArchiveRecord: Hashable, Sendable {
    /// The kind of the record, such as a message, a piece of a file, or the footer.
    public let kind: Kind
    var wire: WireArchiveRecord

    /// - Returns: `nil` for a kind that this client does not know.
    init?(_ wire: WireArchiveRecord) {
        guard let record = wire.record else { return nil }
        kind = Kind(record)
        self.wire = wire
    }

    private init(_ record: WireArchiveRecord.OneOf_Record) {
        kind = Kind(record)
        wire = .with { $0.record = record }
    }

    /// Creates a record with the next bytes of the preceding file or content: 1 to 262,144 bytes.
    public init(filePiece bytes: [UInt8]) {
        self.init(.filePiece(Data(bytes)))
    }

    /// Creates the last record of an archive, without a digest.
    ///
    /// - Parameter counts: The numbers of records in the archive, as in `ArchiveRecordWriter.counts`.
    public static func footer(_ counts: ArchiveCounts) -> ArchiveRecord {
        ArchiveRecord(.footer(.with { $0.counts = WireArchiveCounts(counts) }))
    }

    /// The bytes of a `.filePiece`; `nil` for the other kinds.
    public var filePiece: [UInt8]? {
        if case .filePiece(let bytes) = wire.record { Array(bytes) } else { nil }
    }

    /// The content of a `.header`; `nil` for the other kinds, and for a header without a valid history id.
    public var header: ArchiveHeader? {
        if case .header(let header) = wire.record { ArchiveHeader(header) } else { nil }
    }

    /// The numbers of records that a `.footer` declares; `nil` for the other kinds.
    public var counts: ArchiveCounts? {
        if case .footer(let footer) = wire.record { ArchiveCounts(footer.counts) } else { nil }
    }

    /// The BLAKE2b-256 digest of a `.content` or a `.footer`, in 64 hexadecimal digits; `nil` for the other kinds, and
    /// if the record has no digest of 32 bytes.
    public var digest: String? {
        let bytes: Data
        switch wire.record {
        case .content(let content): bytes = content.digest
        case .footer(let footer): bytes = footer.digest
        default: return nil
        }
        return bytes.count == Self.digestBytes ? Hexadecimal.encode(bytes) : nil
    }

    private static let digestBytes = 32

    /// The number of bytes that follow a `.file` or a `.content` in pieces; `nil` for the other kinds.
    public var contentBytes: UInt64? {
        switch wire.record {
        case .file(let file): file.byteCount
        case .content(let content): content.byteCount
        default: nil
        }
    }

    /// The path of the file that contains the bytes of this `.file` or `.content`, if the archive is a folder of JSON
    /// Lines; `nil` if the bytes follow in pieces. `ArchiveRecordWriter` omits the path.
    public var contentFile: String? {
        get { wire.contentFile.isEmpty ? nil : wire.contentFile }
        set { wire.contentFile = newValue ?? "" }
    }
}

/// The state of the store that an archive shows, and the time of the archive.
public struct ArchiveHeader: Hashable, Sendable {
    static let formatVersionKnown: UInt32 = 1

    /// The version of the archive format; always 1 at present.
    public let formatVersion: UInt32
    /// The history of the store that was archived.
    public let historyID: HistoryID
    /// The revision of the store that the archive shows.
    public let revision: UInt64
    /// The time at which the archive was begun, on the daemon's clock.
    public let createdAt: Timestamp
    /// For an archive of changes, the revision after which the changes begin; `nil` if the archive has everything.
    public let sinceRevision: UInt64?

    fileprivate init?(_ wire: WireArchiveHeader) {
        guard let history = HistoryID(bytes: wire.historyID) else { return nil }
        formatVersion = wire.formatVersion
        historyID = history
        revision = wire.revision
        createdAt = Timestamp(microseconds: wire.createdAtMicroseconds)
        sinceRevision = wire.sinceRevision == 0 ? nil : wire.sinceRevision
    }
}
