import ConversationStorage
import GhostTestSupport
import StoreClient
import Testing

/// Runs the examples from the embedded storage manager's documentation, in order, against the daemon. To migrate, an
/// application changes the import and adds `await`.
@Suite(.timeLimit(.minutes(1))) struct ConversationExampleTests {
    private let mySessionID = "05ME"
    private let recipientSessionID = "05ABC123"

    @Test func `the documented examples do what they say`() async throws {
        try await withDaemon { daemon in
            let storageManager = try await StorageManager(socketPath: daemon.socketPath)

            let conversation = try await storageManager.getOrCreateConversation(withSessionID: recipientSessionID)
            #expect(conversation.sessionID == recipientSessionID)

            let message = Message(text: "Hello, World!", isOutgoing: true, status: .sending)
            try await storageManager.saveMessage(
                message, conversationID: conversation.id, senderSessionID: mySessionID,
                recipientSessionID: recipientSessionID)

            let messages = try await storageManager.getMessages(
                forConversationWithSessionID: recipientSessionID, limit: 100)
            #expect(messages.map(\.text) == ["Hello, World!"])
            #expect(messages.first?.id == message.id && messages.first?.status == .sending)

            let messageID = message.id
            try await storageManager.updateMessageStatus(messageID, status: .delivered)
            #expect(try await storageManager.getMessage(id: messageID).status == .delivered)

            let avatarImageData: [UInt8] = [0xff, 0xd8, 0xff]
            try await storageManager.saveContact(
                sessionID: "05ABC123", displayName: "Alice", avatarData: avatarImageData)
            let contact = try await storageManager.getContact(sessionID: "05ABC123", includeAvatar: true)
            #expect(contact.displayName == "Alice" && contact.avatar == avatarImageData)

            try await storageManager.blockContact(sessionID: "05ABC123")
            #expect(try await storageManager.getContact(sessionID: "05ABC123").isBlocked)
            try await storageManager.unblockContact(sessionID: "05ABC123")
            #expect(try await storageManager.getContact(sessionID: "05ABC123").isBlocked == false)

            let stats = try await storageManager.getStatistics()
            #expect(stats.conversationCount == 1)
            #expect(stats.messageCount == 1)
            #expect(stats.unreadCount == 0)
            await storageManager.close()
        }
    }

    /// The service class from the documented integration: it owns the storage manager and reads through it.
    private struct ChatService {
        let storageManager: StorageManager

        func getConversationMessages(_ sessionID: String) async -> [Message] {
            (try? await storageManager.getMessages(forConversationWithSessionID: sessionID)) ?? []
        }
    }

    @Test func `a chat service reads its messages, and none of an unknown conversation`() async throws {
        try await withStorage { storage in
            let service = ChatService(storageManager: storage)
            #expect(await service.getConversationMessages("05ABC123").isEmpty)
            let conversation = try await storage.getOrCreateConversation(withSessionID: "05ABC123")
            try await storage.saveMessage(
                Message(text: "received", isOutgoing: false, status: .delivered), conversationID: conversation.id,
                senderSessionID: "05ABC123", recipientSessionID: mySessionID)
            #expect(await service.getConversationMessages("05ABC123").map(\.text) == ["received"])
        }
    }

    @Test func `errors are handled as documented`() async throws {
        try await withStorage { storage in
            do throws(StorageError) {
                _ = try await storage.getMessages(forConversationWithSessionID: "05NOBODY")
                Issue.record("messages of a conversation that is not there")
            } catch .conversationNotFound {
                // The documentation promises this error.
            } catch {
                Issue.record("another error: \(error)")
            }
        }
    }
}
