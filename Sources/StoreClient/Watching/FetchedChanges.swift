import Synchronization

/// What a watch's changes are about, read from the store one by one. A change is done with when its entity was read, or
/// is not wanted: a read that fails is made again by the next call, and nothing is left out.
package final class FetchedChanges: Sendable {
    private struct State {
        /// Taken from the watch, and not read yet.
        var pending: Change?
        var doneRevision: UInt64
    }

    private let client: StoreClient
    private let changes: ChangeStream
    private let state: Mutex<State>

    package init(_ client: StoreClient, _ changes: ChangeStream) {
        // Like the watch, a read waits for as long as it takes, and is of one history of the store.
        self.client = client.with(deadline: nil).with(history: changes.historyID ?? client.history)
        self.changes = changes
        state = Mutex(State(doneRevision: changes.startRevision))
    }

    /// Whatever the changes up to and including this revision are about has been given out.
    package var revision: UInt64 {
        state.withLock { $0.pending == nil ? max($0.doneRevision, changes.revision) : $0.doneRevision }
    }

    package var historyID: HistoryID? {
        changes.historyID
    }

    /// - Parameter fetch: reads what a change is about; `nil` where that is not wanted or not there any more.
    package func next<Entity>(
        _ fetch: (StoreClient, Change) async throws(StoreClientError) -> Entity?
    ) async throws(StoreClientError) -> Entity? {
        var iterator = changes.makeAsyncIterator()
        while let change = try await take(&iterator) {
            let entity = try await fetch(client, change)
            state.withLock { state in
                state.pending = nil
                state.doneRevision = change.revision
            }
            if let entity {
                return entity
            }
        }
        return nil
    }

    private func take(_ iterator: inout ChangeStream.Iterator) async throws(StoreClientError) -> Change? {
        if let pending = state.withLock({ $0.pending }) {
            return pending
        }
        let change = try await iterator.next()
        state.withLock { $0.pending = change }
        return change
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
