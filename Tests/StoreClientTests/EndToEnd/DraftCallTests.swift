import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct DraftCallTests {
    @Test func `a draft is saved, found, replaced, watched, and removed by the sent message`() async throws {
        try await withDaemonAndClient { _, client in
            let alice = ConversationReference.sessionID("05a")
            let saved = try await client.saveDraft(
                in: alice, text: "not sent", attachmentURL: "file:a", attachmentType: "image/png",
                replyToMessageID: "m0")
            #expect(saved.createdCount == 1)
            let draft = try #require(try await client.draft(in: alice))
            #expect(draft.conversationID == saved.ids.first && draft.revision == saved.revision)
            #expect(draft.text == "not sent" && draft.attachmentURL == "file:a" && draft.attachmentType == "image/png")
            #expect(draft.replyToMessageID == "m0")
            let filter = WatchFilter(kinds: [.draft], conversation: alice)
            var changes = try await client.watch(after: 0, filter).makeAsyncIterator()
            let first = try #require(try await changes.next())
            #expect(first.operation == .created && first.conversationID == draft.conversationID)

            #expect(try await client.saveDraft(in: .id(draft.conversationID), text: "other").updatedCount == 1)
            #expect(try await changes.next()?.operation == .updated)
            try await client.saveMessage(NewMessage(conversation: alice, text: "other"), clearsDraft: true)
            #expect(try await changes.next()?.operation == .deleted)
            #expect(try await client.draft(in: alice) == nil)
        }
    }

    @Test func `drafts are listed newest first over several pages, and deleted`() async throws {
        try await withDaemonAndClient { _, client in
            for number in 0..<5 {
                try await client.saveDraft(in: .sessionID("s\(number)"), text: "\(number)")
            }
            let page = try await client.draftPage(limit: 2)
            var rest = page.drafts.map(\.text)
            for try await draft in client.drafts(from: page.nextCursor) {
                rest.append(draft.text)
            }
            #expect(rest == ["4", "3", "2", "1", "0"])
            #expect(try await client.deleteDraft(in: .sessionID("s0")).deletedCount == 1)
            #expect(try await client.deleteDraft(in: .sessionID("s0")).deletedCount == 0)
            try await client.saveDraft(in: .sessionID("s1"), text: "")
            #expect(try await client.draftPage().drafts.map(\.text) == ["4", "3", "2"])
            let error = await #expect(throws: StoreClientError.self) { try await client.draft(in: .sessionID("none")) }
            #expect(error?.reason == .conversationNotFound)
        }
    }
}
