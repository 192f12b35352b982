import Foundation
import StoreClient
import Testing

@Suite struct CodableTests {
    private let time = Timestamp(microseconds: 1_732_161_241_000_250)
    private let history = HistoryID(bytes: [UInt8](repeating: 0xfe, count: 16))

    /// Checks that a value survives JSON. It compiles only if the type is Codable, Hashable and Sendable, as
    /// applications expect.
    private func expectSame<Value: Codable & Hashable & Sendable>(_ value: Value) throws {
        #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `models survive JSON unchanged`() throws {
        let message = Message(
            id: "m", conversationID: "c", text: "t\u{e9}", senderSessionID: "05a", timestamp: time, status: .failed,
            attachmentType: "image/png", createdAt: time, editedAt: time)
        try expectSame(message)
        try expectSame(NewMessage(id: "n", conversation: .sessionID("05a"), text: "t", timestamp: time))
        try expectSame(
            Conversation(
                id: "c", sessionID: "05a", avatar: [1, 2],
                lastMessage: LastMessage(id: "m", text: "t", timestamp: time), createdAt: time, updatedAt: time,
                lastActivityAt: time))
        try expectSame(Change(revision: .max, kind: .message, operation: .created, id: "m", committedAt: time))
        try expectSame(
            Log(
                name: "l", configuration: LogConfiguration(maximumBytes: 64, overwritesOldest: true), createdAt: time,
                sequences: 1...9))
        try expectSame(LogEntry(sequence: 1, data: [0, 255], metadata: Metadata(data: [255, 0], type: "a/b")))
        try expectSame(MessageQuery(conversation: .id("c"), limit: 3, order: .oldestFirst))
        try expectSame([Timestamp(microseconds: .min), Timestamp(microseconds: .max)])
        try expectSame(Contact(id: "c", sessionID: "05a", notes: "n", createdAt: time, updatedAt: time))
        try expectSame(SceneEntry(key: "k", value: .double(3), tier: .global, revision: 7, updatedAt: time))
        try expectSame(SceneSummary(scene: "main", keyCount: 2, updatedAt: time))
        try expectSame(Commit(revision: 1, ids: ["m"], valueRevisions: [0, 1]))
        try expectSame(IdempotencyKey())
        try expectSame(StorePosition(revision: .max, historyID: history))
        try expectSame(AppendedEntries(sequences: 3...4))
    }

    @Test func `status, statistics and other reports survive JSON unchanged`() throws {
        try expectSame(Status(storeState: .databaseDamaged, revision: .max, historyID: history, journalBytes: 1))
        for state in StoreState.allCases {
            try expectSame(state)
        }
        try expectSame(
            ServerInfo(protocolVersion: 1, serverVersion: "0.1.0", frameBytesMax: 1, userID: .max, historyID: history))
        try expectSame(Statistics(messageCount: 3, revision: 4))
        try expectSame(CheckReport(isClean: false, findings: ["f"]))
        try expectSame(KeySlot(number: 1, kind: .recoveryCode, label: "l", createdAt: time, memoryBytes: 1 << 30))
        try expectSame(Backup(kind: .replacedStore, name: "b", bytes: 9, createdAt: time, revision: 4))
        try expectSame(BackupReport(findings: ["f"], statistics: Statistics()))
        try expectSame(BlobImportReport(contentBytes: 4, contentID: "00", oldest: time))
        try expectSame(WorkProgress(done: 1, total: nil))
    }

