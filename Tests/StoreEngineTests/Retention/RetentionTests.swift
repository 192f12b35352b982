import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct RetentionTests {
    private let fake = FakeClocks()
    private let alice = ConversationReference.session(SessionID(trusted: "alice"))
    private let bob = ConversationReference.session(SessionID(trusted: "bob"))
    private static let day: Int64 = 86_400

    private func store(_ retention: ConversationRetention) throws -> TemporaryStore {
        let store = try TemporaryStore(clocks: fake.clocks)
        for session in ["alice", "bob"] {
            try store.engine.write(.getOrCreateConversation(SessionID(trusted: session), id: nil, displayName: nil))
        }
        try store.engine.write(
            .updateConversation(alice, ConversationUpdate(retention: RetentionUpdate(all: retention))))
        return store
    }

    private func days(_ count: UInt64) throws -> RetentionPeriod {
        try RetentionPeriod(milliseconds: count * UInt64(Self.day) * 1_000)
    }

    /// Saves a message in both conversations for each number of days in the past.
    private func save(_ daysAgo: [Int64], _ store: TemporaryStore) throws {
        for conversation in [alice, bob] {
            for days in daysAgo {
                try store.engine.write(
                    .saveMessage(
                        NewMessage(
                            conversation: conversation, text: "\(days)",
                            timestamp: fake.wall.advanced(byMicroseconds: -days * Self.day * 1_000_000))))
            }
        }
    }

    /// Returns the texts of a conversation, oldest first, after due messages are deleted.
    private func texts(_ conversation: ConversationReference, _ store: TemporaryStore) throws -> [String] {
        try store.engine.write(.removeDueMessages)
        #expect(try expectClean(store.engine) == [])
        var texts: [String] = []
        _ = try store.engine.makeReader().messages(
            MessageQuery(conversation: conversation, limit: 1_000, order: .oldestFirst)
        ) { message in
            texts.append(String(decoding: message.text, as: UTF8.self))
            return .goOn
        }
        return texts
    }

    @Test func `a dry run of an update counts what its rules delete, and changes nothing`() throws {
        let store = try store(ConversationRetention())
        try save([100, 31, 30, 29, 0, -5], store)
        let revision = try store.engine.statistics().revision
        let rules = [
            ConversationRetention(), ConversationRetention(keepFor: try days(30)), ConversationRetention(keepCount: 5),
            ConversationRetention(keepFor: try days(30), keepCount: 5),
            ConversationRetention(keepFor: try days(99), keepCount: 2), ConversationRetention(keepCount: 60),
        ]
        for rule in rules {
            let update = ConversationUpdate(retention: RetentionUpdate(all: rule))
            let told = try store.engine.makeReader().preview(alice, update)
            #expect(try store.engine.statistics().revision == revision)
            #expect(told.revision == revision && told.updatedCount == (rule == ConversationRetention() ? 0 : 1))
            let other = try self.store(rule)
            try save([100, 31, 30, 29, 0, -5], other)
            #expect(try texts(alice, other).count == 6 - told.deletedCount, "\(rule)")
        }
        let unknown = ConversationReference.session(try SessionID("nobody"))
        #expect(
            reason { _ = try store.engine.makeReader().preview(unknown, ConversationUpdate()) } == .conversationNotFound
        )
    }

    @Test func `messages are deleted when they are older than their conversation keeps them`() throws {
        let store = try store(ConversationRetention(keepFor: days(30)))
        try save([100, 31, 30, 29, 0, -5], store)
        #expect(try texts(alice, store) == ["29", "0", "-5"])
        #expect(try texts(bob, store) == ["100", "31", "30", "29", "0", "-5"])
        fake.pass(seconds: Self.day)
        #expect(try texts(alice, store) == ["0", "-5"])
        fake.pass(seconds: 36 * Self.day)
        #expect(try texts(alice, store) == [])
        try save([1], store)
        fake.pass(seconds: 30 * Self.day)
        #expect(try texts(alice, store) == [])
    }

    @Test func `a wall clock set forward for less than a day deletes nothing`() throws {
        let store = try store(ConversationRetention(keepFor: days(30)))
        try save([3, 2], store)
        fake.setWall(bySeconds: yearSeconds)
        #expect(try texts(alice, store) == ["3", "2"])
        fake.pass(seconds: Self.day - 60)
        #expect(try texts(alice, store) == ["3", "2"])
        fake.setWall(bySeconds: -yearSeconds)
        fake.pass(seconds: 26 * Self.day + 60)
        #expect(try texts(alice, store) == ["2"])
    }

    @Test(arguments: [false, true], [false, true])
    func `a daemon that is restarted with a clock that is ahead deletes nothing early`(
        isKilled: Bool, isMachineOff: Bool
    ) throws {
        let store = try store(ConversationRetention(keepFor: days(30)))
        try save([29, 3, 2], store)
        try store.restart(isKilled: isKilled) {
            if isMachineOff {
                fake.restartMachine(offSeconds: yearSeconds, isSynchronized: false)
            } else {
                fake.setWall(bySeconds: yearSeconds)
            }
            return fake.clocks
        }
        #expect(try texts(alice, store) == ["29", "3", "2"])
        fake.pass(seconds: Self.day - 60)
        try store.restart(isKilled: isKilled) {
            fake.setWall(bySeconds: -yearSeconds)
            return fake.clocks
        }
        #expect(try texts(alice, store) == ["29", "3", "2"])
        fake.pass(seconds: 60)
        #expect(try texts(alice, store) == ["3", "2"], "a clock that is right is believed at once")
    }

    @Test func `a conversation keeps a number of messages, those with the newest timestamps`() throws {
        let store = try store(ConversationRetention(keepCount: 3))
        try save([5, 1, 4, 2, 3], store)
        #expect(try texts(alice, store) == ["3", "2", "1"])
        try save([9, 0], store)
        #expect(try texts(alice, store) == ["2", "1", "0"])
        #expect(try texts(bob, store).count == 7)
        let statistics = try store.engine.statistics()
        #expect(statistics.messageCount == 10 && statistics.unreadCount == 10)
    }

    @Test func `a message that is moved without a timestamp is deleted by its old one`() throws {
        let store = try store(ConversationRetention(keepFor: days(7)))
        let id = EntityID(trusted: "m")
        let old = fake.wall.advanced(byMicroseconds: -30 * Self.day * 1_000_000)
        try store.engine.write(
            .saveMessage(NewMessage(id: id, conversation: bob, text: "old", timestamp: old)))
        try store.engine.write(.saveMessage(NewMessage(id: id, conversation: alice, text: "old")))
        #expect(try texts(alice, store) == [])
    }

    @Test func `rules that are set later apply to existing messages, in steps, and can be removed`() throws {
        let store = try store(ConversationRetention())
        for _ in 0..<3 {
            try save([], store)
            let messages = (0..<250).map { NewMessage(conversation: alice, text: "\($0)") }
            try store.engine.write(.saveMessages(messages))
        }
        #expect(try texts(alice, store).count == 750)
        let both = ConversationRetention(keepFor: try days(1), keepCount: 20)
        try store.engine.write(.updateConversation(alice, ConversationUpdate(retention: RetentionUpdate(all: both))))
        #expect(try texts(alice, store).count == 20)
        var found = try #require(try store.engine.makeReader().conversation(alice, includeAvatar: false))
        #expect(found.retention == both && found.messageCount == 20)
        let unchanged = try store.engine.commit(
            .updateConversation(alice, ConversationUpdate(retention: RetentionUpdate(all: both))))
        #expect(unchanged.updatedCount == 0)
        try store.engine.write(
            .updateConversation(alice, ConversationUpdate(retention: RetentionUpdate(all: ConversationRetention()))))
        fake.pass(seconds: 400 * Self.day)
        try save([0, 0], store)
        #expect(try texts(alice, store).count == 22)
        found = try #require(try store.engine.makeReader().conversation(alice, includeAvatar: false))
        #expect(found.retention == ConversationRetention())
    }

    @Test func `new messages get their conversation's timer unless they have their own`() throws {
        let minute = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .sending)
        let store = try store(ConversationRetention())
        try save([0], store)
        let update = ConversationUpdate(retention: RetentionUpdate(messageTimer: minute))
        try store.engine.write(.updateConversation(alice, update))
        try save([0], store)
        try store.reopen()
        try save([0], store)
        try store.engine.write(.saveMessage(NewMessage(conversation: alice, text: "none", timer: .none)))
        let hour = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 3_600_000), start: .sending)
        try store.engine.write(.saveMessage(NewMessage(conversation: alice, text: "hour", timer: .timer(hour))))
        fake.pass(seconds: 60)
        #expect(try texts(alice, store) == ["0", "none", "hour"])
        fake.pass(seconds: 3_540)
        #expect(try texts(alice, store) == ["0", "none"])
    }

    @Test func `a stored answer has the retention of a conversation at that time`() throws {
        let store = try TemporaryStore()
        let whole = ConversationRetention(
            messageTimer: MessageTimer(lifetime: try days(7), start: .reading), keepFor: try days(30), keepCount: 9)
        try store.engine.write(.saveMessage(NewMessage(conversation: alice, text: "x")))
        try store.engine.write(.updateConversation(alice, ConversationUpdate(retention: RetentionUpdate(all: whole))))
        let get = Mutation.getOrCreateConversation(SessionID(trusted: "alice"), id: nil, displayName: nil)
        for isReplayed in [false, true] {
            guard
                case .conversation(let found, _, isReplayed) = try store.engine.write(
                    get, key: IdempotencyKey("a key of it"))
            else {
                Issue.record("answered otherwise")
                return
            }
            #expect(found.retention == whole)
        }
    }

    @Test func `impossible times are refused`() {
        for milliseconds in [0, RetentionPeriod.millisecondsMax + 1, UInt64.max] {
            let error = #expect(throws: StoreError.self) { try RetentionPeriod(milliseconds: milliseconds) }
            #expect(error?.reason == .invalidArgument)
        }
        for microseconds in [Int64.min, -1, 0, 999, .max] {
            let error = #expect(throws: StoreError.self) { try RetentionPeriod(microseconds: microseconds) }
            #expect(error?.reason == .databaseDamaged)
        }
    }
}
