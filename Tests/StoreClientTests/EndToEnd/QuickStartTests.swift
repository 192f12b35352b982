import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct QuickStartTests {
    /// The five lines of the quick start in README.md. The documentation copies the lines between the docs:quick-start
    /// marks.
    private func quickStart(socketPath: String) async throws -> [String] {
        // docs:quick-start begin
        let store = try await StoreClient.connect(to: socketPath)
        let conversation = try await store.getOrCreateConversation(sessionID: "05abc123")
        try await store.saveMessage(NewMessage(conversation: .id(conversation.id), text: "Hello, World!"))
        let page = try await store.messagePage(MessageQuery(conversation: .id(conversation.id)))
        let texts = page.messages.map(\.text)
        // docs:quick-start end
        await store.close()
        return texts
    }

    @Test func `the quick start's message is saved and listed`() async throws {
        try await withDaemon { daemon in
            let texts = try await quickStart(socketPath: daemon.socketPath)
            #expect(texts == ["Hello, World!"])
        }
    }
}
