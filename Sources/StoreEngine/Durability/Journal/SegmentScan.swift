import StoreBasics
import StoreCrypto

/// A segment that is in use, as it was found.
struct FoundSegment {
    let header: SegmentHeader
    let file: SegmentFile
}

/// Reads the records of a segment from its first to its last.
struct SegmentScan {
    /// Where it ends: the last record, and the place behind it.
    private(set) var last: JournalPosition
    private(set) var end = RecordLayout.firstOffset
    /// What comes next is in the next segment.
    private(set) var isClosed = false

    /// - Parameter visit: gets each record's position and statements, which it must not keep.
    /// - Throws: `.journalDamaged` where something is not as it was written and a later record shows that it was
    ///   synced; what `visit` throws. Records before that have been visited.
    init(
        _ segment: FoundSegment, under journalKey: borrowing JournalKey,
        visit: (JournalPosition, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        last = segment.header.previous
        guard segment.file.byteCount >= Int(clamping: segment.header.fileBytes) else {
            throw .journalDamaged("a segment was cut off")
        }
        let key = try mappedKeys(journalKey.segmentKey(header: segment.header.content))
        // Of records that this wipes when they are freed, like all memory here.
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

    /// The number of the last record that a segment shows, by itself or by its mark, whether or not those before it can
    /// be read; of the one before the segment where it shows none.
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

    /// The record at a place, with its content where the sealed one was; `nil`, and the bytes as they were, where none
    /// of this segment stands.
    fileprivate static func open(
        at offset: Int, of bytes: UnsafeMutableRawBufferPointer, under key: borrowing SegmentKey
    ) -> (RecordLayout.Head, UnsafeMutableRawBufferPointer)? {
        guard let head = RecordLayout.head(at: offset, of: UnsafeRawBufferPointer(bytes)) else { return nil }
        let record = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + head.recordBytes)])
        return key.open(record, headBytes: RecordLayout.headBytes) ? (head, record) : nil
    }

    /// Whether anything behind the last good record shows that a later one was synced: the mark of one, or one that
    /// opens. Records are written one after the other, each once the one before was synced; only the last may be torn.
    private static func hasSyncedRecord(
        after record: UInt64, from start: Int, of bytes: UnsafeMutableRawBufferPointer, under key: borrowing SegmentKey
    ) -> Bool {
        var tries = OpeningTries(in: bytes.count)
        for offset in stride(from: start, to: bytes.count - RecordLayout.markBytes + 1, by: 8) {
            if let mark = SyncMark(at: offset, of: UnsafeRawBufferPointer(bytes), under: key), mark.record > record {
                return true
            }
            // The one at the start does not open, be it that it was damaged or that it was never synced.
            guard offset > start, let head = RecordLayout.head(at: offset, of: UnsafeRawBufferPointer(bytes)),
                head.number > record
            else { continue }
            // Beyond the bound it is no segment as it was written, whatever is behind.
            if tries.open(at: offset, of: bytes, under: key) != nil || tries.isOver { return true }
        }
        return false
    }
}

/// Looks for records where none has to be. What does not open is read as far as its head says: heads that somebody
/// wrote at every eighth byte would have it read again and again, so that all of it together is bounded. What the store
/// itself leaves in a segment stays far below.
private struct OpeningTries {
    private static let readsMax = 4

    private var bytesLeft: Int

    /// No more is tried.
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
