import SQLCipher
import StoreBasics
import StoreCrypto

/// The journal of an open store: where an answered write first lies, sealed and synced, before its pages are committed.
///
/// Used on the writer thread. Every group of writes is one record: the statements that wrote, as the connection's
/// recorder has them. Segments are kept until the database file holds all that is in them, durably.
final class Journal {
    private struct Current {
        let segment: FoundSegment
        let key: SegmentKeyBox
        /// Where the next record goes.
        var offset: Int
    }

    /// A segment before the current one.
    private struct Full {
        let segment: FoundSegment
        let last: JournalPosition
    }

    private let folder: JournalFolder
    private let key: JournalKey
    private let generation: UInt32
    private let history: HistoryID
    /// Of a segment, unless one record is larger.
    private let segmentBytes: Int
    private var current: Current
    private var full: [Full]
    private var free: [SegmentFile]
    private(set) var last: JournalPosition
    /// What is to be in the next record.
    let recorder = StatementRecorder(headBytes: RecordLayout.headBytes)

    /// Goes on behind what an opening found, in a new segment.
    ///
    /// - Parameters:
    ///   - found: all that is in the folder.
    ///   - end: of the last record that the database has now.
    init(
        in folder: JournalFolder, under key: consuming JournalKey, generation: UInt32, history: HistoryID,
        segmentBytes: Int, after found: JournalSegments, end: JournalReplay.End
    ) throws(StoreError) {
        self.folder = folder
        self.generation = generation
        self.history = history
        self.segmentBytes = segmentBytes
        last = end.last
        free = found.free
        full = (found.preceding + found.following).map { Full(segment: $0, last: end.last) }
        let sequence = (found.following.last?.header.sequence ?? 0) + 1
        let header = SegmentHeader(
            keyGeneration: generation, sequence: sequence, history: history, previous: end.last,
            fileBytes: UInt64(segmentBytes), salt: JournalKey.salt(byteCount: SegmentHeader.saltBytes))
        current = try Self.begin(header, under: key, in: folder, &free)
        self.key = key
        if let newest = found.following.last {
            try Self.close(newest, after: end.last, at: end.offset, under: self.key)
        }
    }

    /// Seals what the recorder has as one record and makes it durable. The recorder is empty afterwards.
    ///
    /// - Throws: an error that loses durability where nobody knows whether it is on disk. After any other it is not,
    ///   or is overwritten by the next.
    func append() throws(StoreError) {
        let recordBytes = recorder.byteCount + RecordLayout.overheadBytes
        let slotBytes = RecordLayout.slotBytes(recordBytes: recordBytes)
        if current.offset + slotBytes + RecordLayout.markBytes > current.segment.file.byteCount {
            try beginNext(roomFor: slotBytes)
        }
        // The next segment has other texts.
        let head = RecordLayout.Head(
            contentBytes: recorder.byteCount, number: last.record + 1, previousTag: last.tag)
        let current = current
        let tag = try recorder.take(tailBytes: RecordLayout.tagBytes) { record throws(StoreError) in
            RecordLayout.write(head, to: record)
            current.key.seal(record)
            try current.segment.file.write(UnsafeRawBufferPointer(record), at: current.offset)
            return RecordTag(UnsafeRawBufferPointer(rebasing: record[(record.count - RecordLayout.tagBytes)...]))
        }
        try current.segment.file.sync()
        guard let tag else { throw StoreError(.internal, "a record has no tag") }
        last = JournalPosition(record: head.number, tag: tag)
        self.current.offset += RecordLayout.slotBytes(recordBytes: head.recordBytes)
        markSynced()
    }

    /// Says behind the last record that it was synced, before any request of it is answered. Lost by a power failure,
    /// not by the end of the process: what cannot be written is not missed.
    private func markSynced() {
        let mark = SyncMark(record: last.record, isClosing: false)
        try? current.segment.file.write(current.key.bytes(of: mark), at: current.offset)
    }

    private func beginNext(roomFor slotBytes: Int) throws(StoreError) {
        do throws(SQLCipherError) {
            try recorder.forgetTexts()
        } catch {
            throw StoreError(.internal, "a record could not be written anew: \(error)")
        }
        // Texts that were known are written out.
        let bytes = recorder.byteCount + RecordLayout.overheadBytes + RecordLayout.firstOffset + 64
        let header = SegmentHeader(
            keyGeneration: generation, sequence: current.segment.header.sequence + 1, history: history, previous: last,
            fileBytes: UInt64(max(segmentBytes, bytes)),
            salt: JournalKey.salt(byteCount: SegmentHeader.saltBytes))
        let next = try Self.begin(header, under: key, in: folder, &free)
        try Self.close(current.segment, after: last, at: current.offset, under: key)
        full.append(Full(segment: current.segment, last: last))
        current = next
    }

