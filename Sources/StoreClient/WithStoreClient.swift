/// Connects to the daemon, runs a body with the client, and closes the client whatever happens.
///
/// ```swift
/// try await withStoreClient { store in
///     try await store.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "hello"))
/// }
/// ```
///
/// - Parameters:
///   - path: the daemon's socket; `nil`: where `StoreClient.connect` looks.
///   - configuration: deadlines and bounds of the connection.
///   - actor: where the body runs: where the caller does.
///   - body: must not keep the client.
/// - Throws: what `StoreClient.connect` throws, and what the body throws.
public func withStoreClient<Value>(
    to path: String? = nil, configuration: ClientConfiguration = ClientConfiguration(),
    isolation actor: isolated (any Actor)? = #isolation, _ body: (StoreClient) async throws -> Value
) async throws -> Value {
    let client = try await StoreClient.connect(to: path, configuration: configuration)
    do {
        let value = try await body(client)
        await client.close()
        return value
    } catch {
        await client.close()
        throw error
    }
}
