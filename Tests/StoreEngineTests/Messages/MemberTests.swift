import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct MemberTests {
    private let store: TemporaryStore
    private let reader: StoreReader
    private let group = ConversationReference.session(SessionID(trusted: "group"))

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
        try store.engine.write(.getOrCreateConversation(SessionID("group"), id: nil, displayName: nil))
    }

    private func member(_ id: String, _ name: String = "", role: String = "") throws -> ConversationMember {
        ConversationMember(sessionID: try SessionID(id), name: name, role: role)
    }

    private func set(_ members: ConversationMember...) throws -> Commit {
        try store.engine.commit(.setMembers(group, members))
    }

    private var members: [ConversationMember] {
        get throws { try reader.members(of: group, limit: 1_000, cursor: nil).members }
    }

    @Test func `members are added, replaced, listed in the order of session ids, and removed`() throws {
        #expect(try set(member("b", "Bob"), member("a", "Ann", role: "admin")).createdCount == 2)
        #expect(try members == [member("a", "Ann", role: "admin"), member("b", "Bob")])
        let commit = try set(member("b", "Bob", role: "guest"), member("a", "Ann", role: "admin"), member("c"))
        #expect(commit.createdCount == 1 && commit.updatedCount == 1 && commit.ids == ["b", "a", "c"])
        #expect(try set(member("c"), member("b", "Bob", role: "guest")).updatedCount == 0)
        #expect(try set(member("b", "e\u{301}")).updatedCount == 1)
        #expect(try set(member("b", "\u{e9}")).updatedCount == 1)
        let removed = try store.engine.commit(
            .removeMembers(group, [SessionID("a"), SessionID("none"), SessionID("a")]))
        #expect(removed.deletedCount == 1 && removed.ids == ["a", "none"])
        let twice = try set(member("d", "first"), member("b", "Bea"), member("d", "second"))
        #expect(twice.createdCount == 1 && twice.updatedCount == 1 && twice.ids == ["d", "b"])
        #expect(try members.last?.name == "second")
        try store.engine.write(.removeMembers(group, [SessionID("d")]))
        #expect(try members.map(\.sessionID.text) == ["b", "c"])
        #expect(try expectClean(store.engine) == [])
    }

    /// The group of a merged archive can have more members than a call accepts. Reading them must not take the square
    /// of their number.
    @Test func `the record of a conversation with very many members is read in seconds`() throws {
        var conversation = WholeConversation()
        (conversation.id, conversation.sessionID) = (try EntityID("id"), try SessionID("group"))
        conversation.members = try (0..<50_000).map { try member("m\($0)", "name") }
        let bytes = conversation.encoded()
        let start = ContinuousClock.now
        let read = try bytes.withUnsafeBytes { try WholeConversation($0) }
        #expect(read.members?.count == 50_000)
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test func `pages of members have no gaps or repeats`() throws {
        for start in stride(from: 0, to: 600, by: 200) {
            try store.engine.write(.setMembers(group, (start..<start + 200).map { try member("m\($0)") }))
        }
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try reader.members(of: group, limit: 7, cursor: cursor)
            found += page.members.map(\.sessionID.text)
            cursor = page.nextCursor
        } while cursor != nil
        #expect(found == (0..<600).map { "m\($0)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func `changes of members name the member and the conversation, and update the conversation`() throws {
        let before = try #require(try reader.conversation(group, includeAvatar: false))
        let revision = try set(member("a")).revision
        #expect(try set(member("a")).revision == revision)
        _ = try set(member("a", "Ann"))
        try store.engine.write(.removeMembers(group, [SessionID("a")]))
        let filter = ChangeFilter(kinds: [.member], conversationID: before.id.text)
        let changes = try reader.changes(after: 0, limit: 10, filter).changes
        #expect(changes.map(\.operation) == [.created, .updated, .deleted])
        #expect(changes.allSatisfy { $0.id == "a" && $0.parent == before.id.text })
        let after = try #require(try reader.conversation(group, includeAvatar: false))
        #expect(after.updatedAt > before.updatedAt && after.lastActivityAt == before.lastActivityAt)
    }

    @Test func `members are deleted with their conversation, and a new one has none`() throws {
        try store.engine.write(.setMembers(group, (0..<200).map { try member("m\($0)") }))
        try store.engine.write(.deleteConversation(group))
        #expect(throws: StoreError.self) { try members }
        try store.engine.write(.getOrCreateConversation(SessionID("group"), id: nil, displayName: nil))
        #expect(try members == [])
        #expect(try set(member("m1")).createdCount == 1)
        #expect(try eventually { try store.engine.rowCount(of: "conversation_members") == 1 })
        #expect(try expectClean(store.engine) == [])
        try store.engine.write(.clearAllData)
        #expect(try eventually { try store.engine.rowCount(of: "conversation_members") == 0 })
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `values and lists above the limits are refused`() throws {
        #expect(throws: StoreError.self) { try set(member("a", String(repeating: "n", count: 1_025))) }
        #expect(throws: StoreError.self) { try set(member("a", role: String(repeating: "r", count: 65))) }
        #expect(throws: StoreError.self) { try store.engine.write(.setMembers(group, [])) }
        for start in stride(from: 0, to: EngineLimits.membersMax, by: EngineLimits.requestEntitiesMax) {
            let ids = start..<start + EngineLimits.requestEntitiesMax
            try store.engine.write(.setMembers(group, ids.map { try member("m\($0)") }))
        }
        #expect(throws: StoreError.self) { try set(member("one more")) }
        #expect(try set(member("m1", "a name")).updatedCount == 1)
        try store.engine.write(.removeMembers(group, [SessionID("m2")]))
        #expect(try set(member("one more"), member("m1")).createdCount == 1)
    }
}
