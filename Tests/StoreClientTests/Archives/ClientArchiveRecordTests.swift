import FoundationEssentials
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreClient

/// Records of plain archives, read and written without a daemon.
@Suite struct ClientArchiveRecordTests {
    static func vector(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "proto-docs/vectors/archives/\(name)")))
    }

    static func records(of archive: [UInt8], inPiecesOf pieceBytes: Int = .max) throws -> [ArchiveRecord] {
        var reader = ArchiveRecordReader()
        var records: [ArchiveRecord] = []
        var start = 0
        while start < archive.count {
            let end = start + min(pieceBytes, archive.count - start)
            reader.feed(Array(archive[start..<end]))
            while let record = try reader.next() {
                records.append(record)
            }
            start = end
        }
        try reader.finish()
        return records
    }

    static func archive(of records: [ArchiveRecord]) throws -> [UInt8] {
        var writer = ArchiveRecordWriter()
        return try records.reduce(into: []) { $0 += try writer.bytes(of: $1) }
    }

    @Test func `an archive written by another program is read and written byte for byte`() throws {
        let archive = try Self.vector("plain.archive")
        let records = try Self.records(of: archive)
        #expect(try Self.archive(of: records) == archive)
        #expect(try Self.records(of: archive, inPiecesOf: 1) == records)
        let (header, counts) = (try #require(records.first?.header), try #require(records.last?.counts))
        #expect(header.revision == 42 && header.sinceRevision == nil && records.last?.digest?.count == 64)
        #expect(counts.messages == 2 && counts.files == 2)
        #expect(records.filter { $0.kind == .sceneValue }.count == 2)
        #expect(records.compactMap(\.contentBytes).reduce(0, +) == records.compactMap(\.filePiece).joined().count)
    }

    private static let time = #""1732161241000250""#
    private static let digest = String(repeating: "q6ur", count: 10) + "q6s="
    private static let attachment = """
        {"name":"photo","mimeType":"image/png","byteCount":"3","digest":"\(digest)","source":"https://example.org/p",\
        "thumbnail":"AQ=="}
        """

    /// One record of every kind, with all its optional fields set.
    static let everythingAsJSON = changes.map { $0 + #","changedAtMicroseconds":\#(time)}"# } + [footer]

    /// The JSON of the records before the footer. `everythingAsJSON` adds the time of the change and the closing brace
    /// to each.
    private static let changes = [
        """
        {"header":{"formatVersion":1,"historyId":"AAAAAAAAAAAAAAAAAAAAAA==","revision":"18446744073709551615",\
        "createdAtMicroseconds":\(time),"sinceRevision":"7"}
        """,
        #"{"content":{"byteCount":"3","digest":"\#(digest)"}"#, #"{"filePiece":"AQI=""#, #"{"filePiece":"Aw==""#,
        """
        {"contact":{"id":"c","sessionId":"05a","displayName":"","avatar":"","notes":"","isBlocked":true,\
        "isTrusted":true,"createdAtMicroseconds":\(time),"updatedAtMicroseconds":\(time)}
        """,
        """
        {"conversation":{"id":"k","sessionId":"05a","displayName":"n","avatar":"AP8=","isPinned":true,"isMuted":true,\
        "retention":{"messageTimer":{"lifetimeMilliseconds":"2000","start":"MESSAGE_TIMER_START_SENDING"},\
        "keepForMilliseconds":"18446744073709551615","keepCount":4294967295},\
        "createdAtMicroseconds":\(time),"updatedAtMicroseconds":\(time)}
        """,
        """
        {"message":{"id":"m","text":"e\u{301}\\n\\u0000","senderSessionId":"05a","recipientSessionId":"05b",\
        "timestampMicroseconds":\(time),"status":"MESSAGE_STATUS_FAILED","isOutgoing":true,"isRead":true,\
        "attachmentUrl":"","attachmentType":"t","replyToMessageId":"r",\
        "createdAtMicroseconds":"-9223372036854775808","editedAtMicroseconds":\(time),\
        "timer":{"lifetimeMilliseconds":"1000","start":"MESSAGE_TIMER_START_READING"},\
        "expiresAtMicroseconds":"9223372036854775807","attachments":[\(attachment)]}
        """,
        #"{"reaction":{"authorSessionId":"05b","emoji":"👍","createdAtMicroseconds":\#(time)}"#,
        #"{"removal":{"kind":"ENTITY_KIND_REACTION","id":"m","removedAtMicroseconds":\#(time)}"#,
        """
        {"draft":{"sessionId":"05a","attachmentUrl":"u","attachmentType":"t","replyToMessageId":"m",\
        "updatedAtMicroseconds":\(time),"attachments":[\(attachment)]}
        """,
        #"{"sceneValue":{"scene":"","key":"k","value":"IQAAAAAAAACA","updatedAtMicroseconds":\#(time)}"#,
        """
        {"log":{"name":"l","maximumBytes":"18446744073709551615","overwritesOldest":true,\
        "createdAtMicroseconds":\(time),"oldestSequence":"0","isReplicated":true}
        """,
        #"{"logEntry":{"sequence":"18446744073709551615","offset":"64","position":"9","data":"/w=="}"#,
        """
        {"directory":{"path":{"area":"FILE_AREA_NOT_SYNCED_LIBRARY"},"createdAtMicroseconds":\(time),\
        "modifiedAtMicroseconds":\(time)}
        """,
        """
        {"file":{"path":{"area":"FILE_AREA_CACHE","path":"a/b"},"createdAtMicroseconds":\(time),\
        "modifiedAtMicroseconds":\(time)}
        """,
        #"{"removal":{"kind":"ENTITY_KIND_SCENE_VALUE","id":"k","parentId":"s","removedAtMicroseconds":\#(time)}"#,
    ]

    private static let footer = """
        {"footer":{"counts":{"contacts":"1","conversations":"1","messages":"1","reactions":"1","drafts":"1",\
        "sceneValues":"1","logs":"1","logEntries":"1","directories":"1","files":"1","contents":"1","removals":"2"}}}
        """

    static func everything() throws -> [ArchiveRecord] {
        try everythingAsJSON.map { json throws in try ArchiveRecord(json: json) }
    }

    @Test func `every record in JSON is decoded, and encoded again as the same text`() throws {
        for json in Self.everythingAsJSON {
            let record = try ArchiveRecord(json: json)
            #expect(try record.json == json)
            #expect(try ArchiveRecord(json: record.json) == record)
        }
        #expect(Set(try Self.everything().map(\.kind)) == Set(ArchiveRecord.Kind.allCases))
    }

    @Test func `a path given as bytes is allowed in JSON and not in an archive`() throws {
        let records = try Self.everything()
        var named = records
        for index in records.indices where records[index].contentBytes != nil {
            named[index].contentFile = "contents/a"
            #expect(try named[index].json.hasSuffix(#","contentFile":"contents/a"}"#))
            #expect(try ArchiveRecord(json: named[index].json).contentFile == "contents/a")
        }
        #expect(named != records)
        #expect(try Self.archive(of: named) == Self.archive(of: records))
    }

    @Test func `an unknown field is refused, so that it is not lost`() throws {
        let misspelt = #expect(throws: StoreClientError.self) {
            try ArchiveRecord(json: #"{"message":{"id":"m","txt":"hello"}}"#)
        }
        #expect(misspelt?.reason == .jsonUnreadable && misspelt?.message.contains("there is no field 'txt'") == true)
        // A message with the unknown field 100, at the top level and in an attachment.
        for bytes in [
            [0x22, 0x06, 0x0A, 0x01, 0x6D, 0xA0, 0x06, 0x01], [0x22, 0x06, 0x82, 0x01, 0x03, 0xA0, 0x06, 0x01],
        ] as [[UInt8]] {
            let record = try #require(ArchiveRecord(try WireArchiveRecord(serializedBytes: bytes)))
            let error = #expect(throws: StoreClientError.self) { try record.json }
            #expect(error?.reason == .invalidArgument)
        }
        #expect(throws: StoreClientError.self) { try ArchiveRecord(json: "{}") }
    }

    @Test func `changed JSON is read or refused, and never traps`() throws {
        var generator = TestSeeds.generator(8)
        let seeds = Self.everythingAsJSON.map { Array($0.utf8) }
        for _ in 0..<TestTier.count(1_000, long: 20_000) {
            let text = String(decoding: Mutated.input(of: seeds, &generator), as: UTF8.self)
            do throws(StoreClientError) {
                let record = try ArchiveRecord(json: text)
                #expect(try ArchiveRecord(json: record.json) == record)
            } catch {
                #expect(error.reason == .jsonUnreadable)
            }
        }
    }

    @Test func `every field of every record is read back as written`() throws {
        let archive = try Self.archive(of: Self.everything())
        let records = try Self.records(of: archive, inPiecesOf: 7)
        #expect(try records == Self.everything())
        #expect(try Self.archive(of: records) == archive)
    }

    @Test func `a truncated archive is an error that names a byte`() throws {
        let archive = try Self.archive(of: Self.everything())
        for end in 0..<archive.count {
            let error = #expect(throws: StoreClientError.self) { try Self.records(of: Array(archive[..<end])) }
            #expect(error?.reason == .archiveDamaged && error?.message.hasSuffix("(byte \(end))") == true, "\(end)")
        }
        let longer = #expect(throws: StoreClientError.self) { try Self.records(of: archive + [0]) }
        let expected = "the archive is damaged: bytes follow the end of the archive (byte \(archive.count))"
        #expect(longer?.message == expected)
    }

    @Test func `changed bytes are read or are an error, and never trap`() throws {
        let archive = try Self.archive(of: Self.everything())
        var generator = TestSeeds.generator(7)
        var toldCount = 0
        let count = TestTier.count(300, long: 2_000)
        for _ in 0..<count {
            let input = Mutated.input(of: [archive], &generator)
            do {
                let records = try Self.records(of: input)
                _ = try Self.archive(of: records)
            } catch {
                let error = try #require(error as? StoreClientError)
                #expect(error.reason == .archiveDamaged && error.message.contains("(byte "), "\(error)")
                toldCount += 1
            }
        }
        #expect(toldCount > count / 2)
    }

    @Test(arguments: [
        (0, "the first record is not a header"), (2, "a file or a content has too few or too many bytes"),
        (5, "a message does not follow its conversation"), (6, "a reaction does not follow its message"),
        (11, "an entry does not follow its log"),
    ])
    func `a missing record is an error at the next record`(index: Int, cause: String) throws {
        var records = try Self.everything()
        records.remove(at: index)
        let error = #expect(throws: StoreClientError.self) { try Self.archive(of: records) }
        #expect(error?.message == cause)
    }

    @Test func `a wrong footer, a second header and a record after the footer are refused`() throws {
        let all = try Self.everything()
        for (records, cause) in [
            (
                Array(all.dropLast()) + [.footer(ArchiveCounts())],
                "the number of records differs from the number in the footer"
            ),
            ([all[0], all[0]], "a second header"), (all + [all[4]], "a record follows the footer"),
            ([all[0], ArchiveRecord(filePiece: [1])], "belongs to no file or content"),
            (
                [
                    try ArchiveRecord(
                        json: #"{"header": {"formatVersion": 2, "historyId": "AAAAAAAAAAAAAAAAAAAAAA=="}}"#)
                ],
                "the version is 2; this client knows only version 1"
            ),
            ([try ArchiveRecord(json: #"{"header": {"formatVersion": 1}}"#)], "the history id does not have 16 bytes"),
        ] {
            let error = #expect(throws: StoreClientError.self) { try Self.archive(of: records) }
            #expect(error?.message.contains(cause) == true, "\(String(describing: error))")
        }
    }
}
