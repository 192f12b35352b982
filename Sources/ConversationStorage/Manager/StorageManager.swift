public import StoreClient

/// Conversations, messages and contacts, kept encrypted by ghoststored.
///
/// The methods have the names and the meaning applications know from an embedded storage manager; they are `async`
/// because another process does the work. Usable from any number of tasks at once.
public final class StorageManager: Sendable {
    let client: StoreClient
    private let ownsClient: Bool

    /// Connects to the daemon at a socket path, or at the first of the well-known places
    /// (see `StoreClient.connect(to:configuration:)`).
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

    /// Works over a connection the application has already; `close()` leaves it open.
    public init(client: StoreClient) {
        self.client = client
        ownsClient = false
    }

    /// Ends every call under way and closes the connection this manager made.
    public func close() async {
        if ownsClient {
            await client.close()
        }
    }

    /// Runs calls of the client and gives their errors as `StorageError`.
    @discardableResult
    func storing<Value>(
        isSave: Bool = false, _ body: () async throws(StoreClientError) -> Value
    ) async throws(StorageError) -> Value {
        do {
            return try await body()
        } catch {
            throw StorageError(error, isSave: isSave)
        }
    }
}
