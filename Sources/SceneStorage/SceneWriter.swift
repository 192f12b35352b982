import StoreClient

/// Writes the changes to all scenes of a client in their order, and reads the changes of other processes. It makes one
/// request at a time, so that a read never overtakes a write. A batch that cannot be written now does not block reads.
struct SceneWriter<Access: SceneAccess>: Sendable {
    let access: Access
    let hub: SceneHub
    /// The time between two attempts while the daemon cannot write.
    var retryDelay: Duration = .milliseconds(500)

    /// Runs until no scene is open any more and everything is written or cannot be written.
    func run() async {
        while true {
            switch await hub.nextWork() {
            case .write(let batch): await write(batch)
            case .read(let reading): await read(reading)
            case .end: return
            }
        }
    }

    private func write(_ batch: SceneBatch) async {
        let key = IdempotencyKey()
        while true {
            do throws(StoreClientError) {
                let revision = try await access.set(batch.scene.text, batch.changes, key: key)
                return hub.written(batch, revision: revision)
            } catch {
                guard error.mayHelpToTryAgain else { return await refused(batch, error) }
                guard hub.failed(error) else { return hub.gaveUpEverything(error) }
                await readUntil(.now + retryDelay)
            }
        }
    }

    /// Performs waiting reads until `end`: at least one if any is waiting, even if it takes longer. If no more reads
    /// are waiting, sleeps until `end`.
    private func readUntil(_ end: ContinuousClock.Instant) async {
        repeat {
            guard let reading = hub.beginNextReading() else { break }
            await read(reading)
        } while .now < end
        try? await Task.sleep(until: end)
    }

    /// Divides a rejected batch to find the changes that the daemon rejects, so that the other changes are not lost.
    /// The changes of one call stay together.
    private func refused(_ batch: SceneBatch, _ error: StoreClientError) async {
        guard error.isAboutTheRequest, let (earlier, later) = batch.halves else { return hub.gaveUp(batch, error) }
        await write(earlier)
        // The last object may have been closed in the meantime, and all remaining changes dropped.
        if hub.isInFlight(later) {
            await write(later)
        }
    }

    private func read(_ reading: SceneReading) async {
        do throws(StoreClientError) {
            hub.wasRead(reading, try await values(reading.scene, reading.refresh.keys))
        } catch {
            if !hub.readFailed(reading, error) {
                try? await Task.sleep(for: retryDelay)
            }
        }
    }

    /// Reads values, in several requests if one answer cannot contain them.
    private func values(_ scene: ExactName, _ keys: [String]) async throws(StoreClientError) -> [SceneEntry] {
        do throws(StoreClientError) {
            return try await access.values(scene.text, keys)
        } catch {
            guard error.reason == .responseTooLarge, keys.count > 1 else { throw error }
            let middle = keys.count / 2
            return try await values(scene, Array(keys[..<middle])) + values(scene, Array(keys[middle...]))
        }
    }
}

enum SceneWork {
    case write(SceneBatch)
    case read(SceneReading)
    case end
}

/// The writer's requests to the daemon.
protocol SceneAccess: Sendable {
    /// Makes all changes or none.
    ///
    /// - Returns: the store's revision after the changes.
    func set(
        _ scene: String, _ changes: [SceneChange], key: IdempotencyKey
    ) async throws(StoreClientError) -> UInt64

    /// Returns the values of keys.
    ///
    /// - Parameter keys: the keys; an empty array for all keys.
    func values(_ scene: String, _ keys: [String]) async throws(StoreClientError) -> [SceneEntry]
}

/// The writer's requests, sent with a client of the application. Tests have other implementations.
struct ClientSceneAccess: SceneAccess {
    let client: StoreClient

    func set(
        _ scene: String, _ changes: [SceneChange], key: IdempotencyKey
    ) async throws(StoreClientError) -> UInt64 {
        try await client.setSceneValues(scene, changes, idempotencyKey: key).revision
    }

    func values(_ scene: String, _ keys: [String]) async throws(StoreClientError) -> [SceneEntry] {
        try await client.sceneValues(scene, keys: keys)
    }
}

extension StoreClientError {
    /// True if the request is valid and a retry may succeed.
    var mayHelpToTryAgain: Bool {
        switch reason {
        case .clientClosed, .cancelled: return false
        case .connectionLost, .deadlineExceeded, .diskFull, .storeLocked, .storeAbsent, .shuttingDown, .socketAbsent,
            .socketForbidden, .daemonUnreachable, .tooManyWaitingCalls:
            return true
        default: return isRetryable || code == .unavailable
        }
    }

    /// True if another request with the same client may succeed.
    fileprivate var isAboutTheRequest: Bool {
        reason != .clientClosed && reason != .cancelled
    }
}
