internal import StoreClient

/// The values of a scene and what has still to be written, as plain data: `SceneState` guards it.
struct SceneMemory {
    typealias Waiter = CheckedContinuation<Result<Void, StoreClientError>, Never>
    typealias Sleeper = CheckedContinuation<Void, Never>

    struct FlushOutcome {
        let waiter: Waiter
        let result: Result<Void, StoreClientError>
    }

    private struct Held {
        var value: SceneValue
        var isOwn: Bool
    }

    /// Changes made together: written in one request.
    private struct Pending {
        let number: UInt64
        let changes: [SceneChange]
    }

    /// Changes that share a request at most.
    private static let batchChangesMax = 1_000
    /// Keys that share a read at most.
    private static let refreshKeysMax = 500

    private var held: [String: Held] = [:]
    private var defaults: [String: SceneValue] = [:]
    private var pending: [Pending] = []
    /// How many changes under way there are to a key.
    private var pendingKeys: [String: Int] = [:]
    private var lastNumber: UInt64 = 0
    private var writtenNumber: UInt64 = 0
    /// Keys that others changed, with the revision.
    private var stale: [String: UInt64] = [:]
    private var isAllStale = false
    private var waiters: [(number: UInt64, waiter: Waiter)] = []
    private var sleeper: Sleeper?
    private var writeError: StoreClientError?
    private var followError: StoreClientError?
    /// A failure that nobody was told of yet.
    private var untoldError: StoreClientError?
    private(set) var isEnding = false

    init(_ entries: [SceneEntry]) {
        for entry in entries {
            held[entry.key] = entry.value.map { Held(value: $0, isOwn: entry.tier == .scene) }
        }
    }

    // MARK: Users

    func value(_ key: String) -> SceneValue? {
        held[key]?.value ?? defaults[key]
    }

    var keys: [String] {
        held.keys.sorted()
    }

    var lastError: StoreClientError? { writeError ?? untoldError ?? followError }

    var unwrittenCount: Int {
        pending.reduce(0) { $0 + $1.changes.count }
    }

    mutating func register(_ more: [String: SceneValue]) {
        defaults.merge(more) { $1 }
    }

    /// - Returns: the writer, to be woken.
    mutating func change(_ changes: [SceneChange]) -> Sleeper? {
        guard !changes.isEmpty else { return nil }
        guard !isEnding else {
            untoldError = StoreClientError(
                code: .failedPrecondition, reason: .clientClosed, message: "the scene's storage was closed")
            return nil
        }
        for change in changes {
            switch change {
            case .set(let key, let value): held[key] = Held(value: value, isOwn: true)
            case .remove(let key): held[key] = nil
            }
            pendingKeys[change.key, default: 0] += 1
        }
        lastNumber += 1
        pending.append(Pending(number: lastNumber, changes: changes))
        return sleeper.take()
    }

    /// - Returns: the outcome, when there is nothing to wait for.
    mutating func waitUntilWritten(_ waiter: Waiter) -> Result<Void, StoreClientError>? {
        if let error = untoldError {
            untoldError = nil
            return .failure(error)
        }
        guard writtenNumber < lastNumber else {
            return .success(())
        }
        waiters.append((lastNumber, waiter))
        return nil
    }

    mutating func refused(_ error: StoreClientError) -> [FlushOutcome] {
        untoldError = error
        return []
    }

    mutating func end() -> Sleeper? {
        isEnding = true
        return sleeper.take()
    }

    // MARK: The writer

    /// Changes go before reads, so that a read never undoes a change.
    func nextWork() -> SceneState.Work? {
        if let first = pending.first {
            var changes = first.changes
            var number = first.number
            for next in pending.dropFirst() {
                guard changes.count + next.changes.count <= Self.batchChangesMax else { break }
                changes += next.changes
                number = next.number
            }
            return .write(SceneState.Batch(changes: changes, number: number))
        }
        if isEnding {
            return .end
        }
        if isAllStale {
            return .refresh(.everything)
        }
        guard !stale.isEmpty else {
            return nil
        }
        return .refresh(.keys(Array(stale.keys.prefix(Self.refreshKeysMax))))
    }

    /// - Returns: false when there is something to do instead.
    mutating func sleep(_ continuation: Sleeper) -> Bool {
        precondition(sleeper == nil, "a scene has one writer")
        guard nextWork() == nil else { return false }
        sleeper = continuation
        return true
    }

    mutating func written(_ batch: SceneState.Batch, revision: UInt64) -> [FlushOutcome] {
        writeError = nil
        complete(batch)
        for change in batch.changes {
            // What others did to the key before this change is gone by it.
            if let other = stale[change.key], other <= revision, pendingKeys[change.key] == nil {
                stale[change.key] = nil
            }
        }
        return outcomes(.success(()))
    }

    mutating func failed(_ error: StoreClientError) -> [FlushOutcome] {
        writeError = error
        let told = waiters.map { FlushOutcome(waiter: $0.waiter, result: .failure(error)) }
        waiters = []
        return told
    }

    /// Takes the changes back: the keys are read again.
    mutating func gaveUp(_ batch: SceneState.Batch, _ error: StoreClientError) -> [FlushOutcome] {
        complete(batch)
        writeError = error
        for change in batch.changes {
            stale[change.key] = .max
        }
        let told = outcomes(.failure(error))
        if told.isEmpty {
            untoldError = error
        }
        return told
    }

    private mutating func complete(_ batch: SceneState.Batch) {
        pending.removeAll { $0.number <= batch.number }
        writtenNumber = max(writtenNumber, batch.number)
        for change in batch.changes {
            let count = (pendingKeys[change.key] ?? 1) - 1
            pendingKeys[change.key] = count > 0 ? count : nil
        }
    }

    private mutating func outcomes(_ result: Result<Void, StoreClientError>) -> [FlushOutcome] {
        let done = waiters.filter { $0.number <= writtenNumber }
        waiters.removeAll { $0.number <= writtenNumber }
        return done.map { FlushOutcome(waiter: $0.waiter, result: result) }
    }

    /// What the daemon has now. Keys with a change of this process under way keep it.
    mutating func refreshed(_ refresh: SceneState.Refresh, _ entries: [SceneEntry]) {
        switch refresh {
        case .everything:
            isAllStale = false
            stale = [:]
            held = held.filter { pendingKeys[$0.key] != nil }
        case .keys(let keys):
            for key in keys {
                stale[key] = nil
                if pendingKeys[key] == nil {
                    held[key] = nil
                }
            }
        }
        followError = nil
        for entry in entries where pendingKeys[entry.key] == nil {
            held[entry.key] = entry.value.map { Held(value: $0, isOwn: entry.tier == .scene) }
        }
    }

    // MARK: The follower

    mutating func remoteChange(_ change: Change) -> Sleeper? {
        followError = nil
        switch change.kind {
        case .store:
            isAllStale = true
        case .sceneValue where change.id.isEmpty:
            isAllStale = true
        case .sceneValue:
            // What all scenes share does not matter where the scene has its own value.
            guard change.scene != nil || held[change.id]?.isOwn != true || pendingKeys[change.id] != nil else {
                return nil
            }
            stale[change.id] = max(stale[change.id] ?? 0, change.revision)
        default:
            return nil
        }
        return sleeper.take()
    }

    mutating func followingFailed(_ error: StoreClientError) {
        followError = error
    }

    mutating func mayHaveMissedChanges() -> Sleeper? {
        followError = nil
        isAllStale = true
        return sleeper.take()
    }
}
