import StoreClient

/// Writes a scene's changes in the order made, and reads again what others changed: one thing at a time, so that a read
/// never overtakes a write.
struct SceneWriter<Access: SceneAccess>: Sendable {
    let access: Access
    let state: SceneState
    /// Time between two attempts while the daemon cannot do it.
    var retryDelay: Duration = .milliseconds(500)

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

    private func write(_ batch: SceneBatch) async {
        let key = IdempotencyKey()
        while true {
            do throws(StoreClientError) {
                return state.written(batch, revision: try await access.set(batch.changes, key: key))
            } catch {
                guard error.mayHelpToTryAgain else { return await refused(batch, error) }
                guard state.failed(error) else { return state.gaveUpEverything(error) }
                try? await Task.sleep(for: retryDelay)
            }
        }
    }

    /// Finds what the daemon refuses among changes that share a request, so that the others are not lost with it. What
    /// was made together stays together.
    private func refused(_ batch: SceneBatch, _ error: StoreClientError) async {
        guard error.isAboutTheRequest, let (earlier, later) = batch.halves else { return state.gaveUp(batch, error) }
        await write(earlier)
        // The storage may have ended meanwhile, and given up on all that was left.
        if state.isUnwritten(later) {
            await write(later)
        }
    }

    private func read(_ refresh: SceneRefresh) async {
        do throws(StoreClientError) {
            state.refreshed(refresh, try await values(refresh.keys))
        } catch {
            state.refreshFailed(refresh, error)
            try? await Task.sleep(for: retryDelay)
        }
    }

    /// In several requests where one answer cannot hold the values.
    private func values(_ keys: [String]) async throws(StoreClientError) -> [SceneEntry] {
        do throws(StoreClientError) {
            return try await access.values(keys)
        } catch {
            guard error.reason == .responseTooLarge, keys.count > 1 else { throw error }
            let middle = keys.count / 2
            return try await values(Array(keys[..<middle])) + values(Array(keys[middle...]))
        }
    }
}

/// What a scene's writer does next.
enum SceneWork {
    case write(SceneBatch)
    case refresh(SceneRefresh)
    case end
}

/// What one call of a user changes: written whole or not at all.
struct SceneChangeSet: Sendable {
    /// Counts the calls, in the order made.
    let number: UInt64
    let changes: [SceneChange]
}

/// Change sets that share a request.
struct SceneBatch: Sendable {
    /// In the order made; not empty.
    let sets: ArraySlice<SceneChangeSet>

    /// Only the last change to a key counts.
    var changes: [SceneChange] {
        var seen: Set<String> = []
        return sets.flatMap(\.changes).reversed().filter { seen.insert($0.key).inserted }.reversed()
    }

    /// The last of them.
    var number: UInt64 { sets.last?.number ?? 0 }

    /// `nil` when there is one set, which is never taken apart.
    var halves: (earlier: SceneBatch, later: SceneBatch)? {
        guard sets.count > 1 else { return nil }
        let middle = sets.startIndex + sets.count / 2
        return (SceneBatch(sets: sets[..<middle]), SceneBatch(sets: sets[middle...]))
    }
}

/// What is read again because others changed it.
enum SceneRefresh: Sendable {
    /// Keys, each with the revision of the change that was heard of.
    case keys([String: UInt64])
    case everything

    /// As `SceneAccess.values` takes them.
    var keys: [String] {
        if case .keys(let marks) = self { Array(marks.keys) } else { [] }
    }
}

/// What a scene's writer asks of the daemon.
protocol SceneAccess: Sendable {
    /// Makes all changes or none.
    ///
    /// - Returns: the store's revision after them.
    func set(_ changes: [SceneChange], key: IdempotencyKey) async throws(StoreClientError) -> UInt64

    /// - Parameter keys: empty: every key.
    func values(_ keys: [String]) async throws(StoreClientError) -> [SceneEntry]
}

/// One scene over a client.
struct ClientSceneAccess: SceneAccess {
    let client: StoreClient
    let sceneID: String

    func set(_ changes: [SceneChange], key: IdempotencyKey) async throws(StoreClientError) -> UInt64 {
        try await client.setSceneValues(sceneID, changes, idempotencyKey: key).revision
    }

    func values(_ keys: [String]) async throws(StoreClientError) -> [SceneEntry] {
        try await client.sceneValues(sceneID, keys: keys)
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
