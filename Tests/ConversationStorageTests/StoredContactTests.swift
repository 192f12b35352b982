import ConversationStorage
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(1))) struct StoredContactTests {
    @Test func `a contact is saved, partly changed, listed and deleted`() async throws {
        try await withStorage { storage in
            try await storage.saveContact(sessionID: "05B", displayName: "Bob", notes: "met in May", isTrusted: true)
            try await storage.saveContact(sessionID: "05A", displayName: "Alice")
            try await storage.saveContact(sessionID: "05B", displayName: "Robert")
            let contact = try await storage.getContact(sessionID: "05B")
            #expect(contact.displayName == "Robert" && contact.notes == "met in May" && contact.isTrusted)
            #expect(try await storage.getAllContacts().map(\.displayName) == ["Alice", "Robert"])
            try await storage.deleteContact(sessionID: "05B")
            await #expect(throws: StorageError.contactNotFound) { _ = try await storage.getContact(sessionID: "05B") }
        }
    }

    @Test func `blocking creates a missing contact, and unblocking a missing contact fails`() async throws {
        try await withStorage { storage in
            try await storage.blockContact(sessionID: "05A")
            #expect(try await storage.getContact(sessionID: "05A").isBlocked)
            await #expect(throws: StorageError.contactNotFound) { try await storage.unblockContact(sessionID: "05Z") }
        }
    }

    @Test func `clearing all data leaves empty statistics`() async throws {
        try await withStorage { storage in
            try await storage.saveContact(sessionID: "05A")
            _ = try await storage.getOrCreateConversation(withSessionID: "05A")
            try await storage.clearAllData()
            let statistics = try await storage.getStatistics()
            #expect(statistics.conversationCount == 0 && statistics.messageCount == 0)
            #expect(statistics.contactCount == 0 && statistics.unreadCount == 0)
        }
    }

    @Test func `a manager without a daemon throws an error with the cause`() async throws {
        let directory = try TemporaryDirectory()
        let error = await #expect(throws: StorageError.self) {
            _ = try await StorageManager(socketPath: directory.file("none"))
        }
        guard case .failed(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause.reason == .socketAbsent)
    }
}
