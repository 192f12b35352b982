public import StoreClient

/// Conversations, messages and contacts, stored encrypted by ghoststored.
///
/// ```swift
/// let storage = StorageManager(client: store)
/// let conversation = try await storage.getOrCreateConversation(withSessionID: "05alice")
/// try await storage.saveMessage(
///     Message(text: "Hello", isOutgoing: true), conversationID: conversation.id, senderSessionID: "05me",
///     recipientSessionID: "05alice")
/// ```
///
/// The functions have the same names and meaning as in an embedded storage manager. They are `async` because
/// another process does the work. Their parameters and results are `StoreClient`'s own `Message`, `Conversation` and
/// `Contact`. Any number of tasks may use a manager at the same time.
public final class StorageManager: Sendable {
    let client: StoreClient
    private let ownsClient: Bool

    /// Uses an existing connection of the application.
    ///
    /// - Parameter client: a client that the caller keeps open; ``close()`` does not close it.
    public init(client: StoreClient) {
        self.client = client
        ownsClient = false
    }

    /// Connects to the daemon.
    ///
    /// - Parameters:
    ///   - socketPath: the daemon's socket; by default the first of the well-known paths, as in
    ///     `StoreClient.connect(to:configuration:)`.
    ///   - configuration: deadlines and limits of the connection.
    /// - Throws: ``StorageError/failed(_:)``.
    public init(
        socketPath: String? = nil, configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StorageError) {
        do {
            client = try await StoreClient.connect(to: socketPath, configuration: configuration)
        } catch {
            throw StorageError(error)
        }
        ownsClient = true
    }

    /// Ends all running calls and closes the connection, if this manager opened it.
    public func close() async {
        if ownsClient {
            await client.close()
        }
    }

    /// Returns the exact numbers of conversations, messages, unread messages and contacts, in constant time.
    ///
    /// - Throws: ``StorageError/failed(_:)``.
    public func getStatistics() async throws(StorageError) -> Statistics {
        try await reading { () throws(StoreClientError) in try await client.statistics() }
    }

    /// Deletes all conversations, messages, drafts and contacts of the store, and all scenes, logs and files that other
    /// libraries have stored in it. This cannot be undone. A store that belongs to a replica group is not cleared,
    /// because clearing it would also remove it from the group. `StoreClient` has a call for that case.
    ///
    /// - Throws: ``StorageError/saveFailed(_:)``.
    public func clearAllData() async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.clearAllData() }
    }

    /// Runs a call that changes nothing and maps its error to `StorageError`.
    func reading<Value>(_ body: () async throws(StoreClientError) -> Value) async throws(StorageError) -> Value {
        do {
            return try await body()
        } catch {
            throw StorageError(error)
        }
    }

    /// Runs a call that changes the store and maps its error to `StorageError`.
    @discardableResult
    func saving<Value>(_ body: () async throws(StoreClientError) -> Value) async throws(StorageError) -> Value {
        do {
            return try await body()
        } catch {
            throw StorageError(error, isSave: true)
        }
    }
}
