import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of the version that a merge keeps, for each kind of entity.
@Suite struct MergeTests {
    private let clocks = FakeClocks()

    /// Creates two stores with the same content, then changes the first one, and ten seconds later the second one.
    private func stores(
        _ common: (StoreEngine) throws -> Void, earlier: (StoreEngine) throws -> Void,
        later: (StoreEngine) throws -> Void
    ) throws -> (early: TemporaryStore, late: TemporaryStore) {
        let (early, late) = (try TemporaryStore(clocks: clocks.clocks), try TemporaryStore(clocks: clocks.clocks))
        try common(early.engine)
        let table = RecordTable()
        try late.engine.restore(early.engine.archive(table), table, .fillEmpty)
        clocks.pass(seconds: 10)
        try earlier(early.engine)
        clocks.pass(seconds: 10)
        try later(late.engine)
        return (early, late)
    }

    /// Merges each store into a copy of the other. Both results must have the same content.
    private func mergeBothWays(
        _ early: TemporaryStore, _ late: TemporaryStore
    ) throws -> (intoEarly: RestoreReport, intoLate: RestoreReport) {
        let (earlyTable, lateTable) = (RecordTable(), RecordTable())
        let (earlyFile, lateFile) = (try early.engine.archive(earlyTable), try late.engine.archive(lateTable))
        let foretold = try late.engine.restore(earlyFile, earlyTable, .merge, isDryRun: true)
        let intoLate = try late.engine.restore(earlyFile, earlyTable, .merge)
        #expect(foretold.tally == intoLate.tally)
        let intoEarly = try early.engine.restore(lateFile, lateTable, .merge)
        #expect(try expectClean(early.engine) == [])
        #expect(try expectClean(late.engine) == [])
        return (intoEarly, intoLate)
    }

    @Test func `a merge keeps the later version of contacts, conversations and drafts`() throws {
        let alice = try SessionID("alice")
        let (early, late) = try stores { engine in
            try engine.write(.saveContact(ContactUpdate(sessionID: alice, displayName: "Alice")))
            try engine.write(.getOrCreateConversation(alice, id: nil, displayName: "Alice"))
            try engine.write(.saveDraft(NewDraft(conversation: .session(alice), content: DraftContent(text: "one"))))
        } earlier: { engine in
            try engine.write(.saveContact(ContactUpdate(sessionID: alice, notes: "early")))
            try engine.write(.updateConversation(.session(alice), ConversationUpdate(isMuted: true)))
            try engine.write(.saveDraft(NewDraft(conversation: .session(alice), content: DraftContent(text: "two"))))
        } later: { engine in
            try engine.write(.saveContact(ContactUpdate(sessionID: alice, displayName: "Alicia", avatar: [1])))
            try engine.write(.updateConversation(.session(alice), ConversationUpdate(isPinned: true)))
            try engine.write(.saveDraft(NewDraft(conversation: .session(alice), content: DraftContent(text: "three"))))
        }
        let before = try late.engine.archived()
        let (intoEarly, intoLate) = try mergeBothWays(early, late)
        for kind in [ArchiveKind.contact, .conversation, .draft] {
            #expect(intoEarly.tally.updated[kind] == 1)
            #expect(intoLate.tally.kept[kind] == 1)
        }
        #expect(try late.engine.archived() == before)
        #expect(try early.engine.archived() == before)
    }

