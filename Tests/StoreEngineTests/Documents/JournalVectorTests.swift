import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreCrypto
@testable import StoreEngine

/// Tests that read the test vector proto-docs/vectors/journal/journal-v1.txt. The script make.py beside it writes the
/// vector and shares no code with the engine.
@Suite struct JournalVectorTests {
    private let vector: JournalVector
    private let folder: TemporaryDirectory

    init() throws {
        vector = try JournalVector()
        folder = try TemporaryDirectory()
        try vector.place(in: folder)
    }

    private var state: StateDirectory {
        get throws { try StateDirectory(path: folder.path) }
    }

    private func segments(_ key: borrowing JournalKey) throws -> JournalSegments {
        try JournalSegments(in: JournalFolder(in: state), under: key, generation: vector.generation)
    }

    @Test func `the segments of the vector are found in order`() throws {
        let found = try segments(vector.key())
        #expect(found.following.map(\.header.sequence) == [7, 8])
        #expect(found.following.map(\.header.previous.record) == [40, 43])
        #expect(found.following.map(\.header.fileBytes) == [8_192, 8_192])
        #expect(found.following.allSatisfy { $0.header.history == vector.history })
        #expect(found.preceding.isEmpty && found.free.isEmpty)
    }

    @Test func `the records of the vector are replayed up to the last synced one`() throws {
        let key = try vector.key()
        let found = try segments(key)
        let connection = try makeDatabase()
        defer { connection.close() }
        let replay = JournalReplay(connection: connection, position: found.following[0].header.previous)
        let end = try replay.run(found.following, under: key)
        #expect(end.records == 4)
        #expect(end.last.record == vector.lastRecord)
        #expect(Hexadecimal.encode(end.last.tag.bytes) == vector.lastTag)
        #expect(end.offset == vector.end)
        let rows = try connection.rows(
            StatementText(
                "SELECT number, coalesce(body, 'null'), coalesce(hex(data), 'null') FROM notes ORDER BY number"))
        var read: [String] = []
        while try rows.next() {
            read.append("\(rows.integer(0))|\(try rows.text(1))|\(try rows.text(2))")
        }
        let bytes = Hexadecimal.encode([UInt8](0..<200)).uppercased()
        #expect(read == ["1|one|", "3|three|00FF", "\(Int64.max)|größt|\(bytes)"])
    }

    @Test func `a changed byte in the header or in a middle record of a segment of the vector is damage`()
        throws
    {
        let key = try vector.key()
        let path = folder.path + "/journal/0"
        let whole = try TestFile.read(path)
        let places = [0, 20, 30, 40, 50, 60, 75, 90, 120, 4_096 + 10, 4_096 + 20, 4_096 + 40, 4_096 + 70, 4_248 + 600]
        for place in places {
            var damaged = whole
            damaged[place] ^= 1
            try TestFile.write(damaged, to: path)
            #expect(throws: StoreError.self, "byte \(place)") {
                let found = try segments(key)
                let position = JournalPosition(record: 40, tag: vector.firstTag)
                let connection = try makeDatabase()
                defer { connection.close() }
                _ = try JournalReplay(connection: connection, position: position)
                    .run(found.needed(from: position, of: vector.history), under: key)
            }
        }
        try TestFile.write(whole, to: path)
        #expect(try segments(key).following.count == 2)
    }

    @Test func `the sync mark of the vector shows that the record before it was synced`() throws {
        let torn = try TestFile.read(folder.path + "/journal/1")
        var marked = torn
        marked.replaceSubrange(vector.end..<(vector.end + vector.syncMark.count), with: vector.syncMark)
        #expect(try lastRecord(ofSecond: torn) == vector.lastRecord)
        #expect(try lastRecord(ofSecond: marked) == vector.lastRecord)
        let (inRecord, inMark) = (4_096 + 60, vector.end + 15)
        #expect(try lastRecord(ofSecond: changed(torn, at: [inRecord])) == vector.lastRecord - 1)
        let damaged = changed(marked, at: [inRecord])
        #expect(throws: StoreError.self) { _ = try lastRecord(ofSecond: damaged) }
        #expect(try lastRecord(ofSecond: changed(marked, at: [inRecord, inMark])) == vector.lastRecord - 1)
    }

    /// Returns the number of the last record of the second segment.
    ///
    /// - Parameter file: the content to read in place of file 1.
    private func lastRecord(ofSecond file: [UInt8]) throws -> UInt64 {
        try TestFile.write(file, to: folder.path + "/journal/1")
        let key = try vector.key()
        let segment = try segments(key).following[1]
        return try SegmentScan(segment, under: key) { _, _ in }.last.record
    }

    private func changed(_ file: [UInt8], at places: [Int]) -> [UInt8] {
        var file = file
        for place in places {
            file[place] ^= 1
        }
        return file
    }

    private func makeDatabase() throws -> Connection {
        let path = folder.path + "/\(UInt64.random(in: 0 ... .max)).db"
        let key = Array(("x'" + String(repeating: "a", count: 96) + "'").utf8)
        let versions = try LibraryVersions.loaded()
        let connection = try key.withUnsafeBytes {
            try Connection(path: path, key: $0, mode: .create, profile: .ghoststore, versions: versions)
        }
        try connection.execute("CREATE TABLE notes (number INTEGER PRIMARY KEY, body TEXT, data BLOB)")
        return connection
    }
}

