import StoreBasics
import StoreCrypto

/// The segments that are found when a store is opened.
struct JournalSegments {
    /// The newest segments that are in use, in their order and without a gap.
    let following: [FoundSegment]
    /// The older segments, before the last gap in the numbers. Normally the segments of the gap were released because
    /// the database contains all records up to there. If one of them was lost instead, `needed` throws.
    let preceding: [FoundSegment]
    /// Files that new segments may use.
    let free: [SegmentFile]

    /// - Throws: `.journalDamaged` if a file begins with bytes that no store has written.
    init(in folder: JournalFolder, under key: borrowing JournalKey, generation: UInt32) throws(StoreError) {
        var files = FoundFiles()
        try files.look(in: folder, under: key, generation: generation)
        guard !files.hasDamage else { throw .journalDamaged("the header of a segment was changed") }
        let found = files.segments
        guard zip(found, found.dropFirst()).allSatisfy({ $0.header.sequence != $1.header.sequence }) else {
            throw .journalDamaged("two segments have the same sequence number")
        }
        var first = max(0, found.count - 1)
        while first > 0, found[first - 1].header.sequence + 1 == found[first].header.sequence {
            first -= 1
        }
        following = Array(found[first...])
        preceding = Array(found[..<first])
        free = files.free
    }

    /// Returns true if the segments contain any record.
    ///
    /// - Parameter end: the result of replaying the segments.
    func hasRecords(upTo end: JournalReplay.End) -> Bool {
        !preceding.isEmpty || following.count > 1 || end.offset != RecordLayout.firstOffset
    }

    /// Returns the segments of a damaged journal from which records may still be recovered. They begin at the
    /// database's position and end before the first missing segment.
    static func usable(
        in folder: JournalFolder, under key: borrowing JournalKey, generation: UInt32,
        from position: JournalPosition, of history: HistoryID
    ) throws(StoreError) -> [FoundSegment] {
        var files = FoundFiles()
        try files.look(in: folder, under: key, generation: generation)
        let found = files.segments.filter { $0.header.history == history }
        let first = found.lastIndex { segment in
            let previous = segment.header.previous
            return previous.record < position.record || previous == position
        }
        guard let first else { return [] }
        var last = first
        while last + 1 < found.count, found[last + 1].header.sequence == found[last].header.sequence + 1 {
            last += 1
        }
        return Array(found[first...last])
    }

    /// Returns the number of the newest record in the segments of a damaged journal, or 0 if none is found.
    static func newestRecord(
        in folder: JournalFolder, under key: borrowing JournalKey, generation: UInt32, of history: HistoryID
    ) throws(StoreError) -> UInt64 {
        var files = FoundFiles()
        try files.look(in: folder, under: key, generation: generation)
        var newest: UInt64 = 0
        for segment in files.segments where segment.header.history == history {
            newest = max(newest, try SegmentScan.newestRecord(of: segment, under: key))
        }
        return newest
    }

    /// Returns the segments with records that a database at `position` may lack, beginning with the segment that
    /// contains or directly follows `position`.
    ///
    /// - Throws: `.journalDamaged`, `.storeRolledBack`.
    func needed(from position: JournalPosition, of history: HistoryID) throws(StoreError) -> [FoundSegment] {
        guard let newest = following.last else {
            guard position == .start else { throw .journalDamaged("the segments are missing") }
            return []
        }
        guard newest.header.history == history else {
            throw .storeRolledBack("the database and the journal have different histories")
        }
        guard let first = following.lastIndex(where: { $0.header.previous.record <= position.record }) else {
            guard preceding.allSatisfy({ $0.header.previous.record > position.record }) else {
                throw .journalDamaged("a segment is missing")
            }
            let begins = following[0].header.previous.record
            throw .storeRolledBack(
                """
                the database contains the changes up to record \(position.record), but the journal begins after \
                record \(begins)
                """)
        }
        let needed = Array(following[first...])
        guard needed[0].header.previous.record < position.record || needed[0].header.previous == position else {
            throw .storeRolledBack(
                """
                record \(position.record) of the journal differs from the record \(position.record) whose changes the \
                database contains
                """)
        }
        return needed
    }
}

/// The files of the journal's folder, sorted by their use.
private struct FoundFiles {
    /// The segments in use, in their order.
    private(set) var segments: [FoundSegment] = []
    private(set) var free: [SegmentFile] = []
    private(set) var hasDamage = false

    mutating func look(
        in folder: JournalFolder, under key: borrowing JournalKey, generation: UInt32
    ) throws(StoreError) {
        for slot in try folder.slots() {
            let file = try SegmentFile(folder, slot: slot)
            let bytes = try file.read(0..<SegmentHeader.byteCount)
            switch try SegmentHeader.find(bytes, under: key, generation: generation) {
            case .none, .ofOtherKey: free.append(file)
            case .header(let header): segments.append(FoundSegment(header: header, file: file))
            case .damaged: hasDamage = true
            }
        }
        segments.sort { $0.header.sequence < $1.header.sequence }
    }
}
