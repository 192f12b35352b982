import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that no earlier content can be found after everything was cleared.
@Suite struct ClearingTests {
    private static let planted = "planted"

    private let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    /// Writes a marked name into every table and into every kind of stored answer.
    private func plant() throws {
        let (session, log) = (try SessionID("planted-session"), try LogName("planted-log"))
        let scene = SceneTiers.sceneAndGlobal(try SceneName("planted-scene"))
        let mutations: [Mutation] = [
            .getOrCreateConversation(session, id: try EntityID("planted-id"), displayName: "planted name"),
            .updateConversation(
                .session(session),
                ConversationUpdate(
                    avatar: Array("planted".utf8), metadata: try Metadata(data: Array("planted".utf8), type: ""))),
            .setMembers(.session(session), [ConversationMember(sessionID: session)]),
            .saveMessages([NewMessage(id: try EntityID("planted-m"), conversation: .session(session), text: "planted")]
            ),
            .addReaction(
                ReactionReference(
                    messageID: try EntityID("planted-m"), authorSessionID: session, emoji: try Emoji("👍"))),
            .saveDraft(NewDraft(conversation: .session(session), content: DraftContent(text: "planted"))),
            .saveContact(
                ContactUpdate(
                    sessionID: session, avatar: Array("planted".utf8), notes: "planted",
                    metadata: try Metadata(data: Array("planted".utf8), type: ""))),
            .setSceneValues(
                scene, [SceneChange(key: try SceneKey("planted-key"), value: Array("planted".utf8))], conditions: []),
            .openLog(log, LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)),
            .appendLog(
                LogAppend(
                    log: log, expected: nil, messages: [Array("planted".utf8)],
                    metadata: [try Metadata(data: Array("planted".utf8), type: "")])),
            .saveFile(try FilePath(.document, "planted"), Array("planted".utf8), createsParents: false),
        ]
        for (number, mutation) in mutations.enumerated() {
            try store.engine.write(mutation, key: IdempotencyKey("planted-\(number)"))
        }
    }

    /// Returns the tables in which any column of any row contains the marked name.
    private func markedTables() throws -> Set<String> {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            var marked: Set<String> = []
            for table in try Self.texts("SELECT name FROM sqlite_master WHERE type = 'table'", 0, connection) {
                for column in try Self.texts("PRAGMA table_info('\(table)')", 1, connection) {
                    let count = try mapped(
                        connection.integer(
                            """
                            SELECT count(*) FROM "\(table)"
                            WHERE instr(CAST("\(column)" AS BLOB), CAST('\(Self.planted)' AS BLOB)) > 0
                            """))
                    if count != 0 {
                        marked.insert(table)
                    }
                }
            }
            return marked
        }
    }

    private static func texts(_ sql: String, _ column: Int, _ connection: Connection) throws(StoreError) -> [String] {
        let statement = try mapped(connection.prepare(sql))
        defer { statement.finalize() }
        var texts: [String] = []
        while try mapped(statement.step()) {
            texts.append(try mapped(statement.text(column)))
        }
        return texts
    }

    @Test func `no table and no change contains anything that was cleared`() throws {
        try plant()
        #expect(
            try markedTables() == [
                "conversations", "conversation_avatars", "conversation_metadata", "conversation_members",
                "conversation_drafts", "messages", "contacts", "contact_avatars", "contact_metadata", "changes",
                "reactions", "idempotency_keys", "scene_values", "logs", "log_entries", "files", "file_contents",
            ])
        let before = try store.engine.statistics().revision
        let commit = try store.engine.commit(.clearAllData, key: IdempotencyKey("clearing"))
        // The clear deletes a conversation, a draft, a message, a contact, a value in two tiers, a log and a file.
        #expect(commit.deletedCount == 8 && commit.revision == before + 1)
        #expect(
            try markedTables().allSatisfy {
                ["messages", "log_entries", "changes"].contains($0) || $0.hasPrefix("cleared")
            }
        )
        #expect(try eventually { try markedTables().isEmpty })
        let reader = store.engine.makeReader()
        let changes = try reader.changes(after: before, limit: 10).changes
        #expect(changes.map(\.kind) == [.store] && changes.map(\.operation) == [.cleared])
        let error = #expect(throws: StoreError.self) { try reader.changes(after: before - 1, limit: 10) }
        #expect(error?.reason == .changesCompacted)
        #expect(try store.engine.commit(.clearAllData, key: IdempotencyKey("clearing")).isReplayed)
        #expect(try expectClean(store.engine) == [])
        try store.reopen()
        #expect(try markedTables() == [])
        #expect(try store.engine.statistics().revision == before + 1)
        #expect(try store.engine.statistics().compactedThroughRevision == before)
    }

    @Test func `writes after a clear in the same commit are kept, and writes before it are not`() throws {
        let contact = { (name: String) throws in Mutation.saveContact(ContactUpdate(sessionID: try SessionID(name))) }
        let mutations = [try contact("planted"), .clearAllData, try contact("kept")]
        let outcomes = mutations.map { _ in OneShot<Result<MutationResult, StoreError>>() }
        // The writer is held, so that one batch contains all three requests.
        try store.engine.writer.perform { [engine = store.engine] _ throws(StoreError) in
            for (mutation, outcome) in zip(mutations, outcomes) {
                engine.submit(WriteRequest(mutation)) { outcome.set($0) }
            }
        }
        for outcome in outcomes {
            _ = try outcome.wait().get()
        }
        #expect(try eventually { try markedTables().isEmpty })
        let changes = try store.engine.makeReader().changes(after: 1, limit: 10).changes
        #expect(changes.map(\.revision) == [2, 3] && changes.map(\.kind) == [.store, .contact])
        #expect(try store.engine.statistics().contactCount == 1)
        #expect(try expectClean(store.engine) == [])
        try store.reopen()
        #expect(try store.engine.statistics().revision == 3)
    }

    @Test func `a clear that deletes nothing removes the names of entities that were deleted earlier`() throws {
        try plant()
        try store.engine.write(.deleteConversation(.session(try SessionID("planted-session"))))
        try store.engine.write(.deleteContact(try SessionID("planted-session")))
        try store.engine.write(.removeScene(try SceneName("planted-scene")))
        try store.engine.write(
            .setSceneValues(.globalOnly, [SceneChange(key: try SceneKey("planted-key"), value: nil)], conditions: []))
        try store.engine.write(.deleteLog(try LogName("planted-log")))
        try store.engine.write(.removeDirectory(.root(of: .document), withChildren: true))
        #expect(try eventually { try markedTables() == ["changes", "idempotency_keys"] })
        #expect(try store.engine.commit(.clearAllData).deletedCount == 0)
        #expect(try eventually { try markedTables().isEmpty })
    }

    /// Checks that the cleared rows may wait for their removal while the store is used, cleared again, and opened
    /// again.
    @Test func `a clear of very many rows removes few of them in its commit, and all readers see an empty store`()
        throws
    {
        let count = 20_000
        let engine = store.engine
        try plant()
        try engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute(Self.manyRows(count)))
        }
        let schema = try definitions()
        let gate = OneShot<Bool>()
        let rowsBehind = OneShot<Int?>()
        try engine.writer.hold(until: gate)
        engine.submit(WriteRequest(.clearAllData)) { _ in }
        try OwnThread.start {
            let rows = try? engine.writer.perform { context throws(StoreError) in
                try Self.rowsLeft(try context.openConnection())
            }
            rowsBehind.set(rows)
        }
        #expect(eventually { engine.writer.waitingCount == 2 })
        gate.set(true)
        let rows = try #require(rowsBehind.wait())
        #expect(rows > count, "the commit and one step behind it left \(rows) of \(2 * count) rows")
        let reader = engine.makeReader()
        #expect(try reader.scenes(limit: 10, cursor: nil).scenes.isEmpty)
        #expect(try reader.conversations(ConversationQuery(limit: 10)).conversations.isEmpty)
        #expect(try expectClean(engine) == [])
        try plant()
        #expect(try engine.commit(.clearAllData).deletedCount == 8)
        try plant()
        try store.reopen()
        #expect(try expectClean(store.engine) == [])
        #expect(
            try eventually {
                try store.engine.writer.perform { context throws(StoreError) in
                    try Self.rowsLeft(try context.openConnection()) == 0 && !context.hasRowsToRemove
                }
            })
        // The tables equal the tables of a new store. Only names of indexes may differ.
        #expect(try definitions() == schema)
        let conversations = try store.engine.makeReader().conversations(ConversationQuery(limit: 10)).conversations
        #expect(conversations.map(\.messageCount) == [1])
        #expect(try expectClean(store.engine) == [])
    }

    private static func manyRows(_ count: Int) -> String {
        let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))"
        return """
            \(numbers) INSERT INTO conversations (number, id, session_id, created_at, updated_at, last_activity_at)
                SELECT 1000000 + x, 'c' || x, 's' || x, x, x, x FROM n;
            \(numbers) INSERT INTO scene_values (scene, key, revision, updated_at, value)
            SELECT 'large', 'k' || x, 1, 1, x'01' FROM n
            """
    }

    /// Returns the number of rows in cleared tables, which readers cannot reach any more.
    private static func rowsLeft(_ connection: Connection) throws(StoreError) -> Int {
        var count: Int64 = 0
        for table in try texts("SELECT name FROM sqlite_master WHERE name GLOB 'cleared_*'", 0, connection) {
            count += try mapped(connection.integer("SELECT count(*) FROM \(table)")) ?? 0
        }
        return Int(count)
    }

    /// Returns the statements that create the tables, and the columns of the indexes.
    private func definitions() throws -> Set<String> {
        try store.engine.writer.perform { context throws(StoreError) in
            let sql = """
                SELECT CASE type WHEN 'index' THEN substr(sql, instr(sql, ' ON ')) ELSE sql END FROM sqlite_master
                WHERE sql IS NOT NULL
                """
            return Set(try Self.texts(sql, 0, try context.openConnection()))
        }
    }
}
