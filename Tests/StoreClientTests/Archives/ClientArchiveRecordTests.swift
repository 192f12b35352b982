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

    @Test func `an archive made elsewhere is read and written byte for byte`() throws {
        let archive = try Self.vector("plain.archive")
        let records = try Self.records(of: archive)
        #expect(try Self.archive(of: records) == archive)
        #expect(try Self.records(of: archive, inPiecesOf: 1) == records)
        guard case .header(let header)? = records.first?.item, case .footer(let footer)? = records.last?.item else {
            Issue.record("an archive has a header and a footer")
            return
        }
        #expect(header.revision == 42 && header.sinceRevision == nil && footer.digest.count == 64)
        #expect(footer.counts.messages == 2 && footer.counts.files == 2)
        let value = records.lazy.compactMap { if case .sceneValue(let value) = $0.item { value.value } else { nil } }
        #expect(Array(value) == [.string("of all scenes"), .integer(42)])
    }

    private static let time = Timestamp(microseconds: 1_732_161_241_000_250)

    /// One of everything, with all that may be absent there.
    static let everything: [ArchiveRecord] = {
        let digest = String(repeating: "ab", count: 32)
        let attachment = ArchivedAttachment(
            name: "photo", mimeType: "image/png", contentBytes: 3, digest: digest, source: "https://example.org/p",
            thumbnail: [1])
        var message = ArchivedMessage(
            id: "m", text: "e\u{301}", senderSessionID: "05a", recipientSessionID: "05b", timestamp: time,
            status: .failed, isOutgoing: true, isRead: true, attachmentURL: "", attachmentType: "t",
            replyToMessageID: "r", createdAt: Timestamp(microseconds: .min), editedAt: time,
            timer: MessageTimer(lifetime: .seconds(1), start: .reading), expiresAt: Timestamp(microseconds: .max))
        message.attachments = [attachment]
        let items: [ArchiveItem] = [
            .header(
                ArchiveHeader(historyID: .none, revision: .max, createdAt: time, sinceRevision: 7)),
            .content(ArchivedContent(contentBytes: 3, digest: digest)), .filePiece([1, 2]), .filePiece([3]),
            .contact(
                ArchivedContact(
                    id: "c", sessionID: "05a", displayName: "", avatar: [], notes: "", isBlocked: true,
                    isTrusted: true, createdAt: time, updatedAt: time)),
            .conversation(
                ArchivedConversation(
                    id: "k", sessionID: "05a", displayName: "n", avatar: [0, 255], isPinned: true, isMuted: true,
                    retention: ConversationRetention(
                        messageTimer: MessageTimer(lifetime: .seconds(2), start: .sending), keepForMilliseconds: .max,
                        keepCount: Int(UInt32.max)), createdAt: time, updatedAt: time)),
            .message(message), .reaction(ArchivedReaction(authorSessionID: "05b", emoji: "👍", createdAt: time)),
            .removal(ArchivedRemoval(kind: .reaction, id: "m", removedAt: time)),
            .draft(
                ArchivedDraft(
                    sessionID: "05a", text: "", attachmentURL: "u", attachmentType: "t", replyToMessageID: "m",
                    updatedAt: time, attachments: [attachment])),
            .sceneValue(ArchivedSceneValue(scene: "", key: "k", value: .double(-0.0), updatedAt: time)),
            .log(
                ArchivedLog(
                    name: "l", configuration: LogConfiguration(maximumBytes: .max, overwritesOldest: true),
                    createdAt: time)),
            .logEntry(ArchivedLogEntry(sequence: .max, offset: 64, position: 9, data: [0xff])),
            .directory(
                ArchivedDirectory(path: VaultPath(.notSyncedLibrary), createdAt: time, modifiedAt: time)),
            .file(
                ArchivedFile(path: VaultPath(.cache, "a/b"), contentBytes: 0, createdAt: time, modifiedAt: time)),
            .removal(ArchivedRemoval(kind: .sceneValue, id: "k", parentID: "s", removedAt: time)),
        ]
        let counts = ArchiveCounts(
            contacts: 1, conversations: 1, messages: 1, reactions: 1, drafts: 1, sceneValues: 1, logs: 1, logEntries: 1,
            directories: 1, files: 1, contents: 1, removals: 2)
        return items.map { ArchiveRecord($0, changedAt: time) }
            + [ArchiveRecord(.footer(ArchiveFooter(counts: counts)))]
    }()

    @Test func `every field of every record comes back as it was`() throws {
        let archive = try Self.archive(of: Self.everything)
        let records = try Self.records(of: archive, inPiecesOf: 7)
        #expect(records == Self.everything)
        #expect(try Self.archive(of: records) == archive)
    }

    @Test func `an archive that is cut off anywhere is told with a byte`() throws {
        let archive = try Self.archive(of: Self.everything)
        for end in 0..<archive.count {
            let error = #expect(throws: StoreClientError.self) { try Self.records(of: Array(archive[..<end])) }
            #expect(error?.reason == .archiveDamaged && error?.message.hasSuffix("(byte \(end))") == true, "\(end)")
        }
        let longer = #expect(throws: StoreClientError.self) { try Self.records(of: archive + [0]) }
        #expect(longer?.message == "the archive is damaged: bytes follow its end (byte \(archive.count))")
    }

    @Test func `bytes that were changed are read or told, and never trap`() throws {
        let archive = try Self.archive(of: Self.everything)
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
        (0, "its first record is not a header"), (2, "a file or a content has too few or too many bytes"),
        (5, "no conversation comes before a message"), (6, "no message comes before a reaction"),
        (11, "no log comes before an entry"),
    ])
    func `a record that is missing is told where the next one stands`(index: Int, cause: String) throws {
        var records = Self.everything
        records.remove(at: index)
        let error = #expect(throws: StoreClientError.self) { try Self.archive(of: records) }
        #expect(error?.message == cause)
    }

    @Test func `a footer that counts otherwise, a second header and a record behind the end are refused`() throws {
        let all = Self.everything
        for (records, cause) in [
            (
                Array(all.dropLast()) + [ArchiveRecord(.footer(ArchiveFooter(counts: ArchiveCounts())))],
                "its number of records differs from its footer"
            ),
            ([all[0], all[0]], "a second header"), (all + [all[4]], "a record follows the footer"),
            ([all[0], ArchiveRecord(.filePiece([1]))], "belongs to no file or content"),
            (
                [
                    ArchiveRecord(
                        .header(ArchiveHeader(formatVersion: 2, historyID: .none, revision: 1, createdAt: .now)))
                ],
                "its version is 2; version 1 is known"
            ),
        ] {
            let error = #expect(throws: StoreClientError.self) { try Self.archive(of: records) }
            #expect(error?.message.contains(cause) == true, "\(String(describing: error))")
        }
    }

    @Test func `a dictionary keeps keys that differ only in their bytes, and an unknown value its bytes`() throws {
        let value = WireSceneValue.with {
            $0.dictionary = .with {
                $0.entries = ["e\u{301}", "\u{e9}"].map { key in
                    .with {
                        $0.key = key
                        $0.value = .with { $0.integer = 1 }
                    }
                }
            }
        }
        let bytes: [UInt8] = try value.serializedBytes()
        let archived = ArchivedSceneValue(scene: nil, key: "k", encodedValue: bytes, updatedAt: Self.time)
        guard case .dictionary(let entries)? = archived.value else { throw StoreClientError.answerUnreadable("") }
        #expect(entries.count == 2 && entries["e\u{301}"] == .integer(1) && entries["\u{e9}"] == .integer(1))
        #expect(ArchivedSceneValue(scene: nil, key: "k", encodedValue: [0xff], updatedAt: Self.time).value == nil)
        let nan = SceneValue.array([.double(Double(bitPattern: 0x7ff8_0000_0000_0001)), .float(-0.0)])
        let kept = try #require(
            ArchivedSceneValue(scene: nil, key: "k", value: nan, updatedAt: Self.time).value)
        guard case .array(let elements) = kept, case .double(let number) = elements[0] else {
            Issue.record("an array stays one")
            return
        }
        #expect(number.bitPattern == 0x7ff8_0000_0000_0001)
    }
}
