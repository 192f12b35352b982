import StoreClient

/// The README's example, line by line; `ReadmeSwiftTests` compares the two.
func readmeExample(socketPath: String) async throws {
    let store = try await StoreClient.connect(to: socketPath)
    let commit = try await store.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "hello"))
    print("on disk:", commit.ids)
    let page = try await store.messages(MessageQuery(conversation: .sessionID("05alice")))
    for message in page.messages { print(message.text) }
    await store.close()
}
