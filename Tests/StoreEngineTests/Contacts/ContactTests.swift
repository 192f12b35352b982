import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct ContactTests {
    let store: TemporaryStore
    let reader: StoreReader

    init() throws {
        store = try TemporaryStore()
        reader = store.engine.makeReader()
    }

    @Test func `saving a contact creates it, and then changes only the given fields`() throws {
        let alice = try SessionID("alice")
        try store.engine.write(.saveContact(ContactUpdate(sessionID: alice, displayName: "Alice", notes: "n")))
        try store.engine.write(.saveContact(ContactUpdate(sessionID: alice, avatar: [9], isTrusted: true)))
        let contact = try #require(try reader.contact(alice, includeAvatar: true))
        #expect(contact.displayName == "Alice")
        #expect(contact.notes == "n")
        #expect(contact.isTrusted)
        #expect(contact.avatar == [9])
        #expect(try store.engine.statistics().contactCount == 1)
    }

    @Test func `blocking creates a missing contact and unblocking does not`() throws {
        let eve = try SessionID("eve")
        let error = #expect(throws: StoreError.self) { try store.engine.write(.setContactBlocked(eve, false)) }
        #expect(error?.reason == .contactNotFound)
        try store.engine.write(.setContactBlocked(eve, true))
        #expect(try reader.contact(eve, includeAvatar: false)?.isBlocked == true)
        try store.engine.write(.setContactBlocked(eve, false))
        #expect(try reader.contact(eve, includeAvatar: false)?.isBlocked == false)
        try store.engine.write(.deleteContact(eve))
        #expect(try reader.contact(eve, includeAvatar: false) == nil)
        #expect(try store.engine.statistics().contactCount == 0)
    }

    @Test func `contacts are listed by name, and those without a name last`() throws {
        for (session, name) in [("1", "bob"), ("2", nil), ("3", "Alice"), ("4", "émile"), ("5", "carol")] {
            try store.engine.write(.saveContact(ContactUpdate(sessionID: try SessionID(session), displayName: name)))
        }
        var seen: [String?] = []
        var query = ContactQuery(limit: 2)
        repeat {
            let page = try reader.contacts(query)
            seen += page.contacts.map(\.displayName)
            query.cursor = page.nextCursor
        } while query.cursor != nil
        #expect(seen == ["Alice", "bob", "carol", "émile", nil])
        #expect(try expectClean(store.engine) == [])
    }
}
