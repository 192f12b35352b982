import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReactionCallTests {
    @Test func `reactions are added, counted with the message, listed, watched and removed`() async throws {
        try await withDaemonAndClient { _, client in
            let alice = ConversationReference.sessionID("05a")
            try await client.saveMessage(NewMessage(id: "m1", conversation: alice, text: "hello"))
            for author in ["05b", "05c", "05d"] {
                try await client.addReaction("👍", to: "m1", by: author)
            }
            try await client.addReaction("🎉", to: "m1", by: "05b")
            #expect(try await client.addReaction("🎉", to: "m1", by: "05b").createdCount == 0)
            let counts = [ReactionCount(emoji: "👍", count: 3), ReactionCount(emoji: "🎉", count: 1)]
            let message = try await client.message("m1")
            #expect(message.reactions == counts)
            let page = try await client.messagePage(MessageQuery(conversation: alice))
            #expect(page.messages == [message])

            let first = try await client.reactionPage(to: "m1", limit: 2)
            var rest = first.reactions
            for try await reaction in client.reactions(to: "m1", from: first.nextCursor) {
                rest.append(reaction)
            }
            #expect(rest.map(\.authorSessionID) == ["05b", "05c", "05d", "05b"])
            #expect(try await client.removeReaction("👍", from: "m1", by: "05c").deletedCount == 1)
            #expect(try await client.message("m1").reactions.first?.count == 2)

            let filter = WatchFilter(kinds: [.reaction], conversation: alice)
            var operations: [Change.Operation] = []
            for try await change in client.changes(filter) {
                #expect(change.id == "m1" && change.conversationID == message.conversationID)
                operations.append(change.operation)
            }
            #expect(operations == [.created, .created, .created, .created, .deleted])
        }
    }

    @Test func `a reaction that is not an emoji, or to an unknown message, is refused`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.saveMessage(NewMessage(id: "m1", conversation: .sessionID("05a"), text: "hello"))
            for text in ["", "ab", String(repeating: "\u{301}", count: 40)] {
                let error = await #expect(throws: StoreClientError.self) {
                    try await client.addReaction(text, to: "m1", by: "05b")
                }
                #expect(error?.reason == .invalidArgument)
            }
            let error = await #expect(throws: StoreClientError.self) {
                try await client.addReaction("👍", to: "m2", by: "05b")
            }
            #expect(error?.reason == .messageNotFound)
        }
    }
}
