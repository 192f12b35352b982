import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Tests the list of the attachments of all messages, largest first.
@Suite struct AttachmentSizeListTests {
    /// An attachment with the order that the list should have.
    private struct Sample {
        let message: String
        let conversation: String
        let position: Int
        let byteCount: Int
        /// Counts contents and saved messages from the first one on.
        let content: Int
        let list: Int
        let isImage: Bool

        var name: String { "\(message) \(position)" }

        static func isAhead(_ left: Sample, _ right: Sample) -> Bool {
            (left.byteCount, left.content, left.list, left.position)
                > (right.byteCount, right.content, right.list, right.position)
        }
    }

    private let clocks = FakeClocks()
    private let store: AttachmentStore

    init() throws {
        store = try AttachmentStore(clocks: clocks.clocks)
    }

    private var engine: StoreEngine { store.store.engine }

    private func conversation(_ sessionID: String) -> ConversationReference {
        .session(SessionID(trusted: sessionID))
    }

    /// Saves messages with up to three attachments in three conversations. Many contents are equally large, and many
    /// attachments have the same content.
    private func fill(_ count: Int, _ random: inout SplitMix) throws -> [Sample] {
        var contents: [String: Int] = [:]
        var samples: [Sample] = []
        for number in 0..<count {
            let (id, session) = ("m\(number)", "c\(number % 3)")
            var attachments: [NewAttachment] = []
            for position in 0..<Int.random(in: 0...3, using: &random) {
                let byteCount = Int.random(in: 1...6, using: &random)
                let text = String(repeating: Bool.random(using: &random) ? "a" : "b", count: byteCount)
                let isImage = Bool.random(using: &random)
                contents[text] = contents[text] ?? contents.count
                attachments.append(try AttachmentStore.attachment(text, type: isImage ? "image/png" : "text/plain"))
                samples.append(
                    Sample(
                        message: id, conversation: session, position: position, byteCount: byteCount,
                        content: try #require(contents[text]), list: number, isImage: isImage))
            }
            try store.save(id, attachments, at: Int64.random(in: 0..<100, using: &random), in: conversation(session))
        }
        return samples
    }

    private func pages(_ query: AttachmentQuery) throws -> [ListedAttachment] {
        var query = query
        var listed: [ListedAttachment] = []
        while true {
            let page = try store.store.reader.attachments(query)
            #expect(page.attachments.count <= query.limit)
            listed += page.attachments
            guard let next = page.nextCursor else { return listed }
            #expect(next != query.cursor, "every page advances")
            query.cursor = try AttachmentCursor(next.text)
        }
    }

    private func names(_ listed: [ListedAttachment]) -> [String] {
        listed.map { "\($0.messageID.text) \($0.position)" }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `pages of every size contain the attachments of all messages, largest first`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let samples = try fill(40, &random).sorted(by: Sample.isAhead)
        for limit in 1...samples.count + 1 {
            #expect(names(try pages(AttachmentQuery(of: .store, limit: limit))) == samples.map(\.name), "\(limit)")
        }
        let images = AttachmentQuery(of: .store, mimeTypePrefix: "image/", limit: 3)
        #expect(names(try pages(images)) == samples.filter(\.isImage).map(\.name))
        let listed = try pages(AttachmentQuery(of: .store, limit: 1_000))
        for (one, sample) in zip(listed, samples) {
            let found = try store.store.reader.conversation(
                conversation(sample.conversation), includeAvatar: false)
            #expect(one.conversationID == found?.id)
        }
        #expect(listed.map(\.attachment.byteCount) == samples.map { UInt64($0.byteCount) })
    }

    @Test func `the list has no attachments of drafts, and none of messages that are deleted or have expired`() throws {
        try store.save("kept", [try AttachmentStore.attachment("kept")], in: conversation("c0"))
        try store.save("again", [try AttachmentStore.attachment("earlier")], in: conversation("c0"))
        try store.save("again", [try AttachmentStore.attachment("later")], in: conversation("c0"))
        try store.save("gone", [try AttachmentStore.attachment("of a deleted message")], in: conversation("c0"))
        try store.save("other", [try AttachmentStore.attachment("of a deleted conversation")], in: conversation("c1"))
        let draft = NewDraft(
            conversation: conversation("c2"), content: DraftContent(text: ""),
            attachments: [try AttachmentStore.attachment("of a draft, which is large")])
        try engine.write(.saveDraft(draft))
        var expiring = NewMessage(
            id: try EntityID("over"), conversation: conversation("c0"), text: "text",
            attachments: [try AttachmentStore.attachment("of an expired message")])
        expiring.timer = .timer(
            MessageTimer(lifetime: try RetentionPeriod(milliseconds: 60_000), start: .sending))
        try engine.write(.saveMessage(expiring))
        clocks.pass(seconds: 61)
        // Rows of deleted messages and conversations stay for a while. Without a removal, they stay during this test.
        try engine.execute("DELETE FROM messages WHERE id = 'gone'")
        try engine.execute("DELETE FROM conversations WHERE session_id = 'c1'")
        for limit in [1, 2, 100] {
            let listed = try pages(AttachmentQuery(of: .store, limit: limit))
            #expect(names(listed) == ["again 0", "kept 0"], "\(limit)")
        }
    }

    @Test func `a page continues at its cursor while messages are deleted`() throws {
        var random = SplitMix(seed: 3)
        var samples = try fill(60, &random).sorted(by: Sample.isAhead)
        var query = AttachmentQuery(of: .store, limit: 4)
        var listed: [String] = []
        while true {
            let page = try store.store.reader.attachments(query)
            #expect(names(page.attachments) == Array(samples.prefix(4).map(\.name)))
            listed += names(page.attachments)
            samples.removeFirst(min(4, samples.count))
            guard let next = page.nextCursor else { break }
            query.cursor = next
            // The message of the cursor is deleted, and a message that may still follow.
            for message in [page.attachments.last?.messageID.text, samples.randomElement(using: &random)?.message] {
                guard let message else { continue }
                try engine.write(.deleteMessages([try EntityID(message)]))
                samples.removeAll { $0.message == message }
            }
        }
        #expect(samples.isEmpty && Set(listed).count == listed.count)
    }

    @Test func `a cursor of another list is refused`() throws {
        for id in ["m1", "m2"] {
            try store.save(id, [try AttachmentStore.attachment("x"), try AttachmentStore.attachment("y")])
        }
        let owners: [AttachmentQuery.Owner] = [.store, .conversation(store.alice)]
        for (owner, other) in [(owners[0], owners[1]), (owners[1], owners[0])] {
            let page = try store.store.reader.attachments(AttachmentQuery(of: owner, limit: 1))
            let query = AttachmentQuery(of: other, limit: 1, cursor: page.nextCursor)
            #expect(query.cursor != nil)
            #expect(reason { _ = try store.store.reader.attachments(query) } == .invalidArgument)
        }
        for text in ["", "1", "1.2", "1.2.3.4.5", "a.b.c.d", "1.2.3."] {
            #expect(reason { _ = try AttachmentCursor(text) } == .invalidArgument, "\(text)")
        }
    }

    @Test func `a list that skips many attachments ends its pages early and finds all`() throws {
        for start in stride(from: 0, to: 4_000, by: 100) {
            let messages = try (start..<start + 100).map { number in
                let type = number % 1_500 == 0 ? "image/png" : "text/plain"
                return NewMessage(
                    id: try EntityID("m\(number)"), conversation: store.alice, text: "text",
                    attachments: [try AttachmentStore.attachment("\(10_000 + number)", type: type)])
            }
            try engine.write(.saveMessages(messages))
        }
        let images = try pages(AttachmentQuery(of: .store, mimeTypePrefix: "image/", limit: 10))
        #expect(images.map(\.messageID.text) == ["m3000", "m1500", "m0"])
    }
}
