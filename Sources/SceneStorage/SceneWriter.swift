internal import StoreClient

/// Writes a scene's changes in the order made, and reads again what others changed: one thing at a time, so that a read
/// never overtakes a write.
struct SceneWriter: Sendable {
    /// Time between two attempts while the daemon cannot do it.
    private static let retryDelay: Duration = .milliseconds(500)

    let sceneID: String
    let client: StoreClient
    let state: SceneState

    /// Returns when the storage has ended and everything is written, or cannot be.
    func run() async {
        while true {
            switch await state.nextWork() {
            case .write(let batch): await write(batch)
            case .refresh(let refresh): await read(refresh)
            case .end: return
            }
        }
    }

    private func write(_ batch: SceneState.Batch) async {
        let key = IdempotencyKey()
        while true {
            do throws(StoreClientError) {
                let commit = try await client.setSceneValues(sceneID, Self.folded(batch.changes), idempotencyKey: key)
                return state.written(batch, revision: commit.revision)
            } catch {
                guard error.mayHelpToTryAgain else {
                    return await writeOneByOne(batch, error)
                }
                guard state.failed(error) else {
                    return state.gaveUp(batch, error)
                }
                try? await Task.sleep(for: Self.retryDelay)
            }
        }
    }

    /// Finds what the daemon refuses among changes that share a request, so that the others are not lost with it.
    private func writeOneByOne(_ batch: SceneState.Batch, _ error: StoreClientError) async {
        let changes = Self.folded(batch.changes)
        guard changes.count > 1 else {
            return state.gaveUp(batch, error)
        }
        var refusal: StoreClientError?
        var revision: UInt64 = 0
        for change in changes {
            do throws(StoreClientError) {
                revision = try await client.setSceneValues(sceneID, [change]).revision
            } catch {
                refusal = error
            }
        }
        if let refusal {
            state.gaveUp(batch, refusal)
        } else {
            state.written(batch, revision: revision)
        }
    }

    private func read(_ refresh: SceneState.Refresh) async {
        do throws(StoreClientError) {
            let keys = if case .keys(let keys) = refresh { keys } else { [String]() }
            state.refreshed(refresh, try await client.sceneValues(sceneID, keys: keys))
        } catch {
            state.followingFailed(error)
            try? await Task.sleep(for: Self.retryDelay)
        }
    }

    /// Only the last change to a key counts.
    private static func folded(_ changes: [SceneChange]) -> [SceneChange] {
        var seen: Set<String> = []
        return changes.reversed().filter { seen.insert($0.key).inserted }.reversed()
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
}