    @Test func `a merge keeps the later text of a message, and the furthest status of both stores`() throws {
        let ids = try (0..<4).map { try EntityID("m\($0)") }
        let (early, late) = try stores { engine in
            for id in ids {
                try engine.write(
                    .saveMessage(
                        NewMessage(
                            id: id, conversation: .session(try SessionID("alice")), text: "text", status: .sent)))
            }
        } earlier: { engine in
            try engine.write(.editMessage(ids[0], text: "early", editedAt: nil))
            try engine.write(.markMessagesRead([ids[1]]))
            try engine.write(
                .addReaction(
                    ReactionReference(
                        messageID: ids[2], authorSessionID: try SessionID("early"), emoji: try Emoji("👍"))))
            try engine.write(.saveMessage(NewMessage(conversation: .session(try SessionID("bob")), text: "only early")))
        } later: { engine in
            try engine.write(.editMessage(ids[0], text: "late", editedAt: nil))
            try engine.write(.updateMessageStatus([ids[1]], .delivered))
            try engine.write(
                .addReaction(
                    ReactionReference(
                        messageID: ids[2], authorSessionID: try SessionID("late"), emoji: try Emoji("👍"))))
        }
        let (intoEarly, intoLate) = try mergeBothWays(early, late)
        #expect(intoEarly.tally.updated[.message] == 2)
        #expect(intoEarly.tally.added[.reaction] == 1)
        #expect(intoLate.tally.updated[.message] == 1)
        #expect(intoLate.tally.added[.message] == 1)
        #expect(intoLate.tally.kept[.message] == 1)
        #expect(intoLate.tally.equal[.message] == 2)
        for store in [early, late] {
            let reader = store.engine.makeReader()
            #expect(try reader.message(ids[0])?.text == "late")
            #expect(try reader.message(ids[1])?.isRead == true)
            #expect(try reader.message(ids[1])?.status == .delivered)
            #expect(try reader.reactions(to: ids[2], limit: 10, cursor: nil).reactions.count == 2)
            #expect(try store.engine.statistics().messageCount == 5)
        }
    }

