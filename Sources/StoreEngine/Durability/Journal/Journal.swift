import SQLCipher
import StoreBasics
import StoreCrypto

/// The journal of an open store: where an answered write first lies, sealed and synced, before its pages are committed.
///
/// Used with the writer's seat. Every group of writes is one record: the statements that wrote, as the connection's
/// recorder has them. Segments are kept until the database file holds all that is in them, durably.
final class Journal {
    /// The segment that is written.
    private final class Current {
        let segment: FoundSegment
        let key: SegmentKey
        /// Where the next record goes.
        var offset = RecordLayout.firstOffset

        init(_ segment: FoundSegment, _ key: consuming SegmentKey) {
            self.segment = segment
            self.key = key
        }
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
    /// `nil` until there is something to write: an opening changes nothing.
    private var current: Current?
    private var full: [Full]
    /// Where the last segment ends that the opening found, until the next says where it begins.
    private var foundEnd: Int?
    private var free: [SegmentFile]
    /// Of a rotation that has not come to its end.
    private var prepared: SegmentFile?
    private var sequence: UInt64
    private(set) var last: JournalPosition
    private var syncPace = SyncPace()
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
    ) {
        self.folder = folder
        self.key = key
        self.generation = generation
        self.history = history
        self.segmentBytes = segmentBytes
        last = end.last
        free = found.free
        full = (found.preceding + found.following).map { Full(segment: $0, last: end.last) }
        foundEnd = found.following.isEmpty ? nil : end.offset
        sequence = found.following.last?.header.sequence ?? 0
    }

    /// Seals what the recorder has as one record and makes it durable. The recorder is empty afterwards.
    ///
    /// - Throws: an error that loses durability where nobody knows whether it is on disk. After any other it is not,
    ///   or is overwritten by the next.
    func append() throws(StoreError) {
        let current = try segmentWithRoom()
        // The next segment has other texts.
        let head = RecordLayout.Head(
            contentBytes: recorder.byteCount, number: last.record + 1, previousTag: last.tag)
        let tag = try recorder.take(tailBytes: RecordLayout.tagBytes) { record throws(StoreError) in
            RecordLayout.write(head, to: record)
            current.key.seal(record, headBytes: RecordLayout.headBytes)
            try current.segment.file.write(UnsafeRawBufferPointer(record), at: current.offset)
            return RecordTag(UnsafeRawBufferPointer(rebasing: record[(record.count - RecordLayout.tagBytes)...]))
        }
        guard let tag else { throw StoreError(.internal, "a journal record has no tag; please report this") }
        try syncPace.measure { () throws(StoreError) in try current.segment.file.sync() }
        last = JournalPosition(record: head.number, tag: tag)
        current.offset += RecordLayout.slotBytes(recordBytes: head.recordBytes)
        markSynced(current)
    }

    /// A short record takes no more than a quick sync: the segment has room for it and some more.
    var takesShortRecords: Bool {
        guard let current, syncPace.isQuick else { return false }
        return current.offset + EngineLimits.shortRecordBytesMax <= Int(current.segment.header.fileBytes)
    }

    /// What making the last record durable took.
    var lastSyncNanoseconds: UInt64 { syncPace.lastNanoseconds }

    private func segmentWithRoom() throws(StoreError) -> Current {
        let slotBytes = RecordLayout.slotBytes(recordBytes: recorder.byteCount + RecordLayout.overheadBytes)
        if let current, current.offset + slotBytes + RecordLayout.markBytes <= Int(current.segment.header.fileBytes) {
            return current
        }
        return try beginNext()
    }

    /// Says behind the last record that it was synced, before any request of it is answered. Lost by a power failure,
    /// not by the end of the process: what cannot be written is not missed.
    private func markSynced(_ current: Current) {
        let mark = SyncMark(record: last.record, isClosing: false)
        try? mark.withBytes(under: current.key) { bytes throws(StoreError) in
            try current.segment.file.write(bytes, at: current.offset)
        }
    }

    @discardableResult
    private func beginNext() throws(StoreError) -> Current {
        let recordBytes = recorder.byteCountMaxWrittenOut + RecordLayout.overheadBytes
        let bytes = RecordLayout.firstOffset + RecordLayout.slotBytes(recordBytes: recordBytes) + RecordLayout.markBytes
        let next = try begin(header(generation: generation, fileBytes: max(segmentBytes, bytes)), under: key)
        do throws(StoreError) {
            try closeLast()
        } catch {
            // Two segments of one place would be taken for damage. Where the last may be closed, as after a sync that
            // failed, this one is to be behind it: the process ends, and the next goes on in it.
            if !error.losesDurability {
                try takeBack(next.segment.file)
            }
            throw error
        }
        do throws(SQLCipherError) {
            try recorder.forgetTexts()
        } catch {
            throw .durabilityLost("a record could not be written again: \(error)")
        }
        if let current {
            full.append(Full(segment: current.segment, last: last))
        } else if free.isEmpty {
            // For the end of this one, which may come when the disk is full.
            try? free.append(makeFile(byteCount: segmentBytes))
        }
        foundEnd = nil
        current = next
        sequence += 1
        return next
    }

