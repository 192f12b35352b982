import FoundationEssentials
import Glibc
import SQLCipher
import StoreBasics
import StoreCrypto
import TestBasics

@testable import StoreEngine

/// The files of a store at one moment with several segments of the journal, and the positions of the records in them.
struct JournalSpecimen {
    /// True if tests try all cases instead of a part of them (`make damage-long`).
    static let isWholeWalk = ProcessInfo.processInfo.environment["DAMAGE_CASES"] == "all"

    struct Segment {
        let name: String
        let records: [Record]
        /// The offset at which the next record begins. Until then, it has the mark that the last record was synced.
        let end: Int
    }

    struct Record {
        let number: UInt64
        let bytes: Range<Int>
        /// True if the record contains one of the numbered messages.
        let isMessage: Bool
    }

    var files: [String: [UInt8]]
    let contents: StoreContents
    /// The segments with records, in their order.
    let segments: [Segment]

    /// Reads the segments in the files.
    ///
    /// - Parameter store: the open store from which the files were copied. It must not have written anything since the
    ///   copy.
    init(_ files: [String: [UInt8]], of store: TemporaryStore) throws {
        self.files = files
        contents = try StoreContents(store.engine.makeReader())
        segments = try Self.segments(of: files, under: store.engine)
    }

    /// Returns a store that was killed between a record and its acknowledgement. Pages of the last six records are only
    /// in the open transaction.
    static func uncommitted() throws -> JournalSpecimen {
        let (store, snapshot) = try filledStore()
        defer { snapshot.close() }
        let files = try StoreSpecimen.images(of: store) {
            var held = try HeldWrites(store.engine)
            try held.addNumbered(20..<26, .alone)
            _ = held.finish()
        }
        return try JournalSpecimen(files.last ?? [:], of: store)
    }

    /// Returns a store that was killed after every page was committed to the WAL.
    static func committed() throws -> JournalSpecimen {
        let (store, snapshot) = try filledStore()
        defer { snapshot.close() }
        return try JournalSpecimen(try StoreSpecimen.image(of: store), of: store)
    }

    /// Returns a store whose database lacks everything that the segments contain.
    static func withoutLog() throws -> JournalSpecimen {
        var specimen = try uncommitted()
        specimen.files["store.db-wal"] = nil
        return specimen
    }

    /// Returns a store with a few writes in the database file and more than two segments of the journal.
    private static func filledStore() throws -> (TemporaryStore, StoreReader) {
        let (store, snapshot) = try TemporaryStore.held()
        try fill(store.engine)
        // This read makes the writer commit the pages of all earlier writes to the WAL.
        _ = try store.engine.hasNumbered(4)
        return (store, snapshot)
    }

    /// Writes more than two segments.
    static func fill(_ engine: StoreEngine) throws {
        let log = try LogName("log")
        try engine.write(.openLog(log, LogConfiguration(maximumBytes: 6_000, overwritesOldest: true)))
        for number in 4..<20 {
            try engine.saveNumbered(number..<(number + 1))
            let values = try (0..<4).map { key in
                SceneChange(
                    key: try SceneKey("key-\(key)"), value: [UInt8](repeating: UInt8(number), count: 2_000 + key))
            }
            try engine.write(.setSceneValues(.sceneOnly(SceneName("scene-\(number % 3)")), values, conditions: []))
            try engine.write(
                .appendLog(LogAppend(log: log, expected: nil, messages: [[UInt8](repeating: 1, count: 700)])))
            try engine.write(
                .saveContact(ContactUpdate(sessionID: SessionID("contact-\(number % 5)"), displayName: "\(number)")))
        }
    }

    /// Returns the segments that have records, with the positions of the records.
    static func segments(of files: [String: [UInt8]], under engine: StoreEngine) throws -> [Segment] {
        let folder = try JournalFiles(files)
        let generation = try engine.keys.withKeyring { keyring throws(StoreError) in keyring.keyring.generation }
        let key = try engine.currentJournalKey()
        let found = try JournalSegments(
            in: folder.folder, under: key, generation: UInt32(truncatingIfNeeded: generation))
        return try (found.preceding + found.following).map { segment in
            var records: [Record] = []
            var offset = RecordLayout.firstOffset
            let scan = try SegmentScan(segment, under: key) { position, content in
                let end = offset + content.count + RecordLayout.overheadBytes
                records.append(
                    Record(number: position.record, bytes: offset..<end, isMessage: holdsMessage(content)))
                offset += RecordLayout.slotBytes(recordBytes: end - offset)
            }
            return Segment(name: "journal/\(segment.file.slot)", records: records, end: scan.end)
        }.filter { !$0.records.isEmpty }
    }
}

extension JournalSpecimen {
    private static func holdsMessage(_ content: UnsafeRawBufferPointer) -> Bool {
        guard var place = content.baseAddress else { return false }
        let (words, end) = (Array("numbered message".utf8), place + content.count)
        while let found = memchr(place, Int32(words[0]), end - place).map({ UnsafeRawPointer($0) }),
            end - found >= words.count
        {
            if memcmp(found, words, words.count) == 0 { return true }
            place = found + 1
        }
        return false
    }
}

extension TemporaryStore {
    /// Returns a store whose first messages are in the database file. Later writes stay in the WAL and the journal
    /// until the returned reader is closed.
    static func held() throws -> (TemporaryStore, StoreReader) {
        let store = try TemporaryStore()
        try store.engine.saveNumbered(0..<4)
        try store.reopen()
        return (store, try store.holdSnapshot())
    }

    /// Starts a read that prevents checkpoints of the WAL until the reader is closed. So the journal keeps its
    /// segments, however long the writer is idle.
    func holdSnapshot() throws -> StoreReader {
        let reader = engine.makeReader()
        try reader.read { connection throws(StoreError) in
            try mapped(connection.execute("BEGIN; SELECT count(*) FROM store"))
        }
        return reader
    }
}

/// A temporary folder with the journal of an image.
final class JournalFiles {
    private let directory: TemporaryDirectory
    let folder: JournalFolder

    init(_ image: [String: [UInt8]]) throws {
        directory = try TemporaryDirectory()
        let path = directory.file("state")
        let state = try StateDirectory(path: path)
        folder = try JournalFolder(in: state)
        for (name, bytes) in image where name.hasPrefix("journal/") {
            try TestFile.write(bytes, to: path + "/" + name)
        }
    }
}

extension StoreEngine {
    func currentJournalKey() throws -> JournalKey {
        try keys.derive { keyring throws(CryptoError) in try keyring.journalKey(.current) }
    }
}
