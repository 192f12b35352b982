import SQLCipher
import StoreBasics
import StoreCrypto

/// The journal of an open store. It contains acknowledged writes, sealed and synced, before their pages are committed.
///
/// Only the thread that holds the writer lock may use it. Every batch of writes is one record, which contains the
/// statements that the connection's recorder has collected. A segment is kept until the database file durably contains
/// all of its records.
final class Journal {
    /// The segment that records are appended to.
    private final class Current {
        let segment: FoundSegment
        let key: SegmentKey
        /// The offset of the next record.
        var offset = RecordLayout.firstOffset

        init(_ segment: FoundSegment, _ key: consuming SegmentKey) {
            self.segment = segment
            self.key = key
        }
    }

    /// A segment that ended before the current one.
    private struct Full {
        let segment: FoundSegment
        let last: JournalPosition
    }

    private let folder: JournalFolder
    private let key: JournalKey
    private let generation: UInt32
    private let history: HistoryID
    /// The usual size of a segment. A segment with a single larger record is larger.
    private let segmentBytes: Int
    /// The current segment; `nil` until the first write, because opening a store changes nothing.
    private var current: Current?
    private var full: [Full]
    /// The offset after the last record of the last segment that was found on opening; `nil` after that segment was
    /// closed.
    private var foundEnd: Int?
    private var free: [SegmentFile]
    /// The first segment under the next master key, while a rotation is not finished.
    private var prepared: SegmentFile?
    private var sequence: UInt64
    private(set) var last: JournalPosition
    private var syncPace = SyncPace()
    /// The recorder of the statements for the next record.
    let recorder = StatementRecorder(headBytes: RecordLayout.headBytes)

    /// Continues after the segments that were found on opening, in a new segment.
    ///
    /// - Parameters:
    ///   - found: all segments in the folder.
    ///   - end: the end of the last record that the database has applied.
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

    /// Seals the recorded statements as one record and makes it durable. Empties the recorder.
    ///
    /// - Throws: an error with `losesDurability` if it is unknown whether the record is on the disk. After any other
    ///   error the record is not on the disk, or the next record overwrites it.
    func append() throws(StoreError) {
        let current = try segmentWithRoom()
        // Choose the segment first: a new segment starts with an empty table of statement texts, which changes the size
        // of the content.
        let head = RecordLayout.Head(
            contentBytes: recorder.byteCount, number: last.record + 1, previousTag: last.tag)
        let tag = try recorder.finishRecord(tailBytes: RecordLayout.tagBytes) { record throws(StoreError) in
            RecordLayout.write(head, to: record)
            current.key.seal(record, headBytes: RecordLayout.headBytes)
            try current.segment.file.write(UnsafeRawBufferPointer(record), at: current.offset)
            return RecordTag(UnsafeRawBufferPointer(rebasing: record[(record.count - RecordLayout.tagBytes)...]))
        }
        guard let tag else { throw .fault("a journal record has no tag") }
        try syncPace.measure { () throws(StoreError) in try current.segment.file.sync() }
        last = JournalPosition(record: head.number, tag: tag)
        current.offset += RecordLayout.slotBytes(recordBytes: head.recordBytes)
        markSynced(current)
    }

    /// True if a short record can be written in the time of one quick sync: syncs are quick, and the segment has room
    /// for the largest short record.
    var acceptsShortRecords: Bool {
        guard let current, syncPace.isQuick else { return false }
        return current.offset + EngineLimits.shortRecordBytesMax <= Int(current.segment.header.fileBytes)
    }

    /// The duration of the last record's sync.
    var lastSyncNanoseconds: UInt64 { syncPace.lastNanoseconds }

    private func segmentWithRoom() throws(StoreError) -> Current {
        let slotBytes = RecordLayout.slotBytes(recordBytes: recorder.byteCount + RecordLayout.overheadBytes)
        if let current, current.offset + slotBytes + RecordLayout.markBytes <= Int(current.segment.header.fileBytes) {
            return current
        }
        return try beginNext()
    }

