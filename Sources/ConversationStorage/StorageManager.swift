public import StoreClient

/// Conversations, messages and contacts, kept encrypted by ghoststored.
///
/// ```swift
/// let storage = StorageManager(client: store)
/// let conversation = try await storage.getOrCreateConversation(withSessionID: "05alice")
/// try await storage.saveMessage(
///     Message(text: "Hello", isOutgoing: true), conversationID: conversation.id, senderSessionID: "05me",
///     recipientSessionID: "05alice")
/// ```
///
/// The methods have the names and the meaning applications know from an embedded storage manager; they are `async`
/// because another process does the work. What they take and give are `StoreClient`'s own `Message`, `Conversation`
/// and `Contact`. Usable from any number of tasks at once.
public final class StorageManager: Sendable {
    let client: StoreClient
    private let ownsClient: Bool

    /// Works over a connection the application has already.
    ///
    /// - Parameter client: stays the caller's: ``close()`` leaves it open.
    public init(client: StoreClient) {
        self.client = client
        ownsClient = false
    }

    /// Connects to the daemon.
    ///
    /// - Parameters:
    ///   - socketPath: the daemon's socket; without one the first of the well-known places, as
    ///     `StoreClient.connect(to:configuration:)` looks for it.
    ///   - configuration: deadlines and bounds of the connection.
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

    /// Ends every call under way and closes the connection this manager made.
    public func close() async {
        if ownsClient {
            await client.close()
        }
    }

    /// Exact counts, in constant time.
    ///
    /// - Throws: ``StorageError/failed(_:)``.
    public func getStatistics() async throws(StorageError) -> Statistics {
        try await reading { () throws(StoreClientError) in try await client.statistics() }
    }

    /// Deletes every conversation, message and contact of the store, and the scenes and logs that other libraries keep
    /// in it. This cannot be undone.
    /// A store that belongs to a replica group is not cleared: that would take it out of the group. `StoreClient` has a
    /// call that does so.
    ///
    /// - Throws: ``StorageError/saveFailed(_:)``.
    public func clearAllData() async throws(StorageError) {
        try await saving { () throws(StoreClientError) in try await client.clearAllData() }
    }

    /// Runs a call that changes nothing and gives its error as `StorageError`.
    func reading<Value>(_ body: () async throws(StoreClientError) -> Value) async throws(StorageError) -> Value {
        do {
            return try await body()
        } catch {
            throw StorageError(error)
        }
    }

    /// Runs a call that changes the store and gives its error as `StorageError`.
    @discardableResult
    func saving<Value>(_ body: () async throws(StoreClientError) -> Value) async throws(StorageError) -> Value {
        do {
            return try await body()
        } catch {
            throw StorageError(error, isSave: true)
        }
    }
}
