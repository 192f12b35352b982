import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests mutations that take several commits, and deletes after which the writer removes the rows step by step.
@Suite struct LongWorkTests {
    private let store: TemporaryStore
    private let alice = ConversationReference.session(SessionID(trusted: "alice"))
    private let bob = ConversationReference.session(SessionID(trusted: "bob"))

    init() throws {
        store = try TemporaryStore()
    }

    /// Saves messages with the ids "m0" and so on.
    private func fill(
        _ conversation: ConversationReference, count: Int, prefix: String = "m", isOutgoing: Bool = false
    ) throws {
        for start in stride(from: 0, to: count, by: EngineLimits.requestEntitiesMax) {
            let numbers = start..<min(start + EngineLimits.requestEntitiesMax, count)
            try store.engine.write(
                .saveMessages(
                    numbers.map { number in
                        NewMessage(
                            id: EntityID(trusted: "\(prefix)\(number)"), conversation: conversation, text: "text",
                            timestamp: Timestamp(microseconds: Int64(number)), isOutgoing: isOutgoing)
                    }))
        }
    }

    private func rowCount(_ table: String) throws -> Int {
        try store.engine.makeReader().read { connection throws(StoreError) in
            Int(try mapped(connection.integer("SELECT count(*) FROM \(table)")) ?? -1)
        }
    }

    private func messages(_ query: MessageQuery) throws -> [StoredMessage] {
        var query = query
        var found: [StoredMessage] = []
        let reader = store.engine.makeReader()
        while true {
            let page = try reader.messages(query)
            found += page.messages
            guard page.hasMore else { return found }
            query.before = page.last
        }
    }

    // MARK: Marking a conversation as read

    @Test func `marking a conversation read marks every unread message, including outgoing ones`() throws {
        try fill(alice, count: 700)
        try fill(alice, count: 300, prefix: "out", isOutgoing: true)
        try fill(bob, count: 3, prefix: "bob")
        #expect(try store.engine.commit(.markConversationRead(alice)).updatedCount == 1_000)
        var unread = MessageQuery(conversation: alice, limit: 100)
        unread.filter.isRead = false
        #expect(try messages(unread).isEmpty)
        #expect(try store.engine.makeReader().conversation(alice, includeAvatar: false)?.unreadCount == 0)
        #expect(try store.engine.statistics().unreadCount == 3)
        #expect(try store.engine.commit(.markConversationRead(alice)).updatedCount == 0)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `one unread message among many read ones is found`() throws {
        try fill(alice, count: 2_000)
        try store.engine.write(.markConversationRead(alice))
        try store.engine.write(
            .saveMessage(
                NewMessage(
                    id: EntityID(trusted: "old"), conversation: alice, text: "",
                    timestamp: Timestamp(microseconds: -1), isOutgoing: true)))
        #expect(try store.engine.commit(.markConversationRead(alice)).updatedCount == 1)
        #expect(try store.engine.makeReader().message(EntityID(trusted: "old"))?.isRead == true)
    }

    @Test func `each step of a marking announces its changes, and the answer has the last revision`() throws {
        try fill(alice, count: 1_000)
        let before = try store.engine.statistics().revision
        let commits = Seen<[Change]>()
        let observation = store.engine.observeCommits { commits.add($0) }
        defer { observation.cancel() }
        let commit = try store.engine.commit(.markConversationRead(alice))
        #expect(commit.revision == before + 1_000)
        let sizes = commits.all.map(\.count)
        #expect(sizes.count >= 4 && sizes.allSatisfy { $0 <= EngineLimits.stepRowsMax })
        #expect(commits.all.joined().map(\.revision) == Array((before + 1)...(before + 1_000)))
    }

    @Test func `a write of another user comes between the steps, and one of the same connection does not`() throws {
        try fill(alice, count: 3_000)
        let order = Seen<String>()
        let done = OneShot<Bool>()
        let hog = WorkOwner(userID: 1, connection: 1)
        let victim = WorkOwner(userID: 2, connection: 1)
        // The writer is held until all requests are queued.
        let gate = OneShot<Bool>()
        try store.engine.writer.hold(until: gate)
        store.engine.submit(WriteRequest(.markConversationRead(alice), owner: hog)) { _ in order.add("marked") }
        store.engine.submit(WriteRequest(.saveMessage(NewMessage(conversation: bob, text: "")), owner: hog)) { _ in
            order.add("same connection")
            done.set(true)
        }
        store.engine.submit(WriteRequest(.saveMessage(NewMessage(conversation: bob, text: "")), owner: victim)) { _ in
            order.add("other user")
        }
        gate.set(true)
        _ = done.wait()
        #expect(order.all == ["other user", "marked", "same connection"])
    }