    @Test func `a merge joins values, logs and files of both stores`() throws {
        let log = try LogName("log")
        func append(_ texts: String..., to engine: StoreEngine) throws {
            try engine.write(.appendLog(LogAppend(log: log, expected: nil, messages: texts.map { Array($0.utf8) })))
        }
        func set(_ key: String, _ value: UInt8, _ engine: StoreEngine) throws {
            try engine.write(
                .setSceneValues(.globalOnly, [SceneChange(key: try SceneKey(key), value: [value])], conditions: []))
        }
        func save(_ path: String, _ text: String, _ engine: StoreEngine) throws {
            try engine.write(
                .saveFile(try FilePath(.document, path), Array(text.utf8), createsParents: true))
        }
        let (early, late) = try stores { engine in
            try engine.write(.openLog(log, LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)))
            try append("one", "two", to: engine)
            try set("both", 1, engine)
            try save("a/both", "common", engine)
        } earlier: { engine in
            try append("three", to: engine)
            try set("both", 2, engine)
            try set("early", 1, engine)
            try save("a/both", "early", engine)
            try save("a/early", "early", engine)
        } later: { engine in
            try append("drei", "vier", to: engine)
            try set("both", 3, engine)
            try save("a/both", "late", engine)
            try save("b", "late", engine)
        }
        let (intoEarly, intoLate) = try mergeBothWays(early, late)
        #expect(intoLate.tally.kept[.logEntry] == 1)
        #expect(intoLate.tally.kept[.file] == 1)
        #expect(intoLate.tally.added[.file] == 1)
        #expect(intoLate.tally.added[.sceneValue] == 1)
        #expect(intoEarly.tally.kept[.logEntry] == 1)
        #expect(intoEarly.tally.added[.logEntry] == 1)
        #expect(intoEarly.tally.updated[.file] == 1)
        #expect(intoEarly.tally.updated[.sceneValue] == 1)
        for store in [early, late] {
            #expect(try store.engine.readAll("a/both", .document) == Array("late".utf8))
            #expect(try store.engine.readAll("a/early", .document) == Array("early".utf8))
            #expect(try store.engine.readAll("b", .document) == Array("late".utf8))
        }
    }

    @Test(arguments: [true, false])
    func `a merge restores a large file completely after a small one that it does not replace`(isThereBefore: Bool)
        throws
    {
        let (first, second) = (try TemporaryStore(clocks: clocks.clocks), try TemporaryStore(clocks: clocks.clocks))
        func save(_ name: String, _ bytes: [UInt8], _ engine: StoreEngine) throws {
            guard bytes.count > EngineLimits.inlineFileBytesMax else {
                try engine.write(.saveFile(try FilePath(.document, name), bytes, createsParents: false))
                return
            }
            let request = FileWriteRequest(path: try FilePath(.document, name), place: .whole)
            guard case .begun(let id) = try engine.fileWrite(.begin(request)) else {
                throw StoreError(.internal, "a write begins with its id")
            }
            try engine.fileWrite(.write(id, offset: 0, data: bytes))
            try engine.fileWrite(.finish(id))
        }
        let large = Array(FullStore.largeFile.reversed())
        if isThereBefore {
            try save("b", FullStore.largeFile, second.engine)
            clocks.pass(seconds: 1)
        }
        try save("a", [1], first.engine)
        try save("b", large, first.engine)
        try save("c", [1], first.engine)
        clocks.pass(seconds: 1)
        try save("a", [2], second.engine)
        let table = RecordTable()
        let report = try second.engine.restore(first.engine.archive(table), table, .merge)
        #expect(report.tally.kept[.file] == 1 && report.tally.added[.file] == (isThereBefore ? 1 : 2))
        try second.engine.waitForCleaning()
        #expect(try second.engine.readAll("b", .document) == large)
        #expect(try second.engine.readAll("a", .document) == [2])
        #expect(try TestFile.all(below: second.path + "/state/vault").count == 1)
        #expect(try expectClean(second.engine) == [])
    }

    @Test func `a message without its former timer stays, and so do messages beyond a stricter rule`()
        throws
    {
        let (first, second) = (try TemporaryStore(clocks: clocks.clocks), try TemporaryStore(clocks: clocks.clocks))
        let (alice, id) = (try SessionID("alice"), try EntityID("m"))
        let timer = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .sending)
        var message = NewMessage(id: id, conversation: .session(alice), text: "text", timer: .timer(timer))
        try first.engine.write(.saveMessage(message))
        let table = RecordTable()
        let file = try first.engine.archive(table)
        try second.engine.restore(file, table, .fillEmpty)
        message.timer = .none
        try second.engine.write(.saveMessage(message))
        try second.engine.write(.saveMessage(NewMessage(conversation: .session(alice), text: "another")))
        clocks.pass(seconds: 10)
        try first.engine.write(
            .updateConversation(
                .session(alice),
                ConversationUpdate(retention: RetentionUpdate(all: ConversationRetention(keepCount: 1)))))
        let later = RecordTable()
        try second.engine.restore(try first.engine.archive(later), later, .merge)
        clocks.pass(seconds: 100)
        _ = try second.engine.commit(.removeDueMessages)
        #expect(try second.engine.makeReader().message(id)?.text == "text")
        #expect(try second.engine.statistics().messageCount == 2)
        #expect(try expectClean(second.engine) == [])
    }

    @Test func `an expired message is not restored, and a timer that runs continues`() throws {
        let first = try TemporaryStore(clocks: clocks.clocks)
        let timer = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .sending)
        try first.engine.write(
            .saveMessage(
                NewMessage(
                    id: try EntityID("m"), conversation: .session(try SessionID("alice")), text: "text",
                    timer: .timer(timer))))
        let table = RecordTable()
        let file = try first.engine.archive(table)
        clocks.pass(seconds: 30)
        let second = try TemporaryStore(clocks: clocks.clocks)
        try second.engine.restore(file, table, .fillEmpty)
        #expect(try second.engine.archived() == table.content)
        clocks.pass(seconds: 31)
        #expect(try second.engine.makeReader().message(try EntityID("m")) == nil)
        let third = try TemporaryStore(clocks: clocks.clocks)
        let report = try third.engine.restore(file, table, .fillEmpty)
        #expect(report.tally.kept[.message] == 1)
        #expect(try third.engine.statistics().messageCount == 0)
    }

    @Test func `ids that belong to other entities here are replaced`() throws {
        let (first, second) = (try TemporaryStore(), try TemporaryStore())
        let id = try EntityID("id")
        let (alice, bob) = (try SessionID("alice"), try SessionID("bob"))
        try first.engine.write(.getOrCreateConversation(alice, id: id, displayName: nil))
        try first.engine.write(.saveContact(ContactUpdate(sessionID: alice, id: id)))
        try first.engine.write(.saveMessage(NewMessage(conversation: .id(id), text: "text")))
        try second.engine.write(.getOrCreateConversation(bob, id: id, displayName: nil))
        try second.engine.write(.saveContact(ContactUpdate(sessionID: bob, id: id)))
        let table = RecordTable()
        let report = try second.engine.restore(first.engine.archive(table), table, .merge)
        #expect(report.tally.added == report.counts)
        let reader = second.engine.makeReader()
        #expect(try reader.conversation(.session(alice), includeAvatar: false)?.messageCount == 1)
        #expect(try reader.conversation(.id(id), includeAvatar: false)?.sessionID == bob)
        #expect(try second.engine.statistics().contactCount == 2)
        #expect(try expectClean(second.engine) == [])
    }
}
