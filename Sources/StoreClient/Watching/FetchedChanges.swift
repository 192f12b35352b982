/// The entities that a watch's changes are about, read from the store one by one. A change is consumed when its entity
/// was read or is not wanted. If a read fails, the next call repeats it, so that nothing is omitted.
package struct FetchedChanges: Sendable {
    private let client: StoreClient
    private let changes: ChangeStream

    package init(_ client: StoreClient, _ changes: ChangeStream) {
        // Like the watch, a read waits without limit and is about one history of the store.
        self.client = client.following().with(history: changes.historyID ?? client.history)
        self.changes = changes
    }

    /// The revision up to which all changes are consumed.
    package var revision: UInt64 {
        changes.revision
    }

    package var historyID: HistoryID? {
        changes.historyID
    }

    /// Returns the next wanted entity, and waits until there is one.
    ///
    /// - Parameter fetch: Reads the entity of a change; returns `nil` if it is not wanted or no longer exists.
    package func next<Entity>(
        _ fetch: (StoreClient, Change) async throws(StoreClientError) -> Entity?
    ) async throws(StoreClientError) -> Entity {
        while true {
            let entity = try await fetch(client, try await changes.session.first())
            changes.session.removeFirst()
            if let entity {
                return entity
            }
        }
    }
}

extension StoreClient {
    /// Returns the message; `nil` if it no longer exists.
    package func messageIfPresent(_ id: String) async throws(StoreClientError) -> Message? {
        do throws(StoreClientError) {
            return try await message(id)
        } catch {
            guard error.reason == .messageNotFound else { throw error }
            return nil
        }
    }
}
