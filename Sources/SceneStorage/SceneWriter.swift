import StoreClient

/// Writes the changes to all scenes of a client in the order made, and reads what others changed: one thing at a time,
/// so that a read never overtakes a write. What cannot be written now holds up no read.
struct SceneWriter<Access: SceneAccess>: Sendable {
    let access: Access
    let hub: SceneHub
    /// Time between two attempts while the daemon cannot do it.
    var retryDelay: Duration = .milliseconds(500)

    /// Returns when no scene is open any more and everything is written, or cannot be.
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

    /// Reads what is to be read, something in any case, and waits for the rest of the time.
    private func readUntil(_ end: ContinuousClock.Instant) async {
        repeat {
            guard let reading = hub.takeReading() else { break }
            await read(reading)
        } while .now < end
        try? await Task.sleep(until: end)
    }

    /// Finds what the daemon refuses among changes that share a request, so that the others are not lost with it. What
    /// was made together stays together.
    private func refused(_ batch: SceneBatch, _ error: StoreClientError) async {
        guard error.isAboutTheRequest, let (earlier, later) = batch.halves else { return hub.gaveUp(batch, error) }
        await write(earlier)
        // The last object may have been closed meanwhile, and all that was left given up.
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

    /// In several requests where one answer cannot hold the values.
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

/// What the writer does next.
enum SceneWork {
    case write(SceneBatch)
    case read(SceneReading)
    case end
}

/// What the writer asks of the daemon.
protocol SceneAccess: Sendable {
    /// Makes all changes or none.
    ///
    /// - Returns: the store's revision after them.
    func set(
        _ scene: String, _ changes: [SceneChange], key: IdempotencyKey
    ) async throws(StoreClientError) -> UInt64

    /// - Parameter keys: empty: every key.
    func values(_ scene: String, _ keys: [String]) async throws(StoreClientError) -> [SceneEntry]
}

/// The scenes over a client.
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
    /// The request itself is in order: what is in the way may go.
    var mayHelpToTryAgain: Bool {
        switch reason {
        case .clientClosed, .cancelled: return false
        case .connectionLost, .deadlineExceeded, .diskFull, .storeLocked, .storeAbsent, .shuttingDown, .socketAbsent,
            .socketForbidden, .daemonUnreachable, .tooManyWaitingCalls:
            return true
        default: return isRetryable || code == .unavailable
        }
    }

    /// Another request may fare better over the same client.
    fileprivate var isAboutTheRequest: Bool {
        reason != .clientClosed && reason != .cancelled
    }
}
