import StoreBasics
import StoreCrypto

/// A segment in use that was found in the folder.
struct FoundSegment {
    let header: SegmentHeader
    let file: SegmentFile
}

/// Reads the records of a segment from its first to its last.
struct SegmentScan {
    /// The last record of the segment, and the offset after it.
    private(set) var last: JournalPosition
    private(set) var end = RecordLayout.firstOffset
    /// True if the journal continues in the next segment.
    private(set) var isClosed = false

    /// - Parameter visit: gets each record's position and statements. It must not use the statements after it has
    ///   returned.
    /// - Throws: `.journalDamaged` if a record is invalid although a later record or sync mark shows that it was
    ///   synced; errors of `visit`. The records before the invalid one have been visited.
    init(
        _ segment: FoundSegment, under journalKey: borrowing JournalKey,
        visit: (JournalPosition, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        last = segment.header.previous
        guard segment.file.byteCount >= Int(clamping: segment.header.fileBytes) else {
            throw .journalDamaged("a segment was cut off")
        }
        let key = try mappedKeys(journalKey.segmentKey(header: segment.header.content))
        // The buffer contains decrypted records later. It is wiped when it is freed, like all memory of this program.
        var bytes = try segment.file.read(0..<Int(clamping: segment.header.fileBytes))
        try bytes.withUnsafeMutableBufferPointer { bytes throws(StoreError) in
            try scan(UnsafeMutableRawBufferPointer(bytes), under: key, visit)
        }
    }

    private mutating func scan(
        _ bytes: UnsafeMutableRawBufferPointer, under key: borrowing SegmentKey,
        _ visit: (JournalPosition, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        while let (head, record) = Self.open(at: end, of: bytes, under: key) {
            let content = RecordLayout.headBytes..<(record.count - RecordLayout.tagBytes)
            guard head.number == last.record + 1, head.previousTag == last.tag,
                let tag = RecordTag(UnsafeRawBufferPointer(rebasing: record[content.upperBound...]))
            else { throw .journalDamaged("the records are out of order") }
            last = JournalPosition(record: head.number, tag: tag)
            try visit(last, UnsafeRawBufferPointer(rebasing: record[content]))
            end += RecordLayout.slotBytes(recordBytes: head.recordBytes)
        }
        if let mark = SyncMark(at: end, of: UnsafeRawBufferPointer(bytes), under: key), mark.record == last.record {
            isClosed = mark.isClosing
        }
        guard !Self.hasSyncedRecord(after: last.record, from: end, of: bytes, under: key) else {
            throw .journalDamaged("record \(last.record + 1) was changed")
        }
    }

    /// Returns the number of the last record that a segment shows, by the record itself or by its sync mark, even if
    /// the records before it cannot be read. Returns the number of the record before the segment if it shows none.
    static func newestRecord(
        of segment: FoundSegment, under journalKey: borrowing JournalKey
    ) throws(StoreError) -> UInt64 {
        let key = try mappedKeys(journalKey.segmentKey(header: segment.header.content))
        var bytes = try segment.file.read(0..<min(segment.file.byteCount, Int(clamping: segment.header.fileBytes)))
        var newest = segment.header.previous.record
        bytes.withUnsafeMutableBufferPointer { bytes in
            let file = UnsafeMutableRawBufferPointer(bytes)
            var tries = OpeningTries(in: file.count)
            var offset = RecordLayout.firstOffset
            while offset + RecordLayout.markBytes <= file.count {
                if let mark = SyncMark(at: offset, of: UnsafeRawBufferPointer(file), under: key) {
                    newest = max(newest, mark.record)
                }
                if let head = tries.open(at: offset, of: file, under: key) {
                    newest = max(newest, head.number)
                    offset += RecordLayout.slotBytes(recordBytes: head.recordBytes)
                } else {
                    offset += 8
                }
            }
        }
        return newest
    }

    /// Decrypts the record at `offset` in place. Returns `nil` and leaves the bytes unchanged if there is no record of
    /// this segment.
    fileprivate static func open(
        at offset: Int, of bytes: UnsafeMutableRawBufferPointer, under key: borrowing SegmentKey
    ) -> (RecordLayout.Head, UnsafeMutableRawBufferPointer)? {
        guard let head = RecordLayout.head(at: offset, of: UnsafeRawBufferPointer(bytes)) else { return nil }
        let record = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + head.recordBytes)])
        return key.open(record, headBytes: RecordLayout.headBytes) ? (head, record) : nil
    }

    /// Returns true if a sync mark or a record after the last valid record shows that a later record was synced. Each
    /// record is written only after the previous one was synced, so only the last record may be incomplete.
    private static func hasSyncedRecord(
        after record: UInt64, from start: Int, of bytes: UnsafeMutableRawBufferPointer, under key: borrowing SegmentKey
    ) -> Bool {
        var tries = OpeningTries(in: bytes.count)
        for offset in stride(from: start, to: bytes.count - RecordLayout.markBytes + 1, by: 8) {
            if let mark = SyncMark(at: offset, of: UnsafeRawBufferPointer(bytes), under: key), mark.record > record {
                return true
            }
            // The record at `start` cannot be opened, because it was damaged or was never synced.
            guard offset > start, let head = RecordLayout.head(at: offset, of: UnsafeRawBufferPointer(bytes)),
                head.number > record
            else { continue }
            // If the bound is exceeded, the segment is not as the store wrote it, so it counts as damaged.
            if tries.open(at: offset, of: bytes, under: key) != nil || tries.isOver { return true }
        }
        return false
    }
}

/// Attempts to decrypt records at arbitrary offsets, with a bound on their total size. Each attempt reads as many bytes
/// as the head claims. Without the bound, an attacker could write a head at every eighth byte and have the segment read
/// over and over. A segment as the store writes it stays far below the bound.
private struct OpeningTries {
    private static let readsMax = 4

    private var bytesLeft: Int

    /// True if the bound is exceeded and no further attempt is made.
    var isOver: Bool { bytesLeft < 0 }

    init(in segmentBytes: Int) {
        bytesLeft = Self.readsMax * segmentBytes
    }

    mutating func open(
        at offset: Int, of segment: UnsafeMutableRawBufferPointer, under key: borrowing SegmentKey
    ) -> RecordLayout.Head? {
        guard !isOver, let head = RecordLayout.head(at: offset, of: UnsafeRawBufferPointer(segment)) else { return nil }
        if SegmentScan.open(at: offset, of: segment, under: key) != nil {
            return head
        }
        bytesLeft -= head.recordBytes
        return nil
    }
}