    @Test func `filters and pages survive JSON unchanged`() throws {
        try expectSame(WatchFilter(kinds: [.log], conversation: .id("c"), scene: "main"))
        try expectSame(MessageFilter(from: time, status: .sent, isRead: false))
        try expectSame(ConversationFilter(isPinned: true))
        try expectSame(ContactFilter(isBlocked: false))
        try expectSame(BlobFilter(until: time, senderSessionID: "05a"))
        try expectSame(MessagePage(messages: [], firstCursor: "f", hasMore: true))
        try expectSame(ConversationPage(conversations: [], nextCursor: "n"))
        try expectSame(ContactPage(contacts: []))
        try expectSame(ChangePage(changes: [], revision: 4, historyID: history))
        let log = Log(
            name: "l", configuration: LogConfiguration(maximumBytes: 64, overwritesOldest: true), createdAt: time)
        try expectSame(LogPage(logs: [log], nextCursor: "n"))
        try expectSame(
            LogEntryPage(
                entries: [], log: log, identity: history.map { LogIdentity(historyID: $0, createdRevision: 2) }))
        try expectSame(SceneEntryPage(entries: [], revision: 2, historyID: history))
        try expectSame(ScenePage(scenes: []))
    }

    @Test(arguments: [
        (SceneValue.string("5"), #"{"string":"5"}"#), (.integer(5), #"{"integer":5}"#), (.float(5), #"{"float":5}"#),
        (.double(5), #"{"double":5}"#), (.bool(true), #"{"bool":true}"#), (.url("a:b"), #"{"url":"a:b"}"#),
        (.data([0, 255]), #"{"data":[0,255]}"#), (.date(Timestamp(microseconds: -1)), #"{"date":-1}"#),
        (.array([.integer(1), .array([])]), #"{"array":[{"integer":1},{"array":[]}]}"#),
        (.dictionary(["k": .bool(false)]), #"{"dictionary":{"k":{"bool":false}}}"#),
    ])
    func `a scene's value keeps its kind in JSON`(_ value: SceneValue, _ json: String) throws {
        #expect(try text(value) == json)
        try expectSame(value)
    }

    @Test(arguments: [
        #"{}"#, #"{"integer":1,"double":1}"#, #"{"integer":1.5}"#, #"{"integer":9223372036854775808}"#,
        #"{"data":[256]}"#, #"{"array":[{}]}"#, #"{"integer":null}"#,
    ])
    func `JSON that is not a scene value is refused`(_ json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(SceneValue.self, from: Data(json.utf8)) }
    }

    @Test(arguments: [(7, false), (8, true), (64, true), (65, false)])
    func `an idempotency key is read with 8 to 64 bytes`(count: Int, isAllowed: Bool) throws {
        let bytes = [UInt8](repeating: 1, count: count)
        let key = try? JSONDecoder().decode(IdempotencyKey.self, from: Data(try text(bytes).utf8))
        #expect(key == IdempotencyKey(bytes: bytes))
        #expect((key != nil) == isAllowed)
    }

    @Test func `enumerations are encoded as words in JSON`() throws {
        let change = Change(
            revision: 1, kind: .sceneValue, operation: .cleared, id: "k", committedAt: Timestamp(microseconds: 5))
        #expect(
            try text(change)
                == #"{"committedAt":5,"id":"k","kind":"sceneValue","operation":"cleared","revision":1}"#)
        #expect(try text(ConversationReference.id("c")) == #"{"id":"c"}"#)
        #expect(try text(ConversationReference.sessionID("c")) == #"{"sessionID":"c"}"#)
        #expect(try text([StoreState.readOnly]) == #"["readOnly"]"#)
    }

    @Test(arguments: [0, 1, -1, 1_732_161_241_000_250, -62_135_596_800_000_000, 4_102_444_800_999_999] as [Int64])
    func `a timestamp survives conversion to a date, within its precision`(microseconds: Int64) {
        let timestamp = Timestamp(microseconds: microseconds)
        let back = Timestamp(timestamp.date)
        #expect(abs(back.microseconds - microseconds) <= 8, "a date has 53 bits")
        #expect(microseconds < 0 || back == timestamp)
    }

    @Test func `a date outside the range does not trap`() {
        #expect(Timestamp(Date.distantFuture) > Timestamp.now)
        #expect(Timestamp(Date(timeIntervalSince1970: 1e300)) == Timestamp(microseconds: .max))
        #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)) == Timestamp(microseconds: .min))
        #expect(Timestamp(Date(timeIntervalSince1970: .nan)) == Timestamp(microseconds: 0))
    }
}
