/// Connects to the daemon, runs a body with the client, and closes the client, even after an error.
///
/// ```swift
/// try await withStoreClient { store in
///     try await store.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "hello"))
/// }
/// ```
///
/// - Parameters:
///   - path: The path of the daemon's socket; `nil` uses the paths of `StoreClient.connect`.
///   - configuration: The deadlines and limits of the connection.
///   - actor: The actor of the caller, on which the body runs.
///   - body: Uses the client. It must not store the client for later use.
/// - Throws: The errors of `StoreClient.connect`, and the errors of the body.
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
