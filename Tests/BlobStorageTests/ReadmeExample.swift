import BlobStorage
import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct BlobReadmeTests {
    @Test func `the README's example loads the messages that it saved`() async throws {
        try await withDaemonAndClient { _, store in
            try await readmeExample(store: store)
            #expect(try await BlobStorage(client: store).loadMessages().map(\.text) == ["Hello"])
        }
    }

    /// The README's example, copied line by line. `ReadmeSwiftTests` compares the two.
    private func readmeExample(store: StoreClient) async throws {
        let storage = BlobStorage(client: store)
        try await storage.saveMessages([BlobMessage(text: "Hello", isSent: true, messageType: .shortMessage)])
        for message in try await storage.loadMessages() { print(message.text) }
    }
}
