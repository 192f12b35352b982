import StoreBasics
import StoreCrypto

/// The layout of a record in its segment: head, sealed content, tag. A sync mark (`SyncMark`) after the record proves
/// that the record was synced. The sync mark begins at the next offset that is a multiple of eight. The next record
/// begins at the same offset, and overwrites the sync mark.
///
/// The head, each field with its offset before it and its bytes after it:
///
///     0 content bytes (u32), 4 kind (u32), 8 number (u64), 16 tag of the record before (16), 32 nonce (24), 56 content
///
/// Numbers are big-endian.
enum RecordLayout {
    static let headBytes = 56
    static let tagBytes = SegmentKey.tagBytes
    static let markBytes = 16
    /// The bytes of a record that are not content.
    static let overheadBytes = headBytes + tagBytes
    /// The offset of the first record of a segment.
    static let firstOffset = 4_096
    private static let statements: UInt32 = 1

    struct Head: Hashable {
        let contentBytes: Int
        let number: UInt64
        let previousTag: RecordTag

        /// The bytes from the head to the end of the tag.
        var recordBytes: Int { contentBytes + overheadBytes }
    }

    /// Returns the distance from the beginning of a record to the beginning of the next one.
    static func slotBytes(recordBytes: Int) -> Int {
        (recordBytes + 7) & ~7
    }

    static func write(_ head: Head, to record: UnsafeMutableRawBufferPointer) {
        record.storeBytes(of: UInt32(head.contentBytes).bigEndian, toByteOffset: 0, as: UInt32.self)
        record.storeBytes(of: statements.bigEndian, toByteOffset: 4, as: UInt32.self)
        record.storeBytes(of: head.number.bigEndian, toByteOffset: 8, as: UInt64.self)
        record.storeBytes(of: head.previousTag.high.bigEndian, toByteOffset: 16, as: UInt64.self)
        record.storeBytes(of: head.previousTag.low.bigEndian, toByteOffset: 24, as: UInt64.self)
    }

    /// Returns the head at `offset`, or `nil` if the bytes there cannot be a record's head.
    static func head(at offset: Int, of segment: UnsafeRawBufferPointer) -> Head? {
        guard offset + overheadBytes <= segment.count else { return nil }
        func integer<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Number {
            Number(bigEndian: segment.loadUnaligned(fromByteOffset: offset + place, as: Number.self))
        }
        let contentBytes = Int(integer(0, UInt32.self))
        guard integer(4, UInt32.self) == statements, contentBytes <= segment.count - offset - overheadBytes else {
            return nil
        }
        return Head(
            contentBytes: contentBytes, number: integer(8, UInt64.self),
            previousTag: RecordTag(high: integer(16, UInt64.self), low: integer(24, UInt64.self)))
    }
}

/// The 16 bytes after the last record of a segment. They prove that the record was synced, and may say that the segment
/// ends there.
struct SyncMark: Hashable {
    private static let closingBit: UInt64 = 1 << 63

    let record: UInt64
    /// True if the journal continues in the next segment.
    let isClosing: Bool

    private var word: UInt64 { record | (isClosing ? Self.closingBit : 0) }

    /// Lends the encoded bytes of the sync mark to `body`.
    func withBytes<Result, Failure: Error>(
        under key: borrowing SegmentKey, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var words = (word.bigEndian, key.shortAuthenticator((word, 0)).bigEndian)
        return try withUnsafeBytes(of: &words, body)
    }

    init(record: UInt64, isClosing: Bool) {
        self.record = record
        self.isClosing = isClosing
    }

    /// - Returns: `nil` if there is no sync mark of this segment at `offset`.
    init?(at offset: Int, of segment: UnsafeRawBufferPointer, under key: borrowing SegmentKey) {
        guard offset + RecordLayout.markBytes <= segment.count else { return nil }
        let word = UInt64(bigEndian: segment.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let authenticator = UInt64(bigEndian: segment.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        let record = word & ~Self.closingBit
        guard word != 0, record < 1 << 60, key.shortAuthenticator((word, 0)) == authenticator else { return nil }
        self.init(record: record, isClosing: word & Self.closingBit != 0)
    }
}
