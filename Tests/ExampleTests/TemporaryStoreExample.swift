import StoreClient
import StoreClientTesting
import Testing

/// The README's example of a test, copied line by line. `ReadmeSwiftTests` compares the two.
@Suite struct TemporaryStoreExampleTests {
    @Test func `a message that is saved is kept`() async throws {
        try await withTemporaryStore { store in
            try await store.client.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "hello"))
            let kept = try await store.client.messages(in: .sessionID("05alice")).collect()
            #expect(kept.map(\.text) == ["hello"])
        }
    }
}
