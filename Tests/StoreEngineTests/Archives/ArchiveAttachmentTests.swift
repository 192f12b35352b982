import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct ArchiveAttachmentTests {
    private let clocks = FakeClocks()
    private let source: AttachmentStore
    private let table = RecordTable()
    private let large: [UInt8]

    init() throws {
        source = try AttachmentStore(clocks: clocks.clocks)
        var random = SplitMix(seed: 10)
        large = random.bytes(3 * EngineLimits.inlineFileBytesMax + 5)
    }

    private var engine: StoreEngine { source.store.engine }

    private func archive() throws -> [UInt8] { try engine.archive(table) }

    private func attachment(_ text: String, source: String? = nil) throws -> NewAttachment {
        try AttachmentStore.attachment(text, source: source)
    }

    @Test func `an archive has each content once, however often it is used, and no unused content`() throws {
        try engine.writeAttachment(large)
        try engine.writeAttachment([1, 2, 3])
        try source.save("m1", [try AttachmentStore.known(large), try attachment("x")])
        try source.save("m2", [try AttachmentStore.known(large)])
        try source.save("gone", [try attachment("secret")])
        _ = try engine.commit(.deleteMessages([try EntityID("gone")]))
        let file = try archive()
        let target = try AttachmentStore(clocks: clocks.clocks)
        let foretold = try target.store.engine.restore(file, table, .fillEmpty, isDryRun: true)
        let report = try target.store.engine.restore(file, table, .fillEmpty)
        #expect(report.counts[.content] == 2 && report.tally == foretold.tally)
        #expect(report.tally.added == report.counts)
        #expect(try target.attachments("m1") == source.attachments("m1"))
        // A read that takes too long returns fewer bytes than requested.
        var bytes: [UInt8] = []
        while bytes.count < large.count {
            let part = try target.store.engine.makeReader().readAttachment(
                of: try EntityID("m2"), at: 0, from: UInt64(bytes.count), byteCount: 1 << 20)
            try #require(!part.bytes.isEmpty)
            bytes += part.bytes
        }
        let isWhole = bytes == large
        #expect(isWhole)
        #expect(try target.counts() == [2, 3, 2])
        #expect(try target.store.engine.archived() == table.content)
        #expect(try expectClean(target.store.engine) == [])
        #expect(reason { try target.store.engine.restore(file, table, .fillEmpty) } == .storeNotEmpty)
    }

    @Test func `a store that contains only a content is not empty`() throws {
        try source.save("m1", [try attachment("x")])
        let file = try archive()
        let target = try TemporaryStore()
        try target.engine.writeAttachment([1])
        #expect(reason { try target.engine.restore(file, table, .fillEmpty) } == .storeNotEmpty)
    }

    @Test func `of two versions of a message the later one is kept with its attachments`() throws {
        let target = try AttachmentStore(clocks: clocks.clocks)
        try source.save("m1", [try attachment("one")])
        try source.save("m2", [try attachment("one")])
        try target.store.engine.restore(try archive(), table, .fillEmpty)
        clocks.pass(seconds: 10)
        // The source changes both messages. Ten seconds later, the target edits the text of "m2".
        try source.save("m1", [try attachment("two"), try attachment("three")])
        _ = try engine.commit(.editMessage(try EntityID("m1"), text: "edited", editedAt: nil))
        try source.save("m2", [try attachment("two")])
        clocks.pass(seconds: 10)
        _ = try target.store.engine.commit(.editMessage(try EntityID("m2"), text: "here", editedAt: nil))
        let later = RecordTable()
        let file = try engine.archive(later)
        let report = try target.store.engine.restore(file, later, .merge)
        #expect(report.tally.updated[.message] == 1 && report.tally.kept[.message] == 1)
        #expect(try target.text("m1", 0) == "two" && target.text("m1", 1) == "three")
        #expect(try target.text("m2", 0) == "one")
        #expect(try target.store.engine.restore(file, later, .merge).tally.equal[.message] == 1)
        try target.store.engine.writer.waitForRemovals()
        #expect(try expectClean(target.store.engine) == [])
    }

    @Test func `a draft with only attachments is restored, and of two drafts the newer one is kept`() throws {
        let target = try AttachmentStore(clocks: clocks.clocks)
        func save(_ text: String, in store: AttachmentStore) throws {
            let draft = NewDraft(
                conversation: store.alice, content: DraftContent(), attachments: [try attachment(text)])
            _ = try store.store.engine.commit(.saveDraft(draft))
        }
        func digest(in store: AttachmentStore) throws -> AttachmentDigest? {
            try store.store.engine.makeReader().draft(in: store.alice)?.attachments.first?.digest
        }
        try save("one", in: source)
        try target.store.engine.restore(try archive(), table, .fillEmpty)
        #expect(try digest(in: target) == attachment("one").digest)
        clocks.pass(seconds: 10)
        try save("two", in: source)
        let later = RecordTable()
        let report = try target.store.engine.restore(try engine.archive(later), later, .merge)
        #expect(report.tally.updated[.draft] == 1)
        #expect(try digest(in: target) == attachment("two").digest)
        #expect(try target.counts() == [1, 1, 1])
        #expect(try expectClean(target.store.engine) == [])
    }

    @Test(arguments: [nil, "elsewhere"])
    func `a missing content is listed and can be written later`(place: String?) throws {
        try source.save("m1", [try attachment("x", source: place)])
        let whole = try archive()
        let target = try AttachmentStore(clocks: clocks.clocks)
        // An archive without the content, as a person may write it by hand.
        let other = RecordTable()
        var bare: [UInt8] = []
        var writer = ArchiveStreamWriter(header, other, to: &bare)
        for record in table.content where !record.isOfContent {
            writer.append(ArchiveEntry(record), to: &bare)
        }
        writer.finish(to: &bare)
        try target.store.engine.restore(bare, other, .fillEmpty)
        #expect(try target.attachments("m1")?.map(\.isStored) == [false])
        #expect(reason { _ = try target.text("m1") } == .attachmentEvicted)
        #expect(try expectClean(target.store.engine) == [])
        let report = try target.store.engine.restore(whole, table, .merge)
        #expect(report.tally.updated[.content] == 1 && report.tally.equal[.message] == 1)
        #expect(try target.text("m1") == "x")
        #expect(try expectClean(target.store.engine) == [])
    }

    @Test func `an archive with an evicted content restores it`() throws {
        let target = try AttachmentStore(clocks: clocks.clocks, cacheBytesMax: 1)
        try source.save("m1", [try attachment("much more than that", source: "elsewhere")])
        let file = try archive()
        try target.store.engine.restore(file, table, .fillEmpty)
        #expect(try eventually { try target.attachments("m1")?.first?.isStored == false })
        let report = try target.store.engine.restore(file, table, .merge)
        #expect(report.tally.updated[.content] == 1)
        #expect(try expectClean(target.store.engine) == [])
    }

    @Test func `a restored content without a message is kept for a week and no longer`() throws {
        try engine.writeAttachment(large)
        try source.save("m1", [try AttachmentStore.known(large), try attachment("x")])
        let file = try archive()
        let number = try #require(table.records.firstIndex { if case .message = $0 { true } else { false } })
        for (seconds, isThere) in [(7 * 86_400 - 3_600, true), (7 * 86_400 + 3_600, false)] {
            let target = try AttachmentStore(clocks: clocks.clocks)
            let request = ArchiveRestoreRequest(coding: table, aim: .merge, isDryRun: false, secret: nil)
            guard case .restoreBegun(let session) = try target.store.engine.blob(.beginRestore(request)) else {
                throw StoreError(.internal, "a restore begins with its session")
            }
            // The restore ends before the record of the message.
            let end = ArchiveForm.magic.count + number * RecordTable.recordBytes
            _ = try target.store.engine.blob(.writeRestore(session, offset: 0, data: Array(file[..<end])))
            _ = try target.store.engine.blob(.endArchive(session))
            clocks.pass(seconds: Int64(seconds))
            _ = try target.store.engine.commit(.removeDueMessages)
            #expect(try target.counts()[0] == (isThere ? 1 : 0))
            try target.store.engine.waitForCleaning()
            #expect(try expectClean(target.store.engine) == [])
        }
    }

    /// The first of two messages with the same content expires before the second one is restored.
    @Test(arguments: [nil, "elsewhere"])
    func `a content stays while messages of the archive use it, and is released with the last one`(place: String?)
        throws
    {
        try source.save("m1", [try attachment("shared", source: place)], at: 1)
        // More messages than one commit of a restore contains.
        for index in 0..<(ArchiveLimits.batchRecordsMax + 50) {
            try source.save("between \(index)", [], at: 2)
        }
        try source.save("m2", [try attachment("shared")], at: 3)
        let file = try archive()
        let target = try AttachmentStore(clocks: clocks.clocks, cacheBytesMax: 1)
        let request = ArchiveRestoreRequest(coding: table, aim: .merge, isDryRun: false, secret: nil)
        guard case .restoreBegun(let session) = try target.store.engine.blob(.beginRestore(request)) else {
            throw StoreError(.internal, "a restore begins with its session")
        }
        let middle = file.count - 2 * RecordTable.recordBytes
        _ = try target.store.engine.blob(.writeRestore(session, offset: 0, data: Array(file[..<middle])))
        #expect(try target.text("m1") == "shared")
        if place == nil {
            _ = try target.store.engine.commit(.deleteMessages([try EntityID("m1")]))
        }
        _ = try target.store.engine.commit(.removeDueMessages)
        try target.store.engine.waitForCleaning()
        _ = try target.store.engine.blob(
            .writeRestore(session, offset: UInt64(middle), data: Array(file[middle...])))
        _ = try target.store.engine.blob(.finishRestore(session))
        #expect(try target.text("m2") == "shared")
        let left = place == nil ? ["m2"] : ["m1", "m2"]
        _ = try target.store.engine.commit(.deleteMessages(try left.map { try EntityID($0) }))
        #expect(try target.counts()[0] == 0)
        try target.store.engine.waitForCleaning()
        #expect(try expectClean(target.store.engine) == [])
    }

    @Test func `a content with a wrong digest and a truncated content are damage`() throws {
        try source.save("m1", [try attachment("x"), try attachment("")])
        let file = try archive()
        for (index, record) in table.records.enumerated() {
            guard case .filePiece(let bytes) = record else { continue }
            let other = RecordTable()
            var changed: [UInt8] = []
            var writer = ArchiveStreamWriter(header, other, to: &changed)
            for (place, entry) in table.entries.enumerated() where entry.record.isContent {
                writer.append(place == index ? ArchiveEntry(.filePiece(bytes.map { $0 ^ 1 })) : entry, to: &changed)
            }
            writer.finish(to: &changed)
            for aim in [ArchiveRestoreRequest.Aim.verify, .merge] {
                #expect(reason { try engine.restore(changed, other, aim) } == .archiveDamaged)
            }
        }
        for length in 0..<file.count {
            #expect(reason { try engine.restore(Array(file.prefix(length)), table, .verify) } == .archiveDamaged)
        }
    }

    @Test func `an archive without its digest is accepted on request, and its content id stays the same`()
        throws
    {
        try source.save("m1", [try attachment("x")])
        let file = try archive()
        let whole = try engine.restore(file, table, .verify)
        guard case .footer(var footer) = table.records.last else { throw StoreError(.internal, "it has a footer") }
        footer.digest = []
        let bytes = table.encode(ArchiveEntry(.footer(footer)))
        let byHand = Array(file.dropLast(bytes.count)) + bytes
        #expect(reason { try engine.restore(byHand, table, .verify) } == .archiveDamaged)
        #expect(try engine.restore(byHand, table, .verify, isWithoutDigest: true).contentID == whole.contentID)
        #expect(try engine.restore(file, table, .verify, isWithoutDigest: true).contentID == whole.contentID)
    }

    private var header: ArchiveHeader {
        ArchiveHeader(history: .none, revision: 1, createdAt: Timestamp(microseconds: 0))
    }
}

extension ArchiveRecord {
    /// True for a record of content. This archive contains no files, so the content belongs to attachments.
    fileprivate var isOfContent: Bool {
        switch self {
        case .content, .filePiece: true
        default: false
        }
    }

    fileprivate var isContent: Bool {
        switch self {
        case .header, .footer: false
        default: true
        }
    }
}
