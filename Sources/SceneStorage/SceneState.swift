import StoreClient
import Synchronization

/// What a scene's storage holds in memory. Every step is taken under one lock; no I/O.
final class SceneState: Sendable {
    private let guarded: Mutex<SceneMemory>

    init(_ entries: [SceneEntry]) {
        guarded = Mutex(SceneMemory(entries))
    }

    // MARK: Users

    func value(_ key: String) -> SceneValue? {
        guarded.withLock { $0.value(key) }
    }

    var keys: [String] {
        guarded.withLock { $0.keys }
    }

    func change(_ change: SceneChange) {
        self.change([change])
    }

    func change(_ changes: [SceneChange]) {
        guarded.withLock { $0.change(changes) }?.resume()
    }

    func register(_ defaults: [String: SceneValue]) {
        guarded.withLock { $0.register(defaults) }
    }

    var lastError: StoreClientError? {
        guarded.withLock { $0.lastError }
    }

    var unwrittenCount: Int {
        guarded.withLock { $0.unwrittenCount }
    }

    func refuse(_ error: StoreClientError) {
        guarded.withLock { $0.refused(error) }
    }

    func waitUntilWritten() async throws(StoreClientError) {
        let result: Result<Void, StoreClientError> = await withCheckedContinuation { continuation in
            let outcome = guarded.withLock { $0.waitUntilWritten(continuation) }
            if let outcome {
                continuation.resume(returning: outcome)
            }
        }
        try result.get()
    }

    /// Nothing more is wanted but to write what is left.
    func end() {
        guarded.withLock { $0.end() }?.resume()
    }

    // MARK: The writer

    /// Waits for the next thing to do.
    func nextWork() async -> SceneWork {
        while true {
            if let work = guarded.withLock({ $0.takeWork() }) {
                return work
            }
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                if guarded.withLock({ $0.sleep(continuation) }) == false {
                    continuation.resume()
                }
            }
        }
    }

    func written(_ batch: SceneBatch, revision: UInt64) {
        resume(guarded.withLock { $0.written(batch, revision: revision) })
    }

    /// The batch is tried again. Returns false when that makes no sense any more.
    func failed(_ error: StoreClientError) -> Bool {
        let (isEnding, outcomes) = guarded.withLock { memory in
            (memory.isEnding, memory.failed(error))
        }
        resume(outcomes)
        return !isEnding
    }

    /// The batch will never be written.
    func gaveUp(_ batch: SceneBatch, _ error: StoreClientError) {
        resume(guarded.withLock { $0.gaveUp(batch, error) })
    }

    /// Nothing of what there is to write now will ever be.
    func gaveUpEverything(_ error: StoreClientError) {
        resume(guarded.withLock { $0.gaveUpEverything(error) })
    }

    func isUnwritten(_ batch: SceneBatch) -> Bool {
        guarded.withLock { $0.isUnwritten(batch) }
    }

    func refreshed(_ refresh: SceneRefresh, _ entries: [SceneEntry]) {
        guarded.withLock { $0.refreshed(refresh, entries) }
    }

    /// It is read again.
    func refreshFailed(_ refresh: SceneRefresh, _ error: StoreClientError) {
        guarded.withLock { $0.refreshFailed(refresh, error) }
    }

    // MARK: The follower

    func remoteChange(_ change: Change) {
        guarded.withLock { $0.remoteChange(change) }?.resume()
    }

    func followingFailed(_ error: StoreClientError) {
        guarded.withLock { $0.followingFailed(error) }
    }

    /// Changes may have been missed.
    func mayHaveMissedChanges() {
        guarded.withLock { $0.mayHaveMissedChanges() }?.resume()
    }

    private func resume(_ outcomes: [SceneMemory.FlushOutcome]) {
        for outcome in outcomes {
            outcome.waiter.resume(returning: outcome.result)
        }
    }
}
