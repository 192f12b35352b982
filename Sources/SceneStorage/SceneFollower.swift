import StoreClient

/// Watches the changes that other processes make in a scene.
struct SceneFollower: Sendable {
    /// The time between two attempts to watch.
    private static let retryDelay: Duration = .milliseconds(500)

    private let scene: ExactName
    private let client: StoreClient
    private let filter: WatchFilter
    /// The watched changes; `nil` if this user may not watch, in which case the scene is not followed.
    private let changes: ChangeStream?

    /// Starts to watch before the scene is read, so that no change is missed.
    ///
    /// - Parameter client: a client that accepts any history. Its deadline applies to this first watch.
    init(client: StoreClient, scene: ExactName) async throws(StoreClientError) {
        self.scene = scene
        // Do not wait while the store is locked, so that the application finds this error in `lastError`.
        self.client = client.asConnected.with(waitsWhileLocked: false)
        filter = WatchFilter(scene: scene.text)
        do throws(StoreClientError) {
            changes = try await Self.firstWatch(client.with(waitsWhileLocked: false), filter)
        } catch {
            guard error.code == .permissionDenied else { throw error }
            changes = nil
        }
    }

    /// Starts the first watch. A connection has a limited number of watches. If all of them are in use, waits up to
    /// half of the client's deadline for another scene to be closed.
    private static func firstWatch(
        _ client: StoreClient, _ filter: WatchFilter
    ) async throws(StoreClientError) -> ChangeStream {
        let end = ContinuousClock.now + (client.readDeadline ?? .seconds(30)) / 2
        while true {
            do throws(StoreClientError) {
                return try await client.watch(filter)
            } catch {
                let pause = Duration.milliseconds(.random(in: 100...300))
                guard error.reason == .tooManyWatches, ContinuousClock.now < end,
                    (try? await Task.sleep(for: pause)) != nil
                else { throw error }
            }
        }
    }

    /// Reports changes until its task is cancelled or the client is closed.
    func run(_ hub: SceneHub) async {
        var next = changes
        while let current = next, !Task.isCancelled {
            do {
                for try await change in current {
                    hub.remoteChange(change, seenBy: scene)
                }
            } catch {
                guard await isWorthAnotherTry(error, hub) else { return }
            }
            next = await watchAgain(hub)
        }
    }

    /// Starts a new watch, and requests that the scene is read again, because changes may have been missed.
    private func watchAgain(_ hub: SceneHub) async -> ChangeStream? {
        while !Task.isCancelled {
            do throws(StoreClientError) {
                let changes = try await client.watch(filter)
                hub.mayHaveMissedChanges(scene)
                return changes
            } catch {
                guard await isWorthAnotherTry(error, hub) else { return nil }
            }
        }
        return nil
    }

    private func isWorthAnotherTry(_ error: any Error, _ hub: SceneHub) async -> Bool {
        guard let error = error as? StoreClientError, error.reason != .clientClosed, error.reason != .cancelled else {
            return false
        }
        hub.followingFailed(scene, error)
        return (try? await Task.sleep(for: Self.retryDelay)) != nil
    }
}