    @Test func `messages that are saved while a conversation is marked do not prolong the marking`() throws {
        try fill(alice, count: 2_000)
        let marked = OneShot<Int>()
        let isMarked = Seen<Bool>()
        store.engine.submit(
            WriteRequest(.markConversationRead(alice), owner: WorkOwner(userID: 1, connection: 1))
        ) { result in
            if case .success(.commit(let commit)) = result { marked.set(commit.updatedCount) } else { marked.set(-1) }
            isMarked.add(true)
        }
        var saved = 0
        while isMarked.all.isEmpty {
            try store.engine.write(
                WriteRequest(
                    .saveMessage(NewMessage(conversation: alice, text: "new")),
                    owner: WorkOwner(userID: 2, connection: 1)))
            saved += 1
        }
        // Messages saved before the first step are marked as well.
        let early = marked.wait() - 2_000
        #expect(early >= 0 && early < saved)
        #expect(try store.engine.statistics().unreadCount == saved - early)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `two simultaneous requests with one key get the same answer`() throws {
        try fill(alice, count: 2_000)
        let key = try IdempotencyKey("marking-key", userID: 1)
        let outcomes = Seen<Result<MutationResult, StoreError>>()
        for connection in 1...2 {
            store.engine.submit(
                WriteRequest(
                    .markConversationRead(alice), idempotencyKey: key,
                    owner: WorkOwner(userID: 1, connection: UInt64(connection)))
            ) { outcomes.add($0) }
        }
        #expect(eventually { outcomes.all.count == 2 })
        let commits = try outcomes.all.map { outcome in
            guard case .commit(let commit) = try outcome.get() else { throw StoreError(.internal, "no commit") }
            return commit
        }
        #expect(commits[0].updatedCount == commits[1].updatedCount && commits[0].revision == commits[1].revision)
        #expect(commits.map(\.isReplayed) == [false, true])
    }

    @Test func `a marking that a lock interrupts leaves valid content, and a repetition with its key completes it`()
        throws
    {
        try fill(alice, count: 3_000)
        let key = try IdempotencyKey("marking-key", userID: 1)
        let outcome = OneShot<Result<MutationResult, StoreError>>()
        let gate = OneShot<Bool>()
        let isClosed = OneShot<Bool>()
        let writer = store.engine.writer
        try writer.hold(until: gate)
        store.engine.submit(WriteRequest(.markConversationRead(alice), idempotencyKey: key)) { outcome.set($0) }
        // The writer closes the store between the first steps.
        try OwnThread.start { isClosed.set((try? writer.perform { $0.close() }) != nil) }
        #expect(eventually { writer.waitingCount == 2 })
        gate.set(true)
        #expect(isClosed.wait())
        #expect(throws: StoreError.self) { try outcome.wait().get() }
        try store.reopen()
        let left = try store.engine.statistics().unreadCount
        #expect(left > 0 && left < 3_000)
        #expect(try expectClean(store.engine) == [])
        let commit = try store.engine.commit(.markConversationRead(alice), key: key)
        #expect(commit.updatedCount == left && !commit.isReplayed)
        #expect(try store.engine.statistics().unreadCount == 0)
    }

    // MARK: Deleting

