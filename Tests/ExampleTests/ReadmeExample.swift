import StoreClient

/// The README's example, copied line by line. `ReadmeSwiftTests` compares the two.
func readmeExample(socketPath: String) async throws {
    try await withStoreClient(to: socketPath) { store in
        try await store.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "hello"))
        for try await message in store.messages(in: .sessionID("05alice")) {
            print(message.timestamp.date, message.text)
        }
    }
}
