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
        var found: [FoundSegment] = []
        var free: [SegmentFile] = []
        for slot in try folder.slots() {
            let file = try SegmentFile(folder, slot: slot)
            let bytes = try file.read(0..<SegmentHeader.byteCount)
            switch try SegmentHeader.find(bytes, under: key, generation: generation) {
            case .none, .ofOtherKey: free.append(file)
            case .header(let header): found.append(FoundSegment(header: header, file: file))
            case .damaged:
                throw .journalDamaged("the beginning of a segment is not as it was written")
            }
        }
        found.sort { $0.header.sequence < $1.header.sequence }
        guard zip(found, found.dropFirst()).allSatisfy({ $0.header.sequence != $1.header.sequence }) else {
            throw .journalDamaged("two segments of it have the same place")
        }
        var first = max(0, found.count - 1)
        while first > 0, found[first - 1].header.sequence + 1 == found[first].header.sequence {
            first -= 1
        }
        following = Array(found[first...])
        preceding = Array(found[..<first])
        self.free = free
    }

    /// Those with records that a database at `position` may lack: from the one that goes on at or before it.
    ///
    /// - Throws: `.journalDamaged`, `.storeRolledBack`.
    func needed(from position: JournalPosition, of history: HistoryID) throws(StoreError) -> [FoundSegment] {
        guard let newest = following.last else {
            guard position == .start else {
                throw .journalDamaged("its segments are missing")
            }
            return []
        }
        guard newest.header.history == history else {
            throw .storeRolledBack("they have different histories")
        }
        guard let first = following.lastIndex(where: { $0.header.previous.record <= position.record }) else {
            guard preceding.allSatisfy({ $0.header.previous.record > position.record }) else {
                throw .journalDamaged("a segment of it is missing")
            }
            throw .storeRolledBack(
                "it holds record \(position.record), and the journal begins after \(following[0].header.previous.record)")
        }
        let needed = Array(following[first...])
        guard needed[0].header.previous.record < position.record || needed[0].header.previous == position else {
            throw .storeRolledBack("it holds another record \(position.record) than the journal")
        }
        return needed
    }
}
