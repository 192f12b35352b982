import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct ContactCallTests {
    @Test func `a contact is created, partly changed, and deleted`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.saveContact(
                ContactUpdate(
                    sessionID: "05a", displayName: .set("Alice"), avatar: .set([1, 2]), notes: .set("n"),
                    isTrusted: true))
            try await client.saveContact(ContactUpdate(sessionID: "05a", notes: .remove))
            let contact = try await client.contact(sessionID: "05a", includeAvatar: true)
            #expect(contact.displayName == "Alice" && contact.avatar == [1, 2] && contact.notes == nil)
            #expect(contact.isTrusted && !contact.isBlocked)
            try await client.deleteContact(sessionID: "05a")
            let error = await #expect(throws: StoreClientError.self) { _ = try await client.contact(sessionID: "05a") }
            #expect(error?.reason == .contactNotFound)
        }
    }

    @Test func `blocking creates a missing contact, and unblocking does not`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.blockContact(sessionID: "05a")
            #expect(try await client.contact(sessionID: "05a").isBlocked)
            try await client.unblockContact(sessionID: "05a")
            #expect(try await client.contact(sessionID: "05a").isBlocked == false)
            let error = await #expect(throws: StoreClientError.self) {
                try await client.unblockContact(sessionID: "05z")
            }
            #expect(error?.reason == .contactNotFound)
        }
    }

    @Test func `contacts are listed by name, those without one last, in pages and by filter`() async throws {
        try await withDaemonAndClient { _, client in
            for (sessionID, name) in [("1", "zoe"), ("2", "Alice"), ("3", nil), ("4", "bob")] {
                try await client.saveContact(
                    ContactUpdate(sessionID: sessionID, displayName: name.map { .set($0) } ?? .keep))
            }
            try await client.blockContact(sessionID: "4")
            var sessionIDs: [String] = []
            var cursor: String?
            repeat {
                let page = try await client.contactPage(limit: 2, cursor: cursor)
                sessionIDs += page.contacts.map(\.sessionID)
                cursor = page.nextCursor
            } while cursor != nil
            #expect(sessionIDs == ["2", "4", "1", "3"])
            let blocked = try await client.contactPage(ContactFilter(isBlocked: true)).contacts
            #expect(blocked.map(\.sessionID) == ["4"])
        }
    }
}
