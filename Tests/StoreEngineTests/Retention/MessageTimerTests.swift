import Glibc
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct MessageTimerTests {
    private let fake = FakeClocks()
    private let alice = ConversationReference.session(SessionID(trusted: "alice"))

    private func minutes(_ count: UInt64, from start: MessageTimer.Start) throws -> TimerChoice {
        .timer(MessageTimer(lifetime: try RetentionPeriod(milliseconds: count * 60_000), start: start))
    }

    private func message(_ id: String, _ timer: TimerChoice) -> NewMessage {
        NewMessage(id: EntityID(trusted: id), conversation: alice, text: "text of \(id)", timer: timer)
    }

    /// Returns the ids in the list of messages, oldest first.
    private func ids(_ store: TemporaryStore) throws -> [String] {
        var ids: [String] = []
        _ = try store.engine.makeReader().messages(MessageQuery(conversation: alice, order: .oldestFirst)) { message in
            ids.append(String(decoding: message.id, as: UTF8.self))
            return .goOn
        }
        return ids
    }

    private func expiresAt(_ id: String, _ store: TemporaryStore) throws -> Timestamp? {
        var found: Int64?
        _ = try store.engine.makeReader().message(EntityID(trusted: id)) { found = $0.expiresAtMicroseconds }
        return found.map { Timestamp(microseconds: $0) }
    }

    /// Returns the number of messages after due messages are deleted.
    private func countAfterRemoval(_ store: TemporaryStore) throws -> Int {
        let commit = try store.engine.commit(.removeDueMessages)
        #expect(try store.engine.commit(.removeDueMessages).deletedCount == 0)
        #expect(commit.ids.isEmpty)
        #expect(try expectClean(store.engine) == [])
        return try store.engine.statistics().messageCount
    }

    @Test func `an incoming message expires by the time at which it was sent, and is not shown after that`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        var late = message("late", try minutes(10, from: .sending))
        late.timestamp = fake.wall.advanced(byMicroseconds: -240_000_000)
        var future = message("future", try minutes(10, from: .sending))
        future.timestamp = fake.wall.advanced(byMicroseconds: 999_000_000)
        for message in [late, future, message("kept", .none)] {
            try store.engine.write(.saveMessage(message))
        }
        let revision = try store.engine.statistics().revision
        #expect(try expiresAt("late", store) == fake.wall.advanced(byMicroseconds: 360_000_000))
        #expect(try expiresAt("future", store) == fake.wall.advanced(byMicroseconds: 600_000_000))
        #expect(try expiresAt("kept", store) == nil)
        fake.pass(seconds: 359)
        #expect(try ids(store).sorted() == ["future", "kept", "late"])
        fake.pass(seconds: 1)
        // The message is due but not deleted yet.
        #expect(try store.engine.statistics().messageCount == 3)
        #expect(try ids(store).sorted() == ["future", "kept"])
        #expect(try store.engine.makeReader().message(EntityID(trusted: "late")) { _ in } == false)
        #expect(try countAfterRemoval(store) == 2)
        let changes = try store.engine.makeReader().changes(after: revision, limit: 10, ChangeFilter())
        #expect(changes.changes.map(\.id) == ["late"] && changes.changes.map(\.operation) == [.deleted])
        fake.pass(seconds: 240)
        #expect(try countAfterRemoval(store) == 1)
    }

    @Test func `the timer of an outgoing message starts when it is sent, and a timer from reading when it is read`()
        throws
    {
        let store = try TemporaryStore(clocks: fake.clocks)
        var outgoing = message("outgoing", try minutes(1, from: .sending))
        outgoing.isOutgoing = true
        var sent = message("sent", try minutes(1, from: .sending))
        sent.isOutgoing = true
        sent.status = .sent
        let unread = message("unread", try minutes(1, from: .reading))
        let unreadToo = message("unread too", try minutes(1, from: .reading))
        for message in [outgoing, sent, unread, unreadToo] {
            try store.engine.write(.saveMessage(message))
        }
        try store.engine.write(.updateMessageStatus([EntityID(trusted: "outgoing")], .failed))
        fake.pass(seconds: 61)
        #expect(try countAfterRemoval(store) == 3)
        try store.engine.write(.updateMessageStatus([EntityID(trusted: "outgoing")], .sent))
        try store.engine.write(.markMessagesRead([EntityID(trusted: "unread")]))
        fake.pass(seconds: 30)
        try store.engine.write(.updateMessageStatus([EntityID(trusted: "outgoing")], .delivered))
        try store.engine.write(.markConversationRead(alice))
        fake.pass(seconds: 29)
        #expect(try countAfterRemoval(store) == 3)
        fake.pass(seconds: 1)
        #expect(try ids(store) == ["unread too"], "a timer that runs is not started again")
        #expect(try countAfterRemoval(store) == 1)
        fake.pass(seconds: 30)
        #expect(try countAfterRemoval(store) == 0)
    }

    @Test func `saving a message again keeps a running timer, and another timer starts from the beginning`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        let first = message("m", try minutes(1, from: .sending))
        try store.engine.write(.saveMessage(first))
        fake.pass(seconds: 40)
        #expect(try store.engine.commit(.saveMessage(first)) == store.engine.commit(.saveMessage(first)))
        var edited = message("m", .inherited)
        edited.text = "another text"
        try store.engine.write(.saveMessage(edited))
        fake.pass(seconds: 19)
        #expect(try ids(store) == ["m"])
        try store.engine.write(.saveMessage(message("m", try minutes(2, from: .sending))))
        fake.pass(seconds: 119)
        #expect(try countAfterRemoval(store) == 1)
        try store.engine.write(.saveMessage(message("m", .none)))
        fake.pass(seconds: 1_000)
        #expect(try countAfterRemoval(store) == 1)
    }

    @Test func `a message that was read or sent expires even if its former state is saved again`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        let unread = message("read", try minutes(1, from: .reading))
        var pending = message("sent", try minutes(1, from: .sending))
        pending.isOutgoing = true
        try store.engine.write(.saveMessages([unread, pending]))
        try store.engine.write(.markMessagesRead([EntityID(trusted: "read")]))
        try store.engine.write(.updateMessageStatus([EntityID(trusted: "sent")], .sent))
        try store.engine.write(.saveMessages([unread, pending]))
        fake.pass(seconds: 60)
        #expect(try countAfterRemoval(store) == 0)
    }

    @Test func `a clock that is ahead does not delete a message that has just arrived`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        var incoming = message("m", try minutes(10, from: .sending))
        incoming.timestamp = fake.wall
        fake.setWall(bySeconds: yearSeconds)
        try store.engine.write(.saveMessage(incoming))
        fake.pass(seconds: 590)
        #expect(try countAfterRemoval(store) == 1)
    }

    @Test func `an expired message does not exist for writes either`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        let id = EntityID(trusted: "m")
        try store.engine.write(.saveMessage(message("m", try minutes(1, from: .sending))))
        let reaction = ReactionReference(
            messageID: id, authorSessionID: SessionID(trusted: "bob"), emoji: try Emoji("👍"))
        try store.engine.write(.addReaction(reaction))
        fake.pass(seconds: 60)
        let writes: [Mutation] = [
            .markMessagesRead([id]), .updateMessageStatus([id], .sent), .deleteMessages([id]), .addReaction(reaction),
            .removeReaction(reaction), .editMessage(id, text: "edited", editedAt: nil),
        ]
        for write in writes {
            #expect(reason { try store.engine.write(write) } == .messageNotFound, "\(write)")
        }
        let reader = store.engine.makeReader()
        #expect(reason { _ = try reader.reactions(to: id, limit: 10, cursor: nil) } == .messageNotFound)
        let again = try store.engine.commit(.saveMessage(message("m", .none)))
        #expect(again.createdCount == 1 && again.updatedCount == 0)
        fake.pass(seconds: 1_000)
        #expect(try countAfterRemoval(store) == 1)
        #expect(try reader.reactions(to: id, limit: 10, cursor: nil).reactions.isEmpty)
    }

    /// Checks that the store's timer is always set for the next due message. Without it messages would stay forever.
    @Test func `the alarm is set for the next due message, also after a restore and a rotation`() throws {
        let store = try TemporaryStore()
        let short = MessageTimer(lifetime: try RetentionPeriod(milliseconds: 700), start: .sending)
        try store.engine.write(.saveMessage(message("m", .timer(short))))
        let name = try store.engine.createBackup { _ in }.name
        try store.engine.write(.clearAllData)
        _ = try store.engine.restoreBackup(
            name: name, secret: TemporaryStore.keyFile(), replaceExisting: true
        ) { _ in }
        let deadline = MonotonicClock.nanoseconds + 10_000_000_000
        while try store.engine.statistics().messageCount > 0, MonotonicClock.nanoseconds < deadline {
            usleep(10_000)
        }
        #expect(try store.engine.statistics().messageCount == 0)
    }

    @Test func `timers run while the store is closed and the machine sleeps or is off, whatever the clock is set to`()
        throws
    {
        let store = try TemporaryStore(clocks: fake.clocks)
        for (index, minute) in [1, 10, 100].enumerated() {
            try store.engine.write(
                .saveMessage(message("m\(index)", try minutes(UInt64(minute), from: .sending))))
        }
        fake.setWall(bySeconds: yearSeconds)
        #expect(try countAfterRemoval(store) == 3)
        try store.reopen()
        fake.setWall(bySeconds: -2 * yearSeconds)
        fake.pass(seconds: 59)
        #expect(try countAfterRemoval(store) == 3)
        fake.pass(seconds: 1)
        #expect(try ids(store) == ["m1", "m2"])
        fake.pass(seconds: 550)
        try store.reopen()
        #expect(try ids(store) == ["m2"], "what went while the store was closed is not shown once it is open")
        fake.setWall(bySeconds: yearSeconds)
        try store.restart(isKilled: false) {
            fake.restartMachine(offSeconds: 6_000)
            return fake.clocks
        }
        #expect(try ids(store) == [])
        #expect(try countAfterRemoval(store) == 0)
    }

    @Test func `a new message with the id of an expired one is found by a search`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        try store.engine.write(.saveMessage(message("m", try minutes(1, from: .sending))))
        fake.pass(seconds: 61)
        try store.engine.write(.saveMessage(message("m", .none)))
        while try store.engine.writer.perform({ context throws(StoreError) in
            context.searchBacklog.endStartupDelay()
            try SearchUpkeep.step(context)
            return context.searchBacklog.isDue
        }) {}
        var found: [String] = []
        _ = try store.engine.makeReader().searchMessages(MessageSearch(SearchQuery("text"))) { message in
            found.append(String(decoding: message.message.id, as: UTF8.self))
            return .goOn
        }
        #expect(found == ["m"])
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a page skips expired messages and continues after them`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        for index in 0..<20 {
            var message = message("m\(10 + index)", index < 8 ? try minutes(1, from: .sending) : .none)
            message.timestamp = fake.wall.advanced(byMicroseconds: Int64(index))
            try store.engine.write(.saveMessage(message))
        }
        fake.pass(seconds: 60)
        var found: [String] = []
        var query = MessageQuery(conversation: alice, limit: 3, order: .oldestFirst)
        var pages = 0
        while true {
            let end = try #require(
                try store.engine.makeReader().messages(query) { message in
                    found.append(String(decoding: message.id, as: UTF8.self))
                    return .goOn
                })
            pages += 1
            guard end.hasMore else { break }
            query.after = end.last
        }
        #expect(found == (8..<20).map { "m\(10 + $0)" } && pages < 9)
        let conversation = try #require(try store.engine.makeReader().conversation(alice, includeAvatar: false))
        #expect(conversation.lastMessage?.id.text == "m29")
    }

    @Test func `an expired last message of a conversation is not shown`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        try store.engine.write(.saveMessage(message("m", try minutes(1, from: .sending))))
        fake.pass(seconds: 60)
        let reader = store.engine.makeReader()
        #expect(try #require(try reader.conversation(alice, includeAvatar: false)).lastMessage == nil)
        #expect(try reader.conversations(ConversationQuery()).conversations.map(\.lastMessage) == [nil])
        #expect(try reader.conversations(ConversationQuery(hasUnread: true)).conversations.map(\.lastMessage) == [nil])
    }

    @Test func `the removal at an opening ignores messages that were saved and expired after it`() throws {
        for _ in 0..<20 {
            let store = try TemporaryStore(clocks: fake.clocks)
            try store.engine.write(.saveMessage(message("m", try minutes(1, from: .sending))))
            fake.pass(seconds: 60)
            usleep(2_000)
            #expect(try store.engine.statistics().messageCount == 1)
        }
    }

    @Test func `deleting, moving and clearing messages deletes their timers`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        let bob = ConversationReference.session(SessionID(trusted: "bob"))
        for index in 0..<4 {
            try store.engine.write(.saveMessage(message("m\(index)", try minutes(5, from: .sending))))
        }
        try store.engine.write(.deleteMessages([EntityID(trusted: "m0")]))
        var moved = message("m1", .inherited)
        moved.conversation = bob
        try store.engine.write(.saveMessage(moved))
        #expect(try expectClean(store.engine) == [])
        try store.engine.write(.deleteConversation(alice))
        #expect(try store.engine.statistics().messageCount == 1)
        // This message is saved again, before or after its old row is removed.
        try store.engine.write(.saveMessage(message("m3", .none)))
        fake.pass(seconds: 300)
        #expect(try countAfterRemoval(store) == 1)
        try store.engine.write(.saveMessage(message("m4", try minutes(5, from: .sending))))
        try store.engine.write(.clearAllData)
        fake.pass(seconds: 300)
        #expect(try countAfterRemoval(store) == 0)
    }

    @Test func `many expired messages are deleted in steps, each with a change of its own`() throws {
        let store = try TemporaryStore(clocks: fake.clocks)
        for page in 0..<4 {
            let messages = try (0..<250).map { message("m\(page)-\($0)", try minutes(1, from: .sending)) }
            try store.engine.write(.saveMessages(messages))
        }
        let revision = try store.engine.statistics().revision
        fake.pass(seconds: 60)
        #expect(try countAfterRemoval(store) == 0)
        let changes = try store.engine.makeReader().changes(after: revision, limit: 2_000, ChangeFilter())
        #expect(changes.changes.count == 1_000 && changes.changes.allSatisfy { $0.operation == .deleted })
    }

    @Test func `the store deletes messages by itself and on time, even if a later message expires first`() throws {
        let store = try TemporaryStore()
        let deleted = OneShot<Bool>()
        let observation = store.engine.observeCommits { changes in
            if changes.contains(where: { $0.operation == .deleted && $0.id == "soon" }) {
                deleted.set(true)
            }
        }
        defer { observation.cancel() }
        for (id, milliseconds) in [("later", UInt64(3_600_000)), ("soon", 100)] {
            let timer = MessageTimer(lifetime: try RetentionPeriod(milliseconds: milliseconds), start: .sending)
            try store.engine.write(.saveMessage(message(id, .timer(timer))))
        }
        let savedAt = MonotonicClock.nanoseconds
        #expect(deleted.wait())
        let took = MonotonicClock.nanoseconds - savedAt
        #expect((90_000_000..<5_000_000_000).contains(took))
        #expect(try ids(store) == ["later"])
    }
}
