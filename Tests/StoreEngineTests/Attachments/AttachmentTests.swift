import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct AttachmentTests {
    private let store: AttachmentStore

    init() throws {
        store = try AttachmentStore()
    }

    private func attachment(_ text: String, source: String? = nil) throws -> NewAttachment {
        try AttachmentStore.attachment(text, source: source)
    }

    @Test func `a message has the attachments that it was saved with, in order, also after a restart`() throws {
        let thumbnail: [UInt8] = [1, 2, 3]
        let first = try AttachmentStore.attachment(
            "one", name: "first.png", type: "Image/PNG", source: "https://a", thumbnail: thumbnail)
        let commit = try store.save("m1", [first, try attachment("zwei")])
        #expect(commit.createdCount == 1 && commit.ids == ["m1"])
        try store.save("m2")
        try store.store.reopen()
        let attachments = try #require(try store.attachments("m1"))
        #expect(attachments.map(\.name) == ["first.png", "name"])
        #expect(attachments.map(\.mimeType.text) == ["image/png", "text/plain"])
        #expect(attachments.map(\.byteCount) == [3, 4])
        #expect(attachments.map(\.source) == ["https://a", nil])
        #expect(attachments.map(\.hasThumbnail) == [true, false])
        #expect(attachments.map(\.isStored) == [true, true])
        #expect(try attachments[0].digest == AttachmentStore.digest(Array("one".utf8)))
        #expect(try store.attachments("m2") == [])
        let page = try store.store.engine.makeReader().messages(MessageQuery(conversation: store.alice)).messages
        #expect(page.map(\.attachments.count) == [0, 2])
        var query = MessageQuery(conversation: store.alice)
        query.filter.hasAttachment = true
        #expect(try store.store.engine.makeReader().messages(query).messages.map(\.id.text) == ["m1"])
        query.filter.hasAttachment = false
        #expect(try store.store.engine.makeReader().messages(query).messages.map(\.id.text) == ["m2"])
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `an attachment has the metadata that it was saved with, and other metadata are another attachment`()
        throws
    {
        let metadata = try Metadata(data: [0, 255], type: "application/json")
        let longest = try Metadata(data: [UInt8](repeating: 7, count: 65_536), type: "")
        let attached = [
            try AttachmentStore.attachment("one", metadata: metadata), try attachment("two"),
            try AttachmentStore.attachment("three", metadata: longest),
        ]
        try store.save("m1", attached)
        try store.store.reopen()
        #expect(try store.attachments("m1")?.map(\.metadata) == [metadata, nil, longest])
        let query = AttachmentQuery(of: .conversation(store.alice))
        let listed = try store.store.engine.makeReader().attachments(query).attachments
        #expect(listed.map(\.attachment.metadata) == [longest, nil, metadata])
        // Saving the same attachments again changes nothing. Each difference of the metadata is a change.
        #expect(try store.save("m1", attached).updatedCount == 0)
        for other in [try Metadata(data: [0, 254], type: "application/json"), try Metadata(data: [0, 255], type: "")] {
            let changed = [try AttachmentStore.attachment("one", metadata: other)] + attached.dropFirst()
            #expect(try store.save("m1", changed).updatedCount == 1)
            #expect(try store.attachments("m1")?.first?.metadata == other)
        }
        let none = try Metadata(data: [], type: "text/plain")
        try store.save("m1", [try AttachmentStore.attachment("one", metadata: none)])
        #expect(try store.attachments("m1")?.map(\.metadata) == [nil])
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `an attachment is read by its message and index, in parts`() throws {
        try store.save("m1", [try attachment("first"), try attachment("second")])
        #expect(try store.text("m1") == "first")
        #expect(try store.text("m1", 1) == "second")
        #expect(try store.text("m1", 1, from: 2, byteCount: 3) == "con")
        #expect(try store.text("m1", 1, from: 6) == "" && store.text("m1", 1, from: 99) == "")
        #expect(reason { _ = try store.text("m1", 2) } == .attachmentNotFound)
        #expect(reason { _ = try store.text("m2") } == .messageNotFound)
        try store.save("m2")
        #expect(reason { _ = try store.text("m2") } == .attachmentNotFound)
    }

    @Test func `equal attachments share one content, which is deleted with the last of them`() throws {
        try store.save("m1", [try attachment("same"), try attachment("same"), try attachment("other")])
        try store.save("m2", [try AttachmentStore.known(Array("same".utf8))])
        #expect(try store.counts() == [2, 4, 2])
        #expect(try store.text("m2") == "same")
        _ = try store.store.engine.commit(.deleteMessages([try EntityID("m1")]))
        #expect(try store.counts() == [1, 1, 1])
        #expect(try store.text("m2") == "same")
        _ = try store.store.engine.commit(.deleteConversation(store.alice))
        #expect(try store.counts() == [0, 0, 0])
        #expect(
            reason { _ = try store.save("m3", [try AttachmentStore.known(Array("same".utf8))]) }
                == .attachmentContentNotFound)
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `messages are not saved if one refers to the digest of a missing content`() throws {
        let messages = try (0..<3).map { number in
            NewMessage(
                id: try EntityID("m\(number)"), conversation: store.alice, text: "text",
                attachments: number == 2 ? [try AttachmentStore.known([1])] : [])
        }
        #expect(reason { _ = try store.store.engine.commit(.saveMessages(messages)) } == .attachmentContentNotFound)
        #expect(try store.store.engine.statistics().revision == 0)
    }

    @Test func `saving a message again replaces its attachments, and equal attachments are no change`() throws {
        let (one, two) = (try attachment("one"), try attachment("two"))
        let first = try store.save("m1", [one, two], at: 5)
        #expect(try store.save("m1", [one, two], at: 5).revision == first.revision)
        #expect(try store.save("m1", [one, two], at: nil).updatedCount == 0)
        #expect(try store.save("m1", [two, one], at: 5).updatedCount == 1)
        #expect(try store.text("m1") == "two")
        // The attachments stay with the message when it moves to another conversation.
        #expect(try store.save("m1", [two, one], at: 9).updatedCount == 1)
        let bob = ConversationReference.session(try SessionID("bob"))
        try store.save("m1", [two, one], at: 9, in: bob)
        #expect(try store.attachments("m1")?.count == 2 && store.counts() == [2, 2, 2])
        #expect(try expectClean(store.store.engine) == [])
        _ = try store.store.engine.commit(.editMessage(try EntityID("m1"), text: "edited", editedAt: nil))
        #expect(try store.text("m1", 1) == "one")
        #expect(try store.save("m1", [], text: "edited", at: 9, in: bob).updatedCount == 1)
        #expect(try store.attachments("m1") == [] && store.counts() == [0, 0, 0])
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `a message that is saved without attachments keeps its attachments if the request says so`() throws {
        try store.save("m1", [AttachmentStore.attachment("one")], at: 5)
        for change in 0..<3 {
            let message = NewMessage(
                id: try EntityID("m1"), conversation: store.alice, text: "text \(change)",
                timestamp: Timestamp(microseconds: Int64(change) * 1_000_000), keepsAttachments: true)
            #expect(try store.store.engine.commit(.saveMessage(message)).updatedCount == 1)
            #expect(try store.text("m1") == "one" && store.counts() == [1, 1, 1])
            #expect(try expectClean(store.store.engine) == [])
        }
        try store.save("m1")
        #expect(try store.attachments("m1") == [] && store.counts() == [0, 0, 0])
    }

    @Test func `a draft keeps its attachments until a message gets them`() throws {
        let attachment = try attachment("drafted")
        func save(_ attachments: [NewAttachment], _ text: String = "") throws -> Commit {
            let content = DraftContent(text: text)
            return try store.store.engine.commit(
                .saveDraft(NewDraft(conversation: store.alice, content: content, attachments: attachments)))
        }
        #expect(try save([attachment]).createdCount == 1)
        #expect(try save([attachment]).updatedCount == 0)
        #expect(try save([attachment], "text").updatedCount == 1)
        let draft = try #require(try store.store.engine.makeReader().draft(in: store.alice))
        #expect(draft.attachments.map(\.byteCount) == [7] && draft.content.text == "text")
        #expect(try store.store.engine.makeReader().drafts(limit: 9, cursor: nil).drafts == [draft])
        #expect(try expectClean(store.store.engine) == [])
        let message = NewMessage(
            id: try EntityID("m1"), conversation: store.alice, text: "text",
            attachments: [try AttachmentStore.known(Array("drafted".utf8))])
        _ = try store.store.engine.commit(.saveMessage(message, clearsDraft: true))
        #expect(try store.counts() == [1, 1, 1] && store.text("m1") == "drafted")
        #expect(try save([self.attachment("x")]).createdCount == 1)
        #expect(try save([]).deletedCount == 1)
        #expect(try store.counts() == [1, 1, 1])
        #expect(try save([self.attachment("y")]).createdCount == 1)
        _ = try store.store.engine.commit(.deleteConversation(store.alice))
        #expect(try store.counts() == [0, 0, 0])
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test func `a cleared store has no attachments, and new messages get none of the old ones`() throws {
        try store.save("m1", [try attachment("one")])
        _ = try store.store.engine.commit(.clearAllData)
        #expect(try store.counts() == [0, 0, 0])
        try store.save("m1", [try attachment("one")])
        #expect(try store.text("m1") == "one")
        #expect(try expectClean(store.store.engine) == [])
    }

    @Test(arguments: [
        "", "text", "text/", "/plain", "text/plain/x", "text/pl ain", "text/plain; charset=utf-8", "té/x",
    ])
    func `a text that is not a type and a subtype is refused as a MIME type`(type: String) {
        #expect(reason { _ = try MIMEType(type) } == .invalidArgument)
    }

    @Test func `more attachments than a message or a request may have are refused`() throws {
        let one = try attachment("one")
        let most = [NewAttachment](repeating: one, count: EngineLimits.attachmentsMax)
        try store.save("m1", most)
        #expect(try store.attachments("m1")?.count == EngineLimits.attachmentsMax)
        #expect(reason { _ = try store.save("m2", most + [one]) } == .requestTooLarge)
        let messages = try (0..<9).map { number in
            NewMessage(id: try EntityID("n\(number)"), conversation: store.alice, text: "", attachments: most)
        }
        #expect(reason { _ = try store.store.engine.commit(.saveMessages(messages)) } == .requestTooLarge)
        #expect(
            reason { _ = try AttachmentStore.attachment("", name: String(repeating: "n", count: 256)) }
                == .invalidArgument)
    }

    @Test func `a check finds damaged rows of attachments`() throws {
        let damages = [
            "UPDATE attachment_contents SET reference_count = 7", "DELETE FROM attachment_contents",
            "UPDATE attachments SET message = 'other'", "UPDATE messages SET attachments = NULL",
            "UPDATE file_contents SET data = x'00'", "UPDATE attachment_contents SET stored = NULL",
        ]
        for damage in damages {
            let store = try AttachmentStore()
            try store.save("m1", [try attachment("x")])
            #expect(try expectClean(store.store.engine) == [])
            try store.store.engine.writer.perform { context throws(StoreError) in
                try context.commit { connection throws(StoreError) in try mapped(connection.execute(damage)) }
            }
            #expect(try !expectClean(store.store.engine).isEmpty, "\(damage)")
        }
    }
}