    /// The header is durable before anything is in the segment, and before the one before says that it goes on there.
    private static func begin(
        _ header: SegmentHeader, under key: borrowing JournalKey, in folder: JournalFolder, _ free: inout [SegmentFile]
    ) throws(StoreError) -> Current {
        let file: SegmentFile
        if let index = free.firstIndex(where: { $0.byteCount >= Int(header.fileBytes) }) {
            file = free.remove(at: index)
        } else {
            let taken = Set(try folder.slots())
            let slot = (0...taken.count).first { !taken.contains($0) } ?? taken.count
            file = try SegmentFile(making: slot, byteCount: Int(header.fileBytes), in: folder)
        }
        let content = header.content
        let segmentKey = try mappedKeys(key.segmentKey(header: content))
        do throws(StoreError) {
            try file.write(content + segmentKey.headerAuthenticator, at: 0)
            try file.sync()
        } catch {
            if !error.losesDurability {
                free.append(file)
            }
            throw error
        }
        return Current(
            segment: FoundSegment(header: header, file: file), key: SegmentKeyBox(segmentKey),
            offset: RecordLayout.firstOffset)
    }

    private static func close(
        _ segment: FoundSegment, after last: JournalPosition, at offset: Int, under key: borrowing JournalKey
    ) throws(StoreError) {
        let segmentKey = try mappedKeys(key.segmentKey(header: segment.header.content))
        let mark = SyncMark(record: last.record, isClosing: true)
        try segment.file.write(mark.bytes(under: segmentKey), at: offset)
        try segment.file.sync()
    }
}

extension Journal {
    /// Makes the first segment under the next master key, which goes on behind the last record: for the database that
    /// is about to take this one's place. Whoever opens the store under another key takes it for a free file.
    func prepare(under nextKey: borrowing JournalKey) throws(StoreError) {
        let header = SegmentHeader(
            keyGeneration: generation + 1, sequence: current.segment.header.sequence + 1, history: history,
            previous: last, fileBytes: UInt64(segmentBytes),
            salt: JournalKey.salt(byteCount: SegmentHeader.saltBytes))
        _ = try Self.begin(header, under: nextKey, in: folder, &free)
    }

    /// The segments with records after a position, for a replay.
    func segments(after position: JournalPosition) -> [FoundSegment] {
        full.filter { $0.last.record > position.record }.map(\.segment) + [current.segment]
    }

    func replay(after position: JournalPosition, on connection: Connection) throws(StoreError) {
        let replay = JournalReplay(connection: connection, position: position)
        let end = try replay.run(segments(after: position), under: key)
        guard end.last == last else { throw .journalDamaged("its last records cannot be read again") }
    }

    /// The database file holds everything up to a position, durably: segments that end there are not needed any more.
    ///
    /// - Parameter erasing: also the one in use, so that nothing of what was in it can be opened afterwards.
    func letGo(through position: JournalPosition, erasing: Bool) throws(StoreError) {
        if erasing, position.record >= last.record, current.segment.header.previous.record < last.record {
            try beginNext(roomFor: 0)
        }
        while let oldest = full.first, oldest.last.record <= position.record {
            try oldest.segment.file.erase(synced: erasing)
            full.removeFirst()
            keep(oldest.segment.file)
        }
    }

    private func keep(_ file: SegmentFile) {
        guard free.count < Self.freeFilesMax, file.byteCount == segmentBytes else {
            try? folder.remove(file.slot)
            return
        }
        free.append(file)
    }

    private static let freeFilesMax = 4

    /// Bytes that the segments take.
    var byteCount: Int {
        full.reduce(current.segment.file.byteCount) { $0 + $1.segment.file.byteCount }
    }
}

/// A key that can be copied by reference; on the writer thread only.
final class SegmentKeyBox {
    private let key: SegmentKey

    init(_ key: consuming SegmentKey) {
        self.key = key
    }

    func seal(_ record: UnsafeMutableRawBufferPointer) {
        key.seal(record, headBytes: RecordLayout.headBytes)
    }

    func bytes(of mark: SyncMark) -> [UInt8] { mark.bytes(under: key) }
}
