import StoreBasics
import Testing

@testable import StoreEngine

/// Tests pages of large entities. Each page has at least one entity and is only a little larger than the limit, and
/// together they contain all entities.
@Suite struct PageBytesTests {
    private static let avatar = [UInt8](repeating: 1, count: EngineLimits.avatarBytesMax)
    private static let text = String(repeating: "x", count: EngineLimits.messageTextBytesMax)
    private static let entityBytesMax = avatar.count + text.utf8.count + 4_096

    @Test func `conversations with avatars are listed in pages of limited size`() throws {
        let store = try TemporaryStore()
        for number in 0..<6 {
            let reference = ConversationReference.session(try SessionID("c\(number)"))
            try store.engine.write(.saveMessage(NewMessage(conversation: reference, text: Self.text)))
            let update = ConversationUpdate(avatar: number < 3 ? Self.avatar : nil, isPinned: number.isMultiple(of: 2))
            try store.engine.write(.updateConversation(reference, update))
        }
        let reader = store.engine.makeReader()
        var query = ConversationQuery(limit: 1_000, includeAvatars: true)
        var seen: [String] = []
        var pages = 0
        repeat {
            let page = try reader.conversations(query)
            let bytes = page.conversations.reduce(0) { $0 + $1.byteCount }
            #expect(!page.conversations.isEmpty && bytes <= Self.entityBytesMax)
            seen += page.conversations.map(\.sessionID.text)
            query.cursor = page.nextCursor
            pages += 1
        } while query.cursor != nil && pages < 10
        #expect(seen.sorted() == (0..<6).map { "c\($0)" })
        #expect(pages > 3)
    }

    @Test func `contacts with avatars and notes are listed in pages of limited size`() throws {
        let store = try TemporaryStore()
        let notes = String(repeating: "n", count: EngineLimits.notesBytesMax)
        for number in 10..<20 {
            let isLarge = number < 13
            try store.engine.write(
                .saveContact(
                    ContactUpdate(
                        sessionID: try SessionID("\(number)"), avatar: isLarge ? Self.avatar : nil, notes: notes)))
        }
        let reader = store.engine.makeReader()
        var query = ContactQuery(limit: 1_000, includeAvatars: true)
        var pages: [[String]] = []
        repeat {
            let page = try reader.contacts(query)
            pages.append(page.contacts.map(\.sessionID.text))
            query.cursor = page.nextCursor
        } while query.cursor != nil && pages.count < 10
        #expect(pages == [["10"], ["11"], ["12"], (13..<20).map { "\($0)" }])
    }

    @Test(arguments: [MessageOrder.newestFirst, .oldestFirst])
    func `messages with long texts are listed in pages of limited size`(order: MessageOrder) throws {
        let store = try TemporaryStore()
        let alice = ConversationReference.session(try SessionID("alice"))
        for number in 0..<10 {
            let text = number == 5 ? "short" : Self.text
            try store.engine.write(
                .saveMessage(
                    NewMessage(
                        id: try EntityID("m\(number)"), conversation: alice, text: text,
                        timestamp: Timestamp(microseconds: Int64(number)))))
        }
        let reader = store.engine.makeReader()
        var query = MessageQuery(conversation: alice, limit: 100, order: order)
        var pages: [[String]] = []
        var hasMore = true
        while hasMore, pages.count < 10 {
            let page = try reader.messages(query)
            pages.append(page.messages.map(\.id.text))
            hasMore = page.hasMore
            if order == .newestFirst { query.before = page.last } else { query.after = page.last }
        }
        let expected = (0..<10).map { "m\($0)" }
        #expect(pages.flatMap { $0 } == (order == .newestFirst ? expected.reversed() : expected))
        #expect(pages.allSatisfy { (1...4).contains($0.count) })
    }

    @Test func `an entity larger than a page is a page of its own`() {
        var bytes = PageBytes()
        let admitsFirst = bytes.admit(EngineLimits.pageBytesMax + 1)
        #expect(admitsFirst)
        let admitsMore = bytes.admit(1)
        #expect(!admitsMore)
    }
}
