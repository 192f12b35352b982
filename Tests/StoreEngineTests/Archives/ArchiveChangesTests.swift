import StoreBasics
import StoreCrypto
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of archives that contain only the changes since a revision.
@Suite struct ArchiveChangesTests {
    private let clocks = FakeClocks()
    private let source: TemporaryStore
    private let target: TemporaryStore

    init() throws {
        source = try TemporaryStore(clocks: clocks.clocks)
        target = try TemporaryStore(clocks: clocks.clocks)
    }

    /// Archives the source and restores the archive into the target.
    ///
    /// - Parameter since: the revision after which changes are archived. With `nil`, everything is restored into an
    ///   empty store.
    @discardableResult
    private func bring(since revision: UInt64?) throws -> (report: RestoreReport, revision: UInt64) {
        let table = RecordTable()
        let file = try source.engine.archive(table, since: revision ?? 0)
        let aim = revision == nil ? ArchiveRestoreRequest.Aim.fillEmpty : .merge
        let foretold = try target.engine.restore(file, table, aim, isDryRun: true)
        let report = try target.engine.restore(file, table, aim)
        #expect(foretold.counts == report.counts && report.header.sinceRevision == revision ?? 0)
        clocks.pass(seconds: 1)
        return (report, report.header.revision)
    }

    private func expectSame(_ comment: String = "") throws {
        try source.engine.writer.waitForRemovals()
        try target.engine.writer.waitForRemovals()
        let (here, there) = (try source.engine.archived(), try target.engine.archived())
        let difference = ContentOfArchive(here).firstDifference(from: ContentOfArchive(there))
        #expect(difference == nil, "\(comment)")
    }

    @Test(arguments: 1...UInt64(TestTier.count(3, long: 12)))
    func `a whole archive and archives of later changes restore the same content as the store`(seed: UInt64) throws {
        var edits = RandomEdits(source.engine, seed: seed)
        try edits.make(60)
        clocks.pass(seconds: 1)
        var revision = try bring(since: nil).revision
        try expectSame("at first, seed \(seed)")
        for round in 1...3 {
            for _ in 0..<6 {
                try edits.make(10)
                clocks.pass(seconds: 1)
            }
            revision = try bring(since: revision).revision
            try expectSame("seed \(seed), round \(round)")
            #expect(try expectClean(target.engine) == [])
        }
    }

