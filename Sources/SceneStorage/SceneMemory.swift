import StoreClient

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

    /// Someone who waits until everything up to a change set is written.
    private struct Waiting {
        let number: UInt64
        let waiter: Waiter
        /// What the daemon refused of it.
        var refusal: StoreClientError?

        func outcome(_ result: Result<Void, StoreClientError>) -> FlushOutcome {
            FlushOutcome(waiter: waiter, result: refusal.map { .failure($0) } ?? result)
        }
    }

    /// Changes that share a request at most.
    private static let batchChangesMax = 1_000
    /// Keys that share a read at most.
    private static let refreshKeysMax = 500

    private var held: [String: Held] = [:]
    private var defaults: [String: SceneValue] = [:]
    private var pending: [SceneChangeSet] = []
    /// How many changes under way there are to a key.
    private var pendingKeys: [String: Int] = [:]
    private var lastNumber: UInt64 = 0
    private var writtenNumber: UInt64 = 0
    /// Keys that others changed and that nobody reads yet, with the revision.
    private var stale: [String: UInt64] = [:]
    private var isAllStale = false
    private var isReading = false
    private var waiters: [Waiting] = []
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
        pending.append(SceneChangeSet(number: lastNumber, changes: changes))
        return sleeper.take()
    }

    /// - Returns: the outcome, when there is nothing to wait for.
    mutating func waitUntilWritten(_ waiter: Waiter) -> Result<Void, StoreClientError>? {
        if let error = untoldError {
            untoldError = nil
            return .failure(error)
        }
        guard writtenNumber < lastNumber else { return .success(()) }
        waiters.append(Waiting(number: lastNumber, waiter: waiter))
        return nil
    }

    mutating func refused(_ error: StoreClientError) {
        untoldError = error
    }

    mutating func end() -> Sleeper? {
        isEnding = true
        return sleeper.take()
    }

    // MARK: The writer

    /// Changes go before reads, so that a read never undoes a change. What is to be read is no longer marked: a change
    /// heard of while it is read marks it anew.
    mutating func takeWork() -> SceneWork? {
        if let batch = nextBatch() {
            return .write(batch)
        }
        if isEnding {
            return .end
        }
        if isAllStale {
            isAllStale = false
            stale = [:]
            isReading = true
            return .refresh(.everything)
        }
        guard !stale.isEmpty else { return nil }
        let taken = stale.prefix(Self.refreshKeysMax)
        for key in taken.map(\.key) {
            stale[key] = nil
        }
        isReading = true
        return .refresh(.keys(Dictionary(uniqueKeysWithValues: taken.map { ($0.key, $0.value) })))
    }

    private func nextBatch() -> SceneBatch? {
        var changeCount = 0
        let sets = pending.prefix { set in
            let isFirst = changeCount == 0
            changeCount += set.changes.count
            return isFirst || changeCount <= Self.batchChangesMax
        }
        return sets.isEmpty ? nil : SceneBatch(sets: sets)
    }

    /// - Returns: false when there is something to do instead.
    mutating func sleep(_ continuation: Sleeper) -> Bool {
        precondition(sleeper == nil, "a scene has one writer")
        guard pending.isEmpty, !isEnding, !isAllStale, stale.isEmpty else { return false }
        sleeper = continuation
        return true
    }

    mutating func written(_ batch: SceneBatch, revision: UInt64) -> [FlushOutcome] {
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
        let told = waiters.map { $0.outcome(.failure(error)) }
        waiters = []
        return told
    }

    /// Takes the changes back: the keys are read again. Whoever waits for them, or for later ones, is told when their
    /// turn has come.
    mutating func gaveUp(_ batch: SceneBatch, _ error: StoreClientError) -> [FlushOutcome] {
        complete(batch)
        writeError = error
        for change in batch.changes {
            stale[change.key] = .max
        }
        if waiters.isEmpty {
            untoldError = error
        }
        for index in waiters.indices where waiters[index].refusal == nil {
            waiters[index].refusal = error
        }
        return outcomes(.failure(error))
    }

    mutating func gaveUpEverything(_ error: StoreClientError) -> [FlushOutcome] {
        gaveUp(SceneBatch(sets: pending[...]), error)
    }

    func isUnwritten(_ batch: SceneBatch) -> Bool {
        batch.number > writtenNumber
    }

    private mutating func complete(_ batch: SceneBatch) {
        pending.removeAll { $0.number <= batch.number }
        writtenNumber = max(writtenNumber, batch.number)
        for change in batch.sets.lazy.flatMap(\.changes) {
            let count = (pendingKeys[change.key] ?? 1) - 1
            pendingKeys[change.key] = count > 0 ? count : nil
        }
    }

    private mutating func outcomes(_ result: Result<Void, StoreClientError>) -> [FlushOutcome] {
        let done = waiters.filter { $0.number <= writtenNumber }
        waiters.removeAll { $0.number <= writtenNumber }
        return done.map { $0.outcome(result) }
    }

    /// What the daemon has now. Keys with a change of this process under way keep it.
    mutating func refreshed(_ refresh: SceneRefresh, _ entries: [SceneEntry]) {
        isReading = false
        switch refresh {
        case .everything:
            held = held.filter { pendingKeys[$0.key] != nil }
        case .keys(let marks):
            for key in marks.keys where pendingKeys[key] == nil {
                held[key] = nil
            }
        }
        followError = nil
        for entry in entries where pendingKeys[entry.key] == nil {
            held[entry.key] = entry.value.map { Held(value: $0, isOwn: entry.tier == .scene) }
        }
    }

    mutating func refreshFailed(_ refresh: SceneRefresh, _ error: StoreClientError) {
        isReading = false
        followError = error
        switch refresh {
        case .everything: isAllStale = true
        case .keys(let marks): stale.merge(marks) { max($0, $1) }
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
            // What all scenes share does not matter where the scene has its own value, which what is being read may
            // be about to take away.
            let isHidden = held[change.id]?.isOwn == true && pendingKeys[change.id] == nil && !isReading
            guard change.scene != nil || !isHidden else { return nil }
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
