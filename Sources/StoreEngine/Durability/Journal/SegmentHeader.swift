import StoreBasics
import StoreCrypto

/// The first bytes of a segment that is in use. proto-docs/JOURNAL.md has the layout; numbers are big-endian.
struct SegmentHeader: Hashable {
    static let contentBytes = 112
    static let byteCount = contentBytes + SegmentKey.authenticatorBytes
    static let saltBytes = 32
    private static let magic = Array("ghoststore-jrnl\n".utf8)
    private static let version: UInt32 = 1

    /// The generation of the master key. Each rotation increments it.
    var keyGeneration: UInt32
    /// The number of the segment in its store. The next segment has the next number.
    var sequence: UInt64
    var history: HistoryID
    /// The position of the last record before this segment.
    var previous: JournalPosition
    /// The minimum size of the file. The file is never shorter while it is in use.
    var fileBytes: UInt64
    /// A random input to the segment's key. Without it the records cannot be decrypted.
    var salt: [UInt8]

    /// The encoded header without the authenticator.
    var content: [UInt8] {
        var bytes = Self.magic
        bytes.append(bigEndian: Self.version)
        bytes.append(bigEndian: keyGeneration)
        bytes.append(bigEndian: sequence)
        bytes += history.bytes
        bytes.append(bigEndian: previous.record)
        bytes += previous.tag.bytes
        bytes.append(bigEndian: fileBytes)
        bytes += salt
        return bytes
    }
}

extension SegmentHeader {
    /// The result of reading the beginning of a segment's file.
    enum Found {
        /// The file contains no segment in use.
        case none
        /// The header belongs to another master key, from before a rotation or from an abandoned rotation.
        case ofOtherKey
        case header(SegmentHeader)
        /// The bytes were not written by the store, or were changed later.
        case damaged
    }

    /// Decodes and authenticates a header.
    ///
    /// - Parameter bytes: the first `byteCount` bytes of the file; fewer if the file is shorter.
    static func find(
        _ bytes: [UInt8], under key: borrowing JournalKey, generation: UInt32
    ) throws(StoreError) -> Found {
        guard bytes.contains(where: { $0 != 0 }) else { return .none }
        guard let header = SegmentHeader(claimedBy: bytes) else { return .damaged }
        guard header.keyGeneration == generation else { return .ofOtherKey }
        let segmentKey = try mappedKeys(key.segmentKey(header: header.content))
        return segmentKey.isAuthenticator(Array(bytes[Self.contentBytes...])) ? .header(header) : .damaged
    }

    private init?(claimedBy bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return nil }
        let parsed = bytes.withUnsafeBytes { bytes -> SegmentHeader? in
            var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[Self.magic.count...]))
            guard reader.bigEndian(UInt32.self) == Self.version, let generation = reader.bigEndian(UInt32.self),
                let sequence = reader.bigEndian(UInt64.self),
                let history = reader.bytes(HistoryID.byteCount).flatMap({ HistoryID($0) }),
                let record = reader.bigEndian(UInt64.self),
                let tag = reader.bytes(RecordTag.byteCount).flatMap({ RecordTag($0) }),
                let fileBytes = reader.bigEndian(UInt64.self), let salt = reader.bytes(Self.saltBytes)
            else { return nil }
            return SegmentHeader(
                keyGeneration: generation, sequence: sequence, history: history,
                previous: JournalPosition(record: record, tag: tag), fileBytes: fileBytes, salt: Array(salt))
        }
        guard let parsed else { return nil }
        self = parsed
    }
}
