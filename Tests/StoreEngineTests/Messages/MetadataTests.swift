import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests data of the application's own: kinds, names of senders and metadata.
@Suite struct MetadataTests {
    private static let inline = [UInt8](repeating: 7, count: 100)
    private static let long = [UInt8](repeating: 8, count: EngineLimits.metadataBytesMax)

    private let store: TemporaryStore
    private let reader: StoreReader

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
    }

    private func message(_ data: [UInt8]?, _ text: String = "hello", type: String = "") throws -> NewMessage {
        NewMessage(
            id: try EntityID("m1"), conversation: .session(try SessionID("alice")), text: text,
            timestamp: Timestamp(microseconds: 1), kind: "notice", senderName: "Alice",
            metadata: try data.map { try Metadata(data: $0, type: type) })
    }

    private var saved: StoredMessage? {
        get throws { try reader.message(EntityID("m1")) }
    }

    private var rowCount: Int {
        get throws { try store.engine.rowCount(of: "message_texts") }
    }

    @Test func `short and long metadata of short and long texts are read back`() throws {
        for text in ["short", String(repeating: "long ", count: 2_000)] {
            for data in [Self.inline, Self.long, nil, Self.long, Self.inline] {
                try store.engine.write(.saveMessage(message(data, text, type: "text/plain")))
                #expect(try saved?.text == text)
                #expect(try saved?.metadata?.content.data == data)
                let isLong = text.utf8.count > EngineLimits.inlineTextBytesMax || data == Self.long
                #expect(try rowCount == (isLong ? 1 : 0))
                #expect(try expectClean(store.engine) == [])
            }
        }
    }

    @Test func `an edit keeps kind, name and metadata`() throws {
        try store.engine.write(.saveMessage(message(Self.long)))
        for text in ["edited", String(repeating: "long ", count: 2_000), "short again"] {
            try store.engine.write(.editMessage(EntityID("m1"), text: text, editedAt: nil))
            #expect(try saved?.text == text)
            #expect(try saved?.metadata?.content.data == Self.long)
            #expect(try saved?.kind == "notice" && saved?.senderName == "Alice")
            #expect(try expectClean(store.engine) == [])
        }
    }

    @Test func `saving the same again changes nothing, and another kind, name, type or byte does`() throws {
        let first = try message(Self.long, type: "a/b")
        try store.engine.write(.saveMessage(first))
        #expect(try store.engine.commit(.saveMessage(first)).updatedCount == 0)
        var kind = first
        kind.kind = "call"
        var name = kind
        name.senderName = "A\u{308}lice"
        var composed = name
        composed.senderName = "\u{c4}lice"
        var type = composed
        type.metadata = try Metadata(data: Self.long, type: "a/c")
        var byte = type
        byte.metadata = try Metadata(data: Self.long.dropLast() + [9], type: "a/c")
        var none = byte
        none.metadata = nil
        for message in [kind, name, composed, type, byte, none] {
            #expect(try store.engine.commit(.saveMessage(message)).updatedCount == 1)
            #expect(try store.engine.commit(.saveMessage(message)).updatedCount == 0)
            #expect(try saved?.metadata == message.metadata && saved?.kind == message.kind)
        }
        #expect(try rowCount == 0)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `empty texts and metadata without data count as absent`() throws {
        var empty = try message([])
        (empty.kind, empty.senderName) = ("", "")
        try store.engine.write(.saveMessage(empty))
        let found = try #require(try saved)
        #expect(found.kind == nil && found.senderName == nil && found.metadata == nil)
    }

    @Test func `values above the limits are refused`() throws {
        #expect(throws: StoreError.self) { try Metadata(data: Self.long + [0], type: "") }
        #expect(throws: StoreError.self) { try Metadata(data: [1], type: String(repeating: "t", count: 257)) }
        var kind = try message(nil)
        kind.kind = String(repeating: "k", count: EngineLimits.kindBytesMax + 1)
        #expect(throws: StoreError.self) { try store.engine.write(.saveMessage(kind)) }
        var name = try message(nil)
        name.senderName = String(repeating: "n", count: EngineLimits.senderNameBytesMax + 1)
        #expect(throws: StoreError.self) { try store.engine.write(.saveMessage(name)) }
    }

    @Test func `a page with metadata ends at its size`() throws {
        for number in 0..<100 {
            var message = try message(Self.long)
            message.id = try EntityID("m\(number)")
            try store.engine.write(.saveMessage(message))
        }
        let page = try reader.messages(MessageQuery(conversation: .session(SessionID("alice"))))
        #expect(page.hasMore && 1..<EngineLimits.pageBytesMax / Self.long.count + 1 ~= page.messages.count)
    }

    @Test func `metadata keep the fields of a later version`() throws {
        let bytes = try Metadata(data: [1], type: "a/b").bytes.inserting(unknown: [0x98, 0x06, 1])
        var body = WholeMessage()
        body.metadata = Metadata(stored: bytes)
        #expect(try WholeMessage(body: body.body).metadata?.bytes == bytes)
        body.metadata = Metadata(stored: [])
        #expect(throws: StoreError.self) { try WholeMessage(body: body.body) }
    }

    // MARK: Conversations and contacts

    private let alice = ConversationReference.session(SessionID(trusted: "alice"))

    private func update(_ update: ConversationUpdate) throws -> Int {
        try store.engine.commit(.updateConversation(alice, update)).updatedCount
    }

    private var conversation: Conversation? {
        get throws { try reader.conversation(alice, includeAvatar: false) }
    }

    @Test func `kind and metadata of a conversation are set, kept, listed and removed`() throws {
        let metadata = try Metadata(data: Self.long, type: "a/b")
        try store.engine.write(.getOrCreateConversation(SessionID(trusted: "alice"), id: nil, displayName: nil))
        #expect(try update(ConversationUpdate(kind: "group", metadata: metadata)) == 1)
        #expect(try update(ConversationUpdate(kind: "group", metadata: metadata)) == 0)
        #expect(try update(ConversationUpdate(displayName: "Alice")) == 1)
        try store.engine.write(.saveMessage(message(nil)))
        #expect(try conversation?.kind == "group" && conversation?.metadata == metadata)
        for isMuted in [nil, false] {
            let listed = try reader.conversations(ConversationQuery(isMuted: isMuted)).conversations
            #expect(listed.map(\.metadata) == [metadata] && listed.map(\.kind) == ["group"])
            #expect(listed.map(\.lastMessage?.id.text) == ["m1"])
        }
        #expect(try update(ConversationUpdate(kind: "", metadata: Metadata(data: [], type: "a/b"))) == 1)
        #expect(try conversation?.kind == nil && conversation?.metadata == nil)
        #expect(try store.engine.rowCount(of: "conversation_metadata") == 0)
        #expect(try update(ConversationUpdate(metadata: metadata)) == 1)
        #expect(try expectClean(store.engine) == [])
        try store.engine.write(.deleteConversation(alice))
        #expect(try store.engine.rowCount(of: "conversation_metadata") == 0)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `the answer to a repeated creation has the kind of then and the metadata of now`() throws {
        try store.engine.write(.getOrCreateConversation(SessionID(trusted: "alice"), id: nil, displayName: nil))
        #expect(try update(ConversationUpdate(kind: "group", metadata: Metadata(data: [1], type: ""))) == 1)
        let key = try IdempotencyKey("key of the creation")
        func found() throws -> Conversation? {
            let result = try store.engine.write(
                .getOrCreateConversation(SessionID(trusted: "alice"), id: nil, displayName: nil), key: key)
            guard case .conversation(let conversation, _, _) = result else { return nil }
            return conversation
        }
        #expect(try found()?.kind == "group" && found()?.metadata?.content.data == [1])
        #expect(try update(ConversationUpdate(kind: "", metadata: Metadata(data: [2], type: ""))) == 1)
        #expect(try found()?.kind == "group" && found()?.metadata?.content.data == [2])
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `metadata of a contact are set, kept, listed and removed`() throws {
        let bob = try SessionID("bob")
        let metadata = try Metadata(data: Self.long, type: "a/b")
        func save(_ update: ContactUpdate) throws -> Int {
            let commit = try store.engine.commit(.saveContact(update))
            return commit.updatedCount + commit.createdCount
        }
        #expect(try save(ContactUpdate(sessionID: bob, metadata: metadata)) == 1)
        #expect(try save(ContactUpdate(sessionID: bob, metadata: metadata)) == 0)
        #expect(try save(ContactUpdate(sessionID: bob, notes: "from school")) == 1)
        #expect(try reader.contact(bob, includeAvatar: false)?.metadata == metadata)
        #expect(try reader.contacts(ContactQuery()).contacts.map(\.metadata) == [metadata])
        #expect(try save(ContactUpdate(sessionID: bob, metadata: Metadata(data: [], type: ""))) == 1)
        #expect(try reader.contact(bob, includeAvatar: false)?.metadata == nil)
        #expect(try save(ContactUpdate(sessionID: bob, metadata: metadata)) == 1)
        #expect(try expectClean(store.engine) == [])
        try store.engine.write(.deleteContact(bob))
        #expect(try store.engine.rowCount(of: "contact_metadata") == 0)
        #expect(try expectClean(store.engine) == [])
    }

    // MARK: Kinds

    private func save(_ id: String, kind: String) throws {
        var message = try message(nil, id)
        (message.id, message.kind) = (try EntityID(id), kind)
        try store.engine.write(.saveMessage(message))
    }

    @Test func `lists and searches select messages by kind, and an empty kind means none`() throws {
        for (id, kind) in [("a", "call"), ("b", ""), ("c", "notice"), ("d", "call"), ("\u{e9}", "\u{e9}")] {
            try save(id, kind: kind)
        }
        for (kind, ids) in [("call", ["a", "d"]), ("", ["b"]), ("none", []), ("e\u{301}", []), ("\u{e9}", ["\u{e9}"])] {
            var query = MessageQuery(conversation: alice, order: .oldestFirst)
            query.filter.kind = kind
            #expect(try reader.messages(query).messages.map(\.id.text) == ids)
            var search = MessageSearch(try SearchQuery("a OR b OR c OR d OR \u{e9}"), limit: 10)
            search.filter.kind = kind
            var found: [String] = []
            _ = try reader.searchMessages(search) { message in
                found.append(StoredMessage(message.message).id.text)
                return .goOn
            }
            #expect(found.sorted() == ids)
        }
    }

    @Test func `a list selects conversations by kind`() throws {
        for (session, kind) in [("a", "group"), ("b", ""), ("c", "group")] {
            try store.engine.write(.getOrCreateConversation(SessionID(session), id: nil, displayName: nil))
            try store.engine.write(.updateConversation(.session(SessionID(session)), ConversationUpdate(kind: kind)))
        }
        func sessions(_ kind: String) throws -> Set<String> {
            Set(try reader.conversations(ConversationQuery(kind: kind)).conversations.map(\.sessionID.text))
        }
        #expect(try sessions("group") == ["a", "c"])
        #expect(try sessions("") == ["b"])
        #expect(try sessions("channel") == [])
    }

    @Test func `a change has the kind of its message or conversation`() throws {
        func kinds(of operation: () throws -> Void) throws -> [String] {
            let revision = try store.engine.statistics().revision
            try operation()
            return try reader.changes(after: revision, limit: 10).changes.map {
                "\($0.kind).\($0.operation) \($0.kindName)"
            }
        }
        let id = try EntityID("a")
        #expect(try kinds { try save("a", kind: "call") } == ["conversation.created ", "message.created call"])
        #expect(
            try kinds { _ = try update(ConversationUpdate(kind: "group")) } == ["conversation.updated group"])
        #expect(
            try kinds { _ = try update(ConversationUpdate(isMuted: true)) } == ["conversation.updated group"])
        #expect(
            try kinds { try store.engine.write(.editMessage(id, text: "b", editedAt: nil)) } == ["message.updated call"]
        )
        #expect(
            try kinds { try store.engine.write(.updateMessageStatus([id], .sent)) } == ["message.updated call"])
        #expect(try kinds { try store.engine.write(.markMessagesRead([id])) } == ["message.updated call"])
        #expect(try kinds { try save("a", kind: "notice") } == ["message.updated notice"])
        #expect(try kinds { try store.engine.write(.deleteMessages([id])) } == ["message.deleted notice"])
        #expect(try kinds { try store.engine.write(.deleteConversation(alice)) } == ["conversation.deleted group"])
        let all = try reader.changes(after: 0, limit: 100)
        let calls = try reader.changes(after: 0, limit: 100, ChangeFilter(kindName: "call"))
        #expect(calls.changes == all.changes.filter { $0.kindName == "call" } && calls.changes.count == 4)
        try store.engine.write(.clearAllData)
        let cleared = try reader.changes(after: all.revision, limit: 100, ChangeFilter(kindName: "call"))
        #expect(cleared.changes.map(\.operation) == [.cleared])
    }
}