/// The parsed test vector. A line is a name, a colon and a value. `0 at 4096` gives the bytes of file 0 from offset
/// 4096; other bytes are zeros.
private struct JournalVector {
    private var files: [Int: [UInt8]] = [:]
    let generation: UInt32
    let history: HistoryID
    let lastRecord: UInt64
    let lastTag: String
    let end: Int
    /// The sync mark that file 1 has at `end` until the writer begins another record there.
    let syncMark: [UInt8]
    private let masterKey: [UInt8]

    init() throws {
        var fields: [String: String] = [:]
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let text = String(
            decoding: try TestFile.read("/\(root)/proto-docs/vectors/journal/journal-v1.txt"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let (name, value) = (line.prefix { $0 != ":" }, line.drop { $0 != ":" }.dropFirst(2))
            if let slot = name.wholeMatch(of: /file (\d+)/).flatMap({ Int($0.1) }) {
                files[slot] = [UInt8](repeating: 0, count: try #require(Int(value)))
            } else if let place = name.wholeMatch(of: /(\d+) at (\d+)/), let slot = Int(place.1),
                let offset = Int(place.2)
            {
                let bytes = try #require(Hexadecimal.decode(String(value)))
                files[slot]?.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
            } else {
                fields[String(name)] = String(value)
            }
        }
        generation = try #require(fields["generation"].flatMap { UInt32($0) })
        history = try #require(fields["history"].flatMap(Hexadecimal.decode).flatMap { HistoryID(bytes: $0) })
        let last = try #require(fields["last record"]).split(separator: " ")
        lastRecord = try #require(last.first.flatMap { UInt64($0) })
        lastTag = try #require(last.last.map(String.init))
        end = try #require(fields["end"].flatMap { Int($0) })
        syncMark = try #require(fields["sync mark"].flatMap(Hexadecimal.decode))
        masterKey = try #require(fields["master key"].flatMap(Hexadecimal.decode))
        try #require(files.count == 2)
    }

    /// The tag of the record before the first segment, from that segment's header.
    var firstTag: RecordTag {
        (files[0] ?? []).withUnsafeBytes { bytes in
            RecordTag(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(56).prefix(RecordTag.byteCount))) ?? .none
        }
    }

    func key() throws -> JournalKey {
        JournalKey(bytes: try MasterKey(bytes: SecretBytes(copying: masterKey)).subkey(.journal))
    }

    func place(in folder: TemporaryDirectory) throws {
        _ = try JournalFolder(in: StateDirectory(path: folder.path))
        for (slot, bytes) in files {
            try TestFile.write(bytes, to: folder.path + "/journal/\(slot)")
        }
    }
}