    /// Says in the last segment that the journal goes on in the next.
    private func closeLast() throws(StoreError) {
        if let current {
            try Self.close(current.segment.file, after: last, at: current.offset, under: current.key)
        } else if let found = full.last, let foundEnd {
            let segmentKey = try mappedKeys(key.segmentKey(header: found.segment.header.content))
            try Self.close(found.segment.file, after: last, at: foundEnd, under: segmentKey)
        }
    }

    /// Of the segment that goes on behind the last record.
    private func header(generation: UInt32, fileBytes: Int) -> SegmentHeader {
        SegmentHeader(
            keyGeneration: generation, sequence: sequence + 1, history: history, previous: last,
            fileBytes: UInt64(fileBytes), salt: JournalKey.salt(byteCount: SegmentHeader.saltBytes))
    }

    private func makeFile(byteCount: Int) throws(StoreError) -> SegmentFile {
        let taken = Set(try folder.slots())
        let slot = (0...taken.count).first { !taken.contains($0) } ?? taken.count
        return try SegmentFile(making: slot, byteCount: byteCount, in: folder)
    }

    /// Files whose making was cut off: no segment has room in them.
    private func removeShort() throws(StoreError) {
        while let index = free.firstIndex(where: { $0.byteCount < segmentBytes }) {
            let file = free.remove(at: index)
            try file.erase(synced: true)
            try folder.remove(file.slot)
        }
    }

    /// The header is durable before anything is in the segment, and before the one before says that it goes on there.
    private func begin(_ header: SegmentHeader, under key: borrowing JournalKey) throws(StoreError) -> Current {
        try removeShort()
        let file: SegmentFile
        if let index = free.firstIndex(where: { $0.byteCount >= Int(header.fileBytes) }) {
            file = free.remove(at: index)
            try file.makeFoundDurable()
        } else {
            file = try makeFile(byteCount: Int(header.fileBytes))
        }
        do throws(StoreError) {
            let content = header.content
            let segmentKey = try mappedKeys(key.segmentKey(header: content))
            try file.write(content + segmentKey.headerAuthenticator, at: 0)
            try file.sync()
            return Current(FoundSegment(header: header, file: file), segmentKey)
        } catch {
            // Half a header would be taken for damage.
            try takeBack(file)
            throw error
        }
    }

    /// Makes a file free whose segment was not begun. One that cannot be erased is not used again, and no opening is to
    /// find it.
    private func takeBack(_ file: SegmentFile) throws(StoreError) {
        do throws(StoreError) {
            try file.erase(synced: true)
        } catch {
            do throws(StoreError) {
                try folder.remove(file.slot)
                try folder.sync()
            } catch let second {
                throw .durabilityLost("a segment of the journal cannot be reset: \(second)")
            }
            return
        }
        free.append(file)
    }

    private static func close(
        _ file: SegmentFile, after last: JournalPosition, at offset: Int, under key: borrowing SegmentKey
    ) throws(StoreError) {
        let mark = SyncMark(record: last.record, isClosing: true)
        try mark.withBytes(under: key) { bytes throws(StoreError) in
            try file.write(bytes, at: offset)
        }
        try file.sync()
    }
}

extension Journal {
    /// Makes the first segment under the next master key, which goes on behind the last record: for the database that
    /// is about to take this one's place. Whoever opens the store under another key takes it for a free file.
    func prepare(under nextKey: borrowing JournalKey) throws(StoreError) {
        // One that an earlier rotation was given up with is of another key of the same generation.
        for file in free {
            try file.erase(synced: true)
        }
        if let prepared {
            try prepared.erase(synced: true)
        }
        prepared = try begin(header(generation: generation + 1, fileBytes: segmentBytes), under: nextKey).segment.file
    }

    /// The segments with records after a position, for a replay.
    func segments(after position: JournalPosition) -> [FoundSegment] {
        full.filter { $0.last.record > position.record }.map(\.segment) + (current.map { [$0.segment] } ?? [])
    }

    func replay(after position: JournalPosition, on connection: Connection) throws(StoreError) {
        let replay = JournalReplay(connection: connection, position: position)
        let end = try replay.run(segments(after: position), under: key)
        guard end.last == last else { throw .journalDamaged("the last records cannot be read again") }
    }

    /// The database file holds everything up to a position, durably: segments that end there are not needed any more.
    ///
    /// - Parameter erasing: also the last one, durably, so that nothing of what was in it can be opened afterwards.
    func letGo(through position: JournalPosition, erasing: Bool) throws(StoreError) {
        if erasing, position == last, current?.offset != RecordLayout.firstOffset, last != .start {
            try beginNext()
        }
        if erasing {
            // Erased before, when nothing had to be gone; while one of the others is left an opening begins this again.
            for file in free {
                try file.sync()
            }
        }
        // The last one says where the journal stands.
        let leastCount = current == nil ? 1 : 0
        while full.count > leastCount, let oldest = full.first, oldest.last.record <= position.record {
            try oldest.segment.file.erase(synced: erasing)
            full.removeFirst()
            try keep(oldest.segment.file)
        }
    }

    private func keep(_ file: SegmentFile) throws(StoreError) {
        guard free.count < Self.freeFilesMax, file.byteCount == segmentBytes else {
            try file.sync()
            try? folder.remove(file.slot)
            return
        }
        free.append(file)
    }

    private static let freeFilesMax = 4
}