    @Test func `a deleted conversation is gone at once, and its rows are removed soon`() throws {
        try fill(alice, count: 5_000)
        try fill(bob, count: 10, prefix: "bob")
        #expect(try store.engine.commit(.deleteConversation(alice)).deletedCount == 1)
        let reader = store.engine.makeReader()
        #expect(try reader.message(EntityID(trusted: "m0")) == nil)
        #expect(throws: StoreError.self) { try reader.messages(MessageQuery(conversation: alice)) }
        #expect(try store.engine.statistics().messageCount == 10)
        #expect(throws: StoreError.self) { try store.engine.write(.deleteMessages([EntityID(trusted: "m4999")])) }
        #expect(try expectClean(store.engine) == [])
        #expect(try eventually { try rowCount("messages") == 10 && rowCount("removals") == 0 })
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `the ids and the session id of a deleted conversation can be used at once`() throws {
        try fill(alice, count: 5_000)
        try store.engine.write(.deleteConversation(alice))
        // The id belonged to one of the newest messages of the conversation. Their rows are removed last.
        let again = NewMessage(id: EntityID(trusted: "m4999"), conversation: alice, text: "again")
        #expect(try store.engine.commit(.saveMessage(again)).createdCount == 1)
        #expect(try eventually { try rowCount("removals") == 0 })
        #expect(try messages(MessageQuery(conversation: alice)).map(\.text) == ["again"])
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `rows that remain after a stop are removed after the start`() throws {
        try fill(alice, count: 5_000)
        try store.engine.write(
            .openLog(LogName("log"), LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true)))
        for _ in 0..<3 {
            try store.engine.appendAll(Array(repeating: [1], count: 1_000), to: LogName("log"))
        }
        // The store is closed as soon as both are deleted, before all of their rows can be removed.
        let deleted = Seen<Bool>()
        let isClosed = OneShot<Bool>()
        let writer = store.engine.writer
        for mutation in [Mutation.deleteConversation(alice), .deleteLog(try LogName("log"))] {
            store.engine.submit(WriteRequest(mutation)) { outcome in
                deleted.add((try? outcome.get()) != nil)
            }
        }
        #expect(eventually { deleted.all.count == 2 })
        #expect(deleted.all == [true, true])
        try OwnThread.start { isClosed.set((try? writer.perform { $0.close() }) != nil) }
        #expect(isClosed.wait())
        try store.reopen()
        #expect(try eventually { try rowCount("removals") == 0 })
        #expect(try rowCount("messages") == 0 && rowCount("log_entries") == 0)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a failed removal of rows is repeated later`() throws {
        try fill(alice, count: 10)
        let engine = store.engine
        func execute(_ sql: String) throws {
            try engine.writer.perform { context throws(StoreError) in
                let connection = try context.openConnection()
                try mapped(connection.execute(sql))
            }
        }
        try execute("CREATE TRIGGER refuse BEFORE DELETE ON messages BEGIN SELECT RAISE(ABORT, 'no'); END")
        try engine.write(.deleteConversation(alice))
        #expect(try eventually { try engine.writer.perform { $0.removalRetryDue != nil } })
        #expect(try rowCount("messages") == 10)
        try execute("DROP TRIGGER refuse")
        #expect(try eventually { try rowCount("messages") == 0 && rowCount("removals") == 0 })
        #expect(try engine.writer.perform { $0.removalRetryDue == nil && !$0.hasRowsToRemove })
    }

    @Test func `a log that is created again has nothing of the old one`() throws {
        let name = try LogName("log")
        let configuration = LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true)
        try store.engine.write(.openLog(name, configuration))
        for _ in 0..<3 {
            try store.engine.appendAll(Array(repeating: [1], count: 1_000), to: name)
        }
        try store.engine.write(.deleteLog(name))
        try store.engine.write(.openLog(name, configuration))
        #expect(
            try store.engine.write(.appendLog(LogAppend(log: name, expected: nil, messages: [[2]])))
                == .appended(1...1, isReplayed: false))
        #expect(try eventually { try rowCount("removals") == 0 })
        #expect(try rowCount("log_entries") == 1)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a cleared store is empty for every reader at once, and later writes are kept`() throws {
        try fill(alice, count: 3_000)
        try store.engine.write(.clearAllData)
        try fill(alice, count: 5)
        #expect(try store.engine.statistics().messageCount == 5)
        #expect(try messages(MessageQuery(conversation: alice)).count == 5)
        #expect(try eventually { try rowCount("removals") == 0 })
        #expect(try rowCount("messages") == 5)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `compacted changes are gone at once, their rows are removed soon, and the counters stay`() throws {
        try fill(alice, count: 3_000)
        for number in 0..<600 {
            try store.engine.write(
                .saveContact(ContactUpdate(sessionID: SessionID(trusted: "c\(number)"), displayName: "name")))
        }
        let revision = try store.engine.statistics().revision
        #expect(
            try store.engine.write(.compactChanges(throughRevision: revision))
                == .compacted(throughRevision: revision, isReplayed: false))
        #expect(throws: StoreError.self) { try store.engine.makeReader().changes(after: 0, limit: 10) }
        #expect(try eventually { try rowCount("changes") == 1 })
        try store.reopen()
        #expect(try store.engine.statistics().revision == revision)
        #expect(try store.engine.statistics().messageCount == 3_000)
        #expect(try expectClean(store.engine) == [])
    }

    // MARK: Scenes

    @Test func `a scene with many values is removed in steps, and each step announces its removals`() throws {
        let scene = try SceneName("large")
        let count = 3 * EngineLimits.stepRowsMax + 10
        for number in 0..<count {
            let change = SceneChange(key: try SceneKey("k\(1_000 + number)"), value: [1])
            try store.engine.write(.setSceneValues(.sceneOnly(scene), [change], conditions: []))
        }
        let commits = Seen<[Change]>()
        let observation = store.engine.observeCommits { commits.add($0) }
        defer { observation.cancel() }
        #expect(try store.engine.commit(.removeScene(scene)).deletedCount == count)
        let changes = commits.all.joined()
        #expect(changes.dropLast().allSatisfy { $0.operation == .deleted && $0.parent == "large" })
        #expect(changes.last?.operation == .cleared && commits.all.count > 3)
        #expect(try rowCount("scene_values") == 0)
        #expect(throws: StoreError.self) { try store.engine.write(.removeScene(scene)) }
    }
}

/// Values that any thread adds, in the order in which they were added.
final class Seen<Value: Sendable>: Sendable {
    private let values = ConditionLock<[Value]>([])

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
    }

    var all: [Value] { values.withLock { $0 } }
}

extension Writer {
    /// Keeps the writer thread busy until the gate opens, so that requests wait together. Returns after the thread is
    /// busy.
    func hold(until gate: OneShot<Bool>) throws {
        let isHeld = OneShot<Bool>()
        let writer = self
        try OwnThread.start {
            try? writer.perform { _ in
                isHeld.set(true)
                _ = gate.wait()
            }
        }
        _ = isHeld.wait()
    }
}
