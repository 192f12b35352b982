import StoreBasics
import StoreCrypto

/// The segments that an opening finds.
struct JournalSegments {
    /// In use and in their order, without a gap: the last ones.
    let following: [FoundSegment]
    /// Before a gap in that order. What was in them is in the database, unless one after them is missing.
    let preceding: [FoundSegment]
    /// Files that may be used for others.
    let free: [SegmentFile]

    /// - Throws: `.journalDamaged` for a file whose beginning no store has written.
    init(in folder: JournalFolder, under key: borrowing JournalKey, generation: UInt32) throws(StoreError) {
        var files = FoundFiles()
        try files.look(in: folder, under: key, generation: generation)
        guard !files.hasDamage else { throw .journalDamaged("the header of a segment was changed") }
        let found = files.segments
        guard zip(found, found.dropFirst()).allSatisfy({ $0.header.sequence != $1.header.sequence }) else {
            throw .journalDamaged("two segments have the same position")
        }
        var first = max(0, found.count - 1)
        while first > 0, found[first - 1].header.sequence + 1 == found[first].header.sequence {
            first -= 1
        }
        following = Array(found[first...])
        preceding = Array(found[..<first])
        free = files.free
    }

    /// Whether any record is in them.
    ///
    /// - Parameter end: of the last one.
    func hasRecords(upTo end: JournalReplay.End) -> Bool {
        !preceding.isEmpty || following.count > 1 || end.offset != RecordLayout.firstOffset
    }

    /// The segments of a damaged journal from which something may still be had: those that go on behind what the
    /// database holds, up to the first that is missing.
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

    /// The number of the last record that the segments of a damaged journal show; 0 where they show none.
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

    /// Those with records that a database at `position` may lack: from the one that goes on at or before it.
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
                the database contains record \(position.record), but the journal begins after record \(begins)
                """)
        }
        let needed = Array(following[first...])
        guard needed[0].header.previous.record < position.record || needed[0].header.previous == position else {
            throw .storeRolledBack(
                """
                record \(position.record) of the journal is not the record that the database contains
                """)
        }
        return needed
    }
}

/// What the files of the folder are.
private struct FoundFiles {
    /// In their order.
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