    @Test func `a log that became replicated is replicated after a restore of its changes, and is counted`() throws {
        let name = try LogName("log")
        let configuration = LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)
        try source.engine.write(.openLog(name, configuration, isReplicated: false))
        try source.engine.write(.appendLog(LogAppend(log: name, expected: nil, messages: [[1]])))
        var revision = try bring(since: nil).revision
        try source.engine.write(.openLog(name, configuration, isReplicated: true))
        let (report, next) = try bring(since: revision)
        #expect(report.tally.updated[.log] == 1)
        #expect(try target.engine.makeReader().log(name)?.isReplicated == true)
        revision = next
        // From here on the log gets entries, but its settings stay the same.
        try source.engine.write(.appendLog(LogAppend(log: name, expected: nil, messages: [[2]])))
        #expect(try bring(since: revision).report.tally.equal[.log] == 1)
        try expectSame()
    }

    /// Checks that the order is the same in the restored store, in whatever order the messages were saved and whatever
    /// timestamps they had before.
    @Test func `messages with equal timestamps have the same order and the same last message in a restored store`()
        throws
    {
        let (first, second) = (try EntityID("a"), try EntityID("b"))
        let talk = ConversationReference.session(try SessionID("talk"))
        func save(_ id: EntityID, at time: Int64) throws {
            try source.engine.write(
                .saveMessage(
                    NewMessage(id: id, conversation: talk, text: "x", timestamp: Timestamp(microseconds: time))))
        }
        try save(first, at: 2)
        try save(second, at: 1)
        let revision = try bring(since: nil).revision
        clocks.pass(seconds: 1)
        try save(first, at: 1)
        try bring(since: revision)
        for engine in [source.engine, target.engine] {
            let page = try engine.makeReader().messages(MessageQuery(conversation: talk, order: .oldestFirst))
            #expect(page.messages.map(\.id) == [first, second])
            #expect(try engine.makeReader().conversation(talk, includeAvatar: false)?.lastMessage?.id == second)
        }
    }

    @Test func `an archive of changes cannot fill an empty store, not even in a dry run`() throws {
        try save("m1", "one")
        try save("m2", "two")
        let table = RecordTable()
        let file = try source.engine.archive(table, since: 1)
        for isDryRun in [true, false] {
            #expect(throws: StoreError.self) {
                try target.engine.restore(file, table, .fillEmpty, isDryRun: isDryRun)
            }
        }
        #expect(try target.engine.archived().isEmpty)
        try target.engine.restore(file, table, .merge)
    }

    private var alice: ConversationReference {
        get throws { .session(try SessionID("alice")) }
    }

    private func save(_ id: String, _ text: String, _ attachments: [NewAttachment] = []) throws {
        var message = NewMessage(id: try EntityID(id), conversation: try alice, text: text, attachments: attachments)
        message.timestamp = Timestamp(microseconds: 1)
        try source.engine.write(.saveMessage(message))
    }

    /// Checks that an archive with an edit, a status or a reaction of a message does not replace newer settings of the
    /// message's conversation.
    @Test func `changes of a message leave newer settings of its conversation in the target alone`() throws {
        try save("m1", "text")
        let revision = try bring(since: nil).revision
        try target.engine.write(.updateConversation(alice, ConversationUpdate(displayName: "newer", isMuted: true)))
        clocks.pass(seconds: 1)
        let id = try EntityID("m1")
        try source.engine.write(.editMessage(id, text: "edited", editedAt: nil))
        try source.engine.write(.updateMessageStatus([id], .delivered))
        try source.engine.write(
            .addReaction(
                ReactionReference(messageID: id, authorSessionID: try SessionID("x"), emoji: try Emoji("👍"))))
        clocks.pass(seconds: 1)
        try bring(since: revision)
        let conversation = try target.engine.makeReader().conversation(alice, includeAvatar: false)
        #expect(conversation?.displayName == "newer" && conversation?.isMuted == true)
        #expect(try target.engine.archived().contains { if case .reaction = $0 { true } else { false } })
    }

    @Test func `an archive of changes contains changed entities and what they refer to, and nothing else`() throws {
        try FullStore.fill(source.engine)
        let revision = try bring(since: nil).revision
        let nothing = try bring(since: revision).report
        // Log entries have no revision of their own, so an archive contains the entries of the last revision again.
        #expect(nothing.counts[.message] == 0 && nothing.counts[.file] == 0 && nothing.counts[.removal] == 0)
        try source.engine.write(.editMessage(try EntityID("message-3"), text: "edited", editedAt: nil))
        try source.engine.write(.deleteFile(try FilePath(.library, "copy")))
        let report = try bring(since: revision).report
        #expect(report.counts[.message] == 1 && report.counts[.conversation] == 1)
        #expect(report.counts[.contact] == 0 && report.counts[.content] == 0 && report.counts[.file] == 0)
        #expect(report.counts[.removal] == 1 && report.tally.updated[.removal] == 1)
        try expectSame()
    }

    @Test func `a second restore of the same archive of changes changes nothing`() throws {
        try FullStore.fill(source.engine)
        let revision = try bring(since: nil).revision
        try source.engine.write(.deleteConversation(.session(try SessionID("bob"))))
        try source.engine.write(.deleteContact(try SessionID("bob")))
        try save("new", "text", [try AttachmentStore.attachment("new")])
        try bring(since: revision)
        let report = try bring(since: revision).report
        #expect(report.tally.equal == report.counts)
        try expectSame()
    }

    @Test func `entities that changed here after the source removed them are kept`() throws {
        try save("kept", "text")
        try save("gone", "text")
        try source.engine.write(.saveContact(ContactUpdate(sessionID: try SessionID("kept"))))
        try source.engine.write(.saveContact(ContactUpdate(sessionID: try SessionID("gone"))))
        for path in ["d/kept", "e/gone", "kept", "gone"] {
            try source.engine.write(.saveFile(try FilePath(.document, path), [1], createsParents: true))
        }
        let revision = try bring(since: nil).revision
        try source.engine.write(.deleteMessages([try EntityID("kept"), try EntityID("gone")]))
        for name in ["kept", "gone"] {
            try source.engine.write(.deleteContact(try SessionID(name)))
            try source.engine.write(.deleteFile(try FilePath(.document, name)))
        }
        for name in ["d", "e"] {
            try source.engine.write(.removeDirectory(try FilePath(.document, name), withChildren: true))
        }
        clocks.pass(seconds: 1)
        try target.engine.write(.editMessage(try EntityID("kept"), text: "edited here", editedAt: nil))
        try target.engine.write(.saveContact(ContactUpdate(sessionID: try SessionID("kept"), notes: "here")))
        for path in ["d/kept", "kept"] {
            try target.engine.write(.saveFile(try FilePath(.document, path), [2], createsParents: false))
        }
        let report = try bring(since: revision).report
        #expect(report.tally.kept[.removal] == 4 && report.tally.updated[.removal] == 4)
        let reader = target.engine.makeReader()
        #expect(try reader.message(try EntityID("kept"))?.text == "edited here")
        #expect(try reader.message(try EntityID("gone")) == nil)
        #expect(try target.engine.statistics().contactCount == 1)
        #expect(try target.engine.readAll("d/kept", .document) == [2])
        #expect(try target.engine.readAll("kept", .document) == [2])
        #expect(reason { _ = try target.engine.readAll("e/gone", .document) } == .fileNotFound)
        #expect(try expectClean(target.engine) == [])
    }

    @Test func `an archive of changes since a compacted or future revision is refused`() throws {
        try save("m1", "text")
        let table = RecordTable()
        let revision = try source.engine.statistics().revision
        #expect(reason { _ = try source.engine.archive(table, since: revision + 1) } == .revisionAhead)
        try save("m2", "text")
        try source.engine.write(.compactChanges(throughRevision: revision + 1))
        #expect(reason { _ = try source.engine.archive(table, since: revision) } == .changesCompacted)
        let cleared = try source.engine.statistics().revision
        try source.engine.write(.clearAllData)
        #expect(reason { _ = try source.engine.archive(table, since: cleared) } == .changesCompacted)
    }

    @Test func `an archive of everything is damaged if it contains records of changes`() throws {
        let removal = ArchivedRemoval(.message(try EntityID("m")), removedAt: Timestamp(microseconds: 1))
        let draft = ArchivedDraft(
            sessionID: try SessionID("s"), content: DraftContent(text: "text"), updatedAt: Timestamp(microseconds: 1))
        let entries = [
            ArchiveEntry(.removal(removal)), ArchiveEntry(.draft(draft), changedAt: Timestamp(microseconds: 1)),
        ]
        for entry in entries {
            for revision: UInt64 in [0, 1] {
                let table = RecordTable()
                var file: [UInt8] = []
                let header = ArchiveHeader(
                    history: .none, revision: 2, createdAt: Timestamp(microseconds: 1), sinceRevision: revision)
                var writer = ArchiveStreamWriter(header, table, to: &file)
                writer.append(entry, to: &file)
                writer.finish(to: &file)
                let found = reason { try target.engine.restore(file, table, .verify) }
                #expect(found == (revision == 0 ? .archiveDamaged : nil))
            }
        }
    }

    @Test func `a dry run counts paths below files and log entries after gaps as kept`() throws {
        let log = try LogName("log")
        func append(_ count: Int, to engine: StoreEngine) throws {
            for index in 0..<count {
                try engine.write(.appendLog(LogAppend(log: log, expected: nil, messages: [[UInt8(index + 1)]])))
            }
        }
        try source.engine.write(.openLog(log, LogConfiguration(maximumBytes: 100, overwritesOldest: true)))
        try append(2, to: source.engine)
        try bring(since: nil)
        // These entries overwrite the oldest ones, so the target lacks entries before the first one in the archive.
        try append(100, to: source.engine)
        try source.engine.write(.saveFile(try FilePath(.document, "a/b/c"), [1], createsParents: true))
        clocks.pass(seconds: 1)
        try target.engine.write(.createDirectory(try FilePath(.document, "x"), createsParents: true))
        try target.engine.write(.saveFile(try FilePath(.document, "a"), [1], createsParents: false))
        let table = RecordTable()
        let file = try source.engine.archive(table)
        let foretold = try target.engine.restore(file, table, .merge, isDryRun: true)
        #expect(foretold.tally.kept[.logEntry] == foretold.counts[.logEntry])
        #expect(foretold.tally.kept[.file] == 1 && foretold.tally.kept[.directory] == 3)
        #expect(try target.engine.restore(file, table, .merge).tally == foretold.tally)
    }
}

