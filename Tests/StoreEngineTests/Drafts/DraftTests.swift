import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct DraftTests {
    private let alice: ConversationReference
    private let bob: ConversationReference

    init() throws {
        alice = .session(try SessionID("alice"))
        bob = .session(try SessionID("bob"))
    }

    private func draft(_ conversation: ConversationReference, _ text: String) -> Mutation {
        .saveDraft(NewDraft(conversation: conversation, content: DraftContent(text: text)))
    }

    @Test func `a draft replaces the previous one, survives a restart, and is deleted by an empty one`() throws {
        let store = try TemporaryStore()
        let content = DraftContent(
            text: "", attachmentURL: "file:a", attachmentType: "image/png", replyToMessageID: try EntityID("m1"))
        let created = try store.engine.commit(.saveDraft(NewDraft(conversation: alice, content: content)))
        #expect(created.createdCount == 1 && created.revision == 2)
        try store.reopen()
        var found = try #require(try store.engine.makeReader().draft(in: alice))
        #expect(found.content == content && found.revision == 2 && found.conversationID.text == created.ids.first)
        #expect(try store.engine.commit(draft(alice, "e\u{301}")).updatedCount == 1)
        let same = try store.engine.commit(draft(alice, "e\u{301}"))
        #expect(same.revision == 3 && same.updatedCount == 0 && same.ids == created.ids)
        #expect(try store.engine.commit(draft(alice, "\u{e9}")).updatedCount == 1, "other bytes are another text")
        found = try #require(try store.engine.makeReader().draft(in: .id(found.conversationID)))
        #expect(found.content == DraftContent(text: "\u{e9}") && found.revision == 4)
        #expect(try store.engine.commit(draft(alice, "")).deletedCount == 1)
        #expect(try store.engine.commit(.deleteDraft(alice)).deletedCount == 0)
        #expect(try store.engine.makeReader().draft(in: alice) == nil)
        let changes = try store.engine.makeReader().changes(after: 0, limit: 10, ChangeFilter(kinds: [.draft]))
        #expect(changes.changes.map(\.operation) == [.created, .updated, .updated, .deleted])
        #expect(changes.changes.allSatisfy { $0.id == created.ids.first && $0.parent.isEmpty })
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `an empty draft creates no conversation, and drafts in unknown conversations are refused`() throws {
        let store = try TemporaryStore()
        #expect(try store.engine.commit(draft(alice, "")) == Commit())
        #expect(throws: StoreError.self) { try store.engine.commit(.deleteDraft(alice)) }
        #expect(throws: StoreError.self) { try store.engine.makeReader().draft(in: alice) }
        let lost = ConversationReference.id(try EntityID("lost"))
        for text in ["", "text"] {
            let error = #expect(throws: StoreError.self) { try store.engine.commit(draft(lost, text)) }
            #expect(error?.reason == .conversationNotFound)
        }
        #expect(try store.engine.statistics().conversationCount == 0)
    }

    @Test func `a text or an attachment that is too long is refused`() throws {
        let store = try TemporaryStore()
        let long = String(repeating: "x", count: EngineLimits.messageTextBytesMax + 1)
        let contents = [
            DraftContent(text: long), DraftContent(attachmentURL: String(long.prefix(4_097))),
            DraftContent(attachmentType: String(long.prefix(257))),
        ]
        for content in contents {
            let save = Mutation.saveDraft(NewDraft(conversation: alice, content: content))
            #expect(throws: StoreError.self) { try store.engine.commit(save) }
        }
        #expect(try store.engine.commit(draft(alice, String(long.dropLast()))).createdCount == 1)
    }

    @Test func `sending a message can delete the draft in the same commit, even if the message exists`() throws {
        let store = try TemporaryStore()
        try store.engine.write(draft(alice, "hello"))
        let message = NewMessage(id: try EntityID("m1"), conversation: alice, text: "hello")
        let sent = try store.engine.commit(.saveMessage(message, clearsDraft: true))
        #expect(sent.createdCount == 1 && sent.deletedCount == 0 && sent.revision == 4)
        #expect(try store.engine.makeReader().draft(in: alice) == nil)
        #expect(try store.engine.commit(.saveMessage(message, clearsDraft: true)).revision == 4)
        try store.engine.write(draft(alice, "more"))
        try store.engine.write(.saveMessage(message))
        #expect(try store.engine.makeReader().draft(in: alice) != nil)
        let again = try store.engine.commit(.saveMessage(message, clearsDraft: true))
        #expect(again.updatedCount == 0 && again.revision == 6)
        #expect(try store.engine.makeReader().draft(in: alice) == nil)
    }

    @Test func `drafts are listed newest first, in pages without gaps`() throws {
        let store = try TemporaryStore()
        for number in 0..<5 {
            try store.engine.write(draft(.session(try SessionID("s\(number)")), "\(number)"))
        }
        try store.engine.write(draft(.session(try SessionID("s1")), "again"))
        let reader = store.engine.makeReader()
        var texts: [[String]] = []
        var cursor: String?
        repeat {
            let page = try reader.drafts(limit: 2, cursor: cursor)
            texts.append(page.drafts.map(\.content.text))
            cursor = page.nextCursor
        } while cursor != nil
        #expect(texts == [["again", "4"], ["3", "2"], ["0"]])
        for bad in ["", "0", "-1", "1.5", "x"] {
            #expect(throws: StoreError.self) { try reader.drafts(limit: 2, cursor: bad) }
        }
        #expect(throws: StoreError.self) { try reader.drafts(limit: 0, cursor: nil) }
    }

    @Test func `a draft is deleted with its conversation, and with all data`() throws {
        let store = try TemporaryStore()
        try store.engine.write(draft(alice, "planted text"))
        try store.engine.write(draft(bob, "other"))
        try store.engine.write(.deleteConversation(alice))
        #expect(try store.engine.makeReader().drafts(limit: 10, cursor: nil).drafts.map(\.content.text) == ["other"])
        #expect(try store.engine.commit(.clearAllData).deletedCount == 2, "a conversation and its draft")
        #expect(try store.engine.makeReader().drafts(limit: 10, cursor: nil).drafts.isEmpty)
        #expect(try expectClean(store.engine) == [])
        try store.engine.write(draft(bob, "new"))
        #expect(try store.engine.makeReader().draft(in: bob)?.content.text == "new")
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `a conversation can be deleted although the text of its draft is damaged`() throws {
        let store = try TemporaryStore()
        try store.engine.write(draft(alice, "text"))
        try store.engine.execute("UPDATE conversation_drafts SET text = CAST(x'ff' AS TEXT)")
        #expect(try store.engine.commit(.deleteConversation(alice)).deletedCount == 1)
        #expect(try store.engine.makeReader().drafts(limit: 10, cursor: nil).drafts.isEmpty)
        #expect(try expectClean(store.engine) == [])
    }
}