    /// Writes the `SyncMark` of the last record, which says that the record was synced, before the record's requests
    /// are acknowledged. The mark itself is not synced: a power failure may lose it, the end of the process does not
    /// lose it, and a failed write does no harm.
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
            // Two segments that continue from the same position would be reported as damage, so the new segment is
            // removed. But if it is unknown whether the last segment was closed, as after a failed sync, the new
            // segment is kept: this process ends, and the next process continues in the new segment.
            if !error.losesDurability {
                try reclaim(next.segment.file)
            }
            throw error
        }
        do throws(SQLCipherError) {
            try recorder.forgetTexts()
        } catch {
            throw .durabilityLost("the record for the next segment of the journal could not be encoded: \(error)")
        }
        if let current {
            full.append(Full(segment: current.segment, last: last))
        } else if free.isEmpty {
            // Allocate the next file now, because the disk may be full when the current segment ends.
            try? free.append(makeFile(byteCount: segmentBytes))
        }
        foundEnd = nil
        current = next
        sequence += 1
        return next
    }

    /// Closes the last segment: writes a sync mark into it which says that the journal continues in the next segment.
    private func closeLast() throws(StoreError) {
        if let current {
            try Self.close(current.segment.file, after: last, at: current.offset, under: current.key)
        } else if let found = full.last, let foundEnd {
            let segmentKey = try mappedKeys(key.segmentKey(header: found.segment.header.content))
            try Self.close(found.segment.file, after: last, at: foundEnd, under: segmentKey)
        }
    }

    /// Returns the header of the segment that continues after the last record.
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

    /// Removes free files that are too short for a segment because their creation was interrupted.
    private func removeShort() throws(StoreError) {
        while let index = free.firstIndex(where: { $0.byteCount < segmentBytes }) {
            let file = free.remove(at: index)
            try file.erase(synced: true)
            try folder.remove(file.slot)
        }
    }

    /// Starts a segment. Its header is durable before any record is written to it, and before the previous segment
    /// refers to it.
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
            // A partly written header would be reported as damage.
            try reclaim(file)
            throw error
        }
    }

    /// Erases a file whose segment was not started, so that it is free again. Removes the file if it cannot be erased,
    /// because the next opening must not find it.
    private func reclaim(_ file: SegmentFile) throws(StoreError) {
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
    /// Creates the first segment under the next master key, which continues after the last record. It belongs to the
    /// rewritten database that is about to replace the current one. Opening the store under any other key treats the
    /// segment as a free file.
    func prepare(under nextKey: borrowing JournalKey) throws(StoreError) {
        // A free file may be a segment of an earlier, abandoned rotation, with another key of the same generation.
        for file in free {
            try file.erase(synced: true)
        }
        if let prepared {
            try prepared.erase(synced: true)
        }
        prepared = try begin(header(generation: generation + 1, fileBytes: segmentBytes), under: nextKey).segment.file
    }

    /// Returns the segments that contain records after `position`, for a replay.
    func segments(after position: JournalPosition) -> [FoundSegment] {
        full.filter { $0.last.record > position.record }.map(\.segment) + (current.map { [$0.segment] } ?? [])
    }

    func replay(after position: JournalPosition, on connection: Connection) throws(StoreError) {
        let replay = JournalReplay(connection: connection, position: position)
        let end = try replay.run(segments(after: position), under: key)
        guard end.last == last else { throw .journalDamaged("the last records of the journal cannot be read again") }
    }

    /// Releases the segments whose records the database file durably contains, up to `position`.
    ///
    /// - Parameter erasing: if true, the current segment is released and erased durably as well, so that its content
    ///   cannot be decrypted afterwards.
    func releaseSegments(through position: JournalPosition, erasing: Bool) throws(StoreError) {
        if erasing, position == last, current?.offset != RecordLayout.firstOffset, last != .start {
            try beginNext()
        }
        if erasing {
            // These files were erased without a sync. Sync them first: if the process ends before all segments are
            // erased, the next opening finds the remaining segments and starts the erasing again.
            for file in free {
                try file.sync()
            }
        }
        // Keep the last segment if there is no current one, because it records the position of the journal.
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
