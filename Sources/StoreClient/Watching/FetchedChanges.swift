/// What a watch's changes are about, read from the store one by one. A change is taken from the watch when its entity
/// was read, or is not wanted: a read that fails is made again by the next call, and nothing is left out.
package struct FetchedChanges: Sendable {
    private let client: StoreClient
    private let changes: ChangeStream

    package init(_ client: StoreClient, _ changes: ChangeStream) {
        // Like the watch, a read waits for as long as it takes, and is of one history of the store.
        self.client = client.following().with(history: changes.historyID ?? client.history)
        self.changes = changes
    }

    /// Whatever the changes up to and including this revision are about has been given out.
    package var revision: UInt64 {
        changes.revision
    }

    package var historyID: HistoryID? {
        changes.historyID
    }

    /// - Parameter fetch: reads what a change is about; `nil` where that is not wanted or not there any more.
    package func next<Entity>(
        _ fetch: (StoreClient, Change) async throws(StoreClientError) -> Entity?
    ) async throws(StoreClientError) -> Entity {
        while true {
            let entity = try await fetch(client, try await changes.session.first())
            changes.session.takeFirst()
            if let entity {
                return entity
            }
        }
    }
}

extension StoreClient {
    /// The message, or `nil` where it is not there any more.
    package func messageIfPresent(_ id: String) async throws(StoreClientError) -> Message? {
        do throws(StoreClientError) {
            return try await message(id)
        } catch {
            guard error.reason == .messageNotFound else { throw error }
            return nil
        }
    }
}
