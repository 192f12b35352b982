import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct RetentionCallTests {
    private let alice = ConversationReference.sessionID("05a")

    @Test func `a message with a timer shows its time of expiry, and expires`() async throws {
        try await withDaemonAndClient { _, client in
            let timer = MessageTimer(lifetime: .milliseconds(300), start: .reading)
            let message = NewMessage(conversation: alice, text: "soon gone", timer: timer)
            try await client.saveMessage(message)
            try await client.saveMessage(NewMessage(conversation: alice, text: "kept"))
            let unread = try await client.message(message.id)
            #expect(unread.timer == timer && unread.expiresAt == nil)
            var changes = try await client.watch(after: nil, WatchFilter(kinds: [.message])).makeAsyncIterator()
            let before = Timestamp.now
            try await client.markMessagesRead([message.id])
            #expect(try await changes.next()?.operation == .updated)
            if let read = try? await client.message(message.id) {
                let expiresAt = try #require(read.expiresAt)
                #expect(expiresAt >= before.advanced(byMicroseconds: 290_000))
                #expect(expiresAt <= .now.advanced(byMicroseconds: 310_000))
            }
            let gone = try #require(try await changes.next())
            #expect(gone.operation == .deleted && gone.id == message.id)
            #expect(Timestamp.now >= before.advanced(byMicroseconds: 290_000))
            let error = await #expect(throws: StoreClientError.self) { _ = try await client.message(message.id) }
            #expect(error?.reason == .messageNotFound)
            #expect(try await client.statistics().messageCount == 1)
        }
    }

    @Test func `a message that expires while no daemon runs is never shown again`() async throws {
        try await withDaemonAndClient { daemon, client in
            let timer = MessageTimer(lifetime: .milliseconds(200), start: .sending)
            let message = NewMessage(conversation: alice, text: "soon gone", timer: timer)
            try await client.saveMessage(message)
            try await daemon.kill9()
            try await Task.sleep(for: .milliseconds(210))
            try await daemon.startAgain()
            let error = await #expect(throws: StoreClientError.self) { _ = try await client.message(message.id) }
            #expect(error?.reason == .messageNotFound)
            let deadline = ContinuousClock.now + .seconds(10)
            while try await client.statistics().messageCount > 0, .now < deadline {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(try await client.statistics().messageCount == 0)
        }
    }

    @Test func `a conversation's retention is set, returned, and removed field by field`() async throws {
        try await withDaemonAndClient { _, client in
            let made = try await client.getOrCreateConversation(sessionID: "05a")
            #expect(made.retention == nil)
            let week = MessageTimer(lifetime: .seconds(604_800), start: .reading)
            try await client.updateConversation(alice, ConversationUpdate(messageTimer: .set(week)))
            try await client.updateConversation(
                alice, ConversationUpdate(keepFor: .set(.seconds(86_400)), keepCount: .set(3)))
            let whole = ConversationRetention(messageTimer: week, keepForMilliseconds: 86_400_000, keepCount: 3)
            #expect(try await client.conversation(alice).retention == whole)
            #expect(try await client.getOrCreateConversation(sessionID: "05a").retention == whole)
            #expect(try await client.conversationPage().conversations.map(\.retention) == [whole])
            let same = try await client.updateConversation(alice, ConversationUpdate(keepCount: .set(3)))
            #expect(same.updatedCount == 0)

            var changes = try await client.watch(after: nil, WatchFilter(kinds: [.message])).makeAsyncIterator()
            let ids = (0..<5).map { "m\($0)" }
            for (index, id) in ids.enumerated() {
                let time = Timestamp.now.advanced(byMicroseconds: index == 4 ? -100_000_000_000 : Int64(index))
                try await client.saveMessage(NewMessage(id: id, conversation: alice, text: id, timestamp: time))
            }
            var deleted: Set<String> = []
            while deleted.count < 2, let change = try await changes.next() {
                if change.operation == .deleted { deleted.insert(change.id) }
            }
            #expect(deleted == ["m0", "m4"])
            #expect(try await client.message("m1").timer == week)

            try await client.updateConversation(
                alice, ConversationUpdate(messageTimer: .remove, keepFor: .remove, keepCount: .remove))
            #expect(try await client.conversation(alice).retention == nil)
        }
    }

    @Test func `impossible times are refused`() async throws {
        try await withDaemonAndClient { _, client in
            _ = try await client.getOrCreateConversation(sessionID: "05a")
            let tooLong = Duration.seconds(101 * 366 * 86_400)
            let error = await #expect(throws: StoreClientError.self) {
                try await client.updateConversation(alice, ConversationUpdate(keepFor: .set(tooLong)))
            }
            #expect(error?.code == .invalidArgument)
            let timer = MessageTimer(lifetime: tooLong, start: .sending)
            await #expect(throws: StoreClientError.self) {
                try await client.saveMessage(NewMessage(conversation: alice, text: "x", timer: timer))
            }
        }
    }
}
