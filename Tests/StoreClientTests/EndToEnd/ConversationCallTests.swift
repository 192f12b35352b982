import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConversationCallTests {
    @Test func `a conversation is created once, and found by its id and its session id`() async throws {
        try await withDaemonAndClient { _, client in
            let made = try await client.getOrCreateConversation(sessionID: "05a", displayName: "Alice")
            let again = try await client.getOrCreateConversation(sessionID: "05a", displayName: "Other")
            #expect(made.id == again.id)
            #expect(again.displayName == "Alice", "the name is only used for a new one")
            #expect(try await client.conversation(.id(made.id)) == again)
            #expect(try await client.conversation(.sessionID("05a")) == again)
        }
    }

    @Test func `an update changes, keeps or removes each field as requested`() async throws {
        try await withDaemonAndClient { _, client in
            let made = try await client.getOrCreateConversation(sessionID: "05a", displayName: "Alice")
            let avatar: [UInt8] = [0, 1, 2, 255]
            try await client.updateConversation(
                .id(made.id), ConversationUpdate(avatar: .set(avatar), isPinned: true, isMuted: true))
            var now = try await client.conversation(.id(made.id), includeAvatar: true)
            #expect(now.avatar == avatar && now.hasAvatar && now.isPinned && now.isMuted)
            #expect(now.displayName == "Alice")
            #expect(try await client.conversation(.id(made.id)).avatar == nil)

            try await client.updateConversation(
                .sessionID("05a"), ConversationUpdate(displayName: .remove, avatar: .remove, isPinned: false))
            now = try await client.conversation(.id(made.id), includeAvatar: true)
            #expect(now.displayName == nil && now.avatar == nil && !now.hasAvatar && !now.isPinned && now.isMuted)
        }
    }

    @Test func `conversations are listed in pages, filtered, pinned first and then by newest activity`() async throws {
        try await withDaemonAndClient { _, client in
            for number in 0..<25 {
                try await client.saveMessage(
                    NewMessage(
                        conversation: .sessionID("s\(number)"), text: "t",
                        timestamp: Timestamp(microseconds: Int64(number + 1) * 1_000_000)))
            }
            try await client.updateConversation(.sessionID("s3"), ConversationUpdate(isPinned: true))
            try await client.markConversationRead(.sessionID("s4"))

            var sessionIDs: [String] = []
            var cursor: String?
            repeat {
                let page = try await client.conversationPage(limit: 10, cursor: cursor)
                sessionIDs += page.conversations.map(\.sessionID)
                cursor = page.nextCursor
            } while cursor != nil
            let byActivity = (0..<25).reversed().map { "s\($0)" }.filter { $0 != "s3" }
            #expect(sessionIDs == ["s3"] + byActivity)

            #expect(try await client.conversationPage(ConversationFilter(isPinned: true)).conversations.count == 1)
            let read = try await client.conversationPage(ConversationFilter(hasUnread: false)).conversations
            #expect(read.map(\.sessionID) == ["s4"])
        }
    }

    @Test func `deleting a conversation deletes it and its messages`() async throws {
        try await withDaemonAndClient { _, client in
            let message = NewMessage(conversation: .sessionID("05a"), text: "t")
            try await client.saveMessage(message)
            try await client.deleteConversation(.sessionID("05a"))
            let gone = await #expect(throws: StoreClientError.self) {
                _ = try await client.conversation(.sessionID("05a"))
            }
            #expect(gone?.code == .notFound && gone?.reason == .conversationNotFound)
            let messageGone = await #expect(throws: StoreClientError.self) {
                _ = try await client.message(message.id)
            }
            #expect(messageGone?.reason == .messageNotFound)
        }
    }

    @Test func `an invalid argument is refused with a reason`() async throws {
        try await withDaemonAndClient { _, client in
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await client.getOrCreateConversation(sessionID: "")
            }
            #expect(error?.code == .invalidArgument && error?.isRetryable == false)
        }
    }
}
