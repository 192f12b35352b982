import BlobStorage
import GhostTestSupport
import StoreClient
import Testing

/// Runs the examples from the documentation of the library that BlobStorage replaces, in order, against the daemon.
@Suite(.timeLimit(.minutes(1))) struct BlobExampleTests {
    @Test func `the documented examples do what they say`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            let storage = BlobStorage(client: client)

            #expect(try await storage.hasMessages() == false)
            #expect(try await storage.loadMessages().isEmpty)

            let messages = [
                BlobMessage(text: "Hello", isSent: true, messageType: .shortMessage),
                BlobMessage(text: "World", isSent: false, messageType: .longMessage),
            ]
            try await storage.saveMessages(messages)

            let loadedMessages = try await storage.loadMessages()
            #expect(loadedMessages == messages)

            if try await storage.hasMessages() {
                let size = try await storage.getStorageSize()
                #expect(size == 4 + 2 * (4 + 5 + 1 + 1 + 8))
            } else {
                Issue.record("what was saved is there")
            }

            try await storage.clearMessages()
            #expect(try await storage.hasMessages() == false)
            #expect(try await storage.getStorageSize() == 0)
            await client.close()
        }
    }
}
