import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests numbers that no version of the program writes, as a malicious backup may contain them if its author has the
/// key. In every column the integrity check must continue after such a number, and a store that passes the check must
/// be usable.
@Suite struct ImpossibleNumberTests {
    private struct Place: Sendable, CustomStringConvertible {
        let table: String
        let column: String
        let value: Int64

        var sql: String { "UPDATE OR IGNORE \(table) SET \(column) = \(value)" }
        var description: String { "\(table).\(column) = \(value)" }
    }

    private static let values: [Int64] = [.min, -1, .max]

    private let specimen: [String: [UInt8]]

    /// Fills a row in every table.
    init() throws {
        let store = try TemporaryStore()
        let engine = store.engine
        let year = try RetentionPeriod(milliseconds: 366 * 86_400_000)
        let timer = MessageTimer(lifetime: year, start: .sending)
        let retention = ConversationRetention(messageTimer: timer, keepFor: year, keepCount: 100)
        for (session, id) in [("05gone", "m0"), ("05peer", "m1")] {
            let session = try SessionID(session)
            try engine.write(
                .saveMessage(NewMessage(id: EntityID(id), conversation: .session(session), text: "text")),
                key: IdempotencyKey("key-of-\(id)"))
            try engine.write(
                .updateConversation(
                    .session(session),
                    ConversationUpdate(displayName: "name", avatar: [1], retention: RetentionUpdate(all: retention))))
            try engine.write(.saveMessage(NewMessage(conversation: .session(session), text: "timed")))
        }
        try engine.write(.saveContact(ContactUpdate(sessionID: try SessionID("05peer"), avatar: [1])))
        try engine.write(
            .setSceneValues(
                .sceneOnly(SceneName("scene")), [SceneChange(key: try SceneKey("key"), value: [1])], conditions: []))
        for overwritesOldest in [false, true] {
            let log = try LogName("log-\(overwritesOldest)")
            try engine.write(
                .openLog(log, LogConfiguration(maximumBytes: 1_000, overwritesOldest: overwritesOldest)))
            try engine.write(.appendLog(LogAppend(log: log, expected: nil, messages: [[1, 2], [3]])))
        }
        try engine.write(.openLog(LogName("empty"), LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)))
        specimen = try StoreSpecimen.image(of: store)
    }

    /// The statement that inserts a row into `removals`. The specimen does not have this row, because an open store may
    /// remove it at any time.
    private static let removal = "INSERT INTO removals SELECT 1, max(last_revision), max(last_revision) FROM changes"

    private static func places(_ connection: Connection) throws(StoreError) -> [Place] {
        let names = try mapped(connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'"))
        var tables: [String] = []
        while try mapped(names.step()) {
            tables.append(try mapped(names.text(0)))
        }
        var places: [Place] = []
        for table in tables {
            let columns = try mapped(connection.prepare("PRAGMA table_info(\(table))"))
            while try mapped(columns.step()) {
                let column = try mapped(columns.text(1))
                guard try mapped(columns.text(2)) == "INTEGER", column != "singleton" else { continue }
                places += Self.values.map { Place(table: table, column: column, value: $0) }
            }
        }
        return places
    }

    @Test func `the check reports an impossible number, or the store can be used with it`() throws {
        let store = try TemporaryStore(placing: specimen)
        let passed = try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("PRAGMA foreign_keys = OFF; \(Self.removal)"))
            context.hasRowsToRemove = false
            var passed: [Place] = []
            for place in try Self.places(connection) {
                try mapped(connection.execute("BEGIN; " + place.sql))
                defer { connection.rollBack() }
                if try IntegrityCheck.report(on: connection).isClean {
                    passed.append(place)
                }
            }
            return passed
        }
        #expect(passed.count > 40)
        for value in Self.values {
            try use(passed.filter { $0.value == value })
        }
    }

    /// Uses every part of the store. No call may end the process.
    private func use(_ places: [Place]) throws {
        let store = try TemporaryStore(placing: specimen)
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute(([Self.removal] + places.map(\.sql)).joined(separator: "; ")))
            context.hasRowsToRemove = false
        }
        try store.engine.lock()
        _ = try store.engine.unlock(secret: TemporaryStore.keyFile())
        #expect(store.engine.state == .open, "\(places)")
        Self.read(store.engine)
        for (index, mutation) in try Self.mutations().enumerated() {
            let failure = reason { try store.engine.write(mutation, key: IdempotencyKey("key of use \(index)")) }
            #expect(failure != .databaseDamaged && failure != .internal, "\(mutation): \(String(describing: failure))")
        }
        Self.read(store.engine)
    }

    private static func mutations() throws -> [Mutation] {
        let peer = ConversationReference.session(try SessionID("05peer"))
        let gone = ConversationReference.session(try SessionID("05gone"))
        let ids = [try EntityID("m0"), try EntityID("m1")]
        let contact = try SessionID("05peer")
        return [
            .saveMessages((0..<3).map { _ in NewMessage(conversation: peer, text: "new") }),
            .editMessage(ids[1], text: "edited", editedAt: nil), .updateMessageStatus(ids, .failed),
            .markMessagesRead([ids[0]]), .markConversationRead(peer), .deleteMessages([ids[1]]),
            .deleteConversation(gone), .updateConversation(peer, ConversationUpdate(isPinned: true)),
            .saveContact(ContactUpdate(sessionID: contact, displayName: "other")), .deleteContact(contact),
            .setSceneValues(
                .sceneOnly(try SceneName("scene")), [SceneChange(key: try SceneKey("key"), value: [2])],
                conditions: []),
            .removeScene(try SceneName("scene")),
        ]
            + (try ["log-false", "log-true", "empty"].flatMap { name -> [Mutation] in
                let log = try LogName(name)
                return [
                    .openLog(log, LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)),
                    .appendLog(LogAppend(log: log, expected: nil, messages: [[1]])), .deleteLog(log),
                ]
            }) + [.compactChanges(throughRevision: 3), .clearAllData]
    }

    private static func read(_ engine: StoreEngine) {
        let reader = engine.makeReader()
        let peer = ConversationReference.session(SessionID(trusted: "05peer"))
        _ = try? reader.messages(MessageQuery(conversation: peer))
        _ = try? reader.conversation(peer, includeAvatar: true)
        _ = try? reader.changes(after: 0, limit: 100)
        _ = try? reader.logEntries(LogQuery(log: LogName(trusted: "log-true")))
        _ = try? reader.logEntries(LogQuery(log: LogName(trusted: "log-false")))
        _ = try? reader.message(EntityID(trusted: "m1"))
        _ = engine.storage()
    }
}
