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
            throw .journalDamaged("a segment of it was cut off")
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
            else { throw .journalDamaged("its records are not in their order") }
            last = JournalPosition(record: head.number, tag: tag)
            try visit(last, UnsafeRawBufferPointer(rebasing: record[content]))
            end += RecordLayout.slotBytes(recordBytes: head.recordBytes)
        }
        if let mark = SyncMark(at: end, of: UnsafeRawBufferPointer(bytes), under: key), mark.record == last.record {
            isClosed = mark.isClosing
        }
        guard !Self.hasSyncedRecord(after: last.record, from: end, of: bytes, under: key) else {
            throw .journalDamaged("record \(last.record + 1) is not as it was written")
        }
    }

    /// The record at a place, with its content where the sealed one was; `nil`, and the bytes as they were, where none
    /// of this segment stands.
    private static func open(
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
        for offset in stride(from: start, to: bytes.count - RecordLayout.markBytes + 1, by: 8) {
            if let mark = SyncMark(at: offset, of: UnsafeRawBufferPointer(bytes), under: key), mark.record > record {
                return true
            }
            // The one at the start does not open, be it that it was damaged or that it was never synced.
            guard offset > start, let head = RecordLayout.head(at: offset, of: UnsafeRawBufferPointer(bytes)),
                head.number > record, Self.open(at: offset, of: bytes, under: key) != nil
            else { continue }
            return true
        }
        return false
    }
}
