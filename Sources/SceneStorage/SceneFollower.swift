import StoreClient

/// Hears what others change in a scene.
struct SceneFollower: Sendable {
    /// Time between two attempts to watch.
    private static let retryDelay: Duration = .milliseconds(500)

    private let filter: WatchFilter
    /// `nil` when this user may not watch: the scene is then not followed.
    private let changes: ChangeStream?

    /// Watches from before the scene is read, so that no change falls between.
    init(client: StoreClient, sceneID: String) async throws(StoreClientError) {
        filter = WatchFilter(scene: sceneID)
        do throws(StoreClientError) {
            changes = try await client.watch(filter)
        } catch {
            guard error.code == .permissionDenied else { throw error }
            changes = nil
        }
    }

    /// Returns when its task is cancelled, or the client is closed.
    func run(_ state: SceneState, client: StoreClient) async {
        var next = changes
        while let current = next, !Task.isCancelled {
            do {
                for try await change in current {
                    state.remoteChange(change)
                }
            } catch {
                guard await isWorthAnotherTry(error, state) else { return }
            }
            next = await watchAgain(state, client)
        }
    }

    /// From now on: what was missed is read again.
    private func watchAgain(_ state: SceneState, _ client: StoreClient) async -> ChangeStream? {
        while !Task.isCancelled {
            do throws(StoreClientError) {
                let changes = try await client.watch(filter)
                state.mayHaveMissedChanges()
                return changes
            } catch {
                guard await isWorthAnotherTry(error, state) else { return nil }
            }
        }
        return nil
    }

    private func isWorthAnotherTry(_ error: any Error, _ state: SceneState) async -> Bool {
        guard let error = error as? StoreClientError, error.reason != .clientClosed, error.reason != .cancelled else {
            return false
        }
        state.followingFailed(error)
        return (try? await Task.sleep(for: Self.retryDelay)) != nil
    }
}