/// The records of an archive, grouped by the entity that they belong to. The order of the groups is not compared,
/// because it depends on row numbers, which differ between stores.
private struct ContentOfArchive {
    private var groups: [String: [ArchiveRecord]] = [:]

    func firstDifference(from other: ContentOfArchive) -> String? {
        let names = Set(groups.keys).union(other.groups.keys).sorted()
        guard let name = names.first(where: { groups[$0] != other.groups[$0] }) else { return nil }
        let (own, others) = (groups[name] ?? [], other.groups[name] ?? [])
        let index = zip(own, others).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        guard let index else { return "\(name): \(own.count) and \(others.count) records, \(own), \(others)" }
        return "\(name): \(own[index]) and \(others[index])"
    }

    init(_ records: [ArchiveRecord]) {
        var owner = ""
        for record in records {
            switch record {
            case .conversation(let conversation): owner = "conversation \(conversation.sessionID)"
            case .content(let content): owner = "content \(content.digest.hexadecimal)"
            case .log(let log): owner = "log \(log.name)"
            case .contact(let contact): owner = "contact \(contact.sessionID)"
            case .draft(let draft): owner = "draft \(draft.sessionID)"
            case .file(let file): owner = "file \(file.path.text)"
            case .message, .reaction, .logEntry, .filePiece: break
            default: owner = "other"
            }
            groups[owner, default: []].append(record)
        }
    }
}
