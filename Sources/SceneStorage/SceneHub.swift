import StoreClient
import Synchronization

/// The scenes that a process has open with one client. One mutex protects the state of all of them.
final class SceneHub: Sendable {
    private let guarded: Mutex<SceneMemory>
    private let writer = Mutex<Task<Void, Never>?>(nil)
    /// The follower task of each open scene. It ends when no object has the scene open.
    private let followers = Mutex<[ExactName: Task<Void, Never>]>([:])

    init(_ memory: SceneMemory = SceneMemory()) {
        guarded = Mutex(memory)
    }

    // MARK: Calls of scene objects

    func value(_ scene: ExactName, _ key: ExactName) -> SceneValue? {
        guarded.withLock { $0.value(scene, key) }
    }

    func values(_ scene: ExactName) -> [ExactName: SceneValue] {
        guarded.withLock { $0.values(scene) }
    }

    func change(_ changes: [SceneChange], by member: SceneMember) {
        guarded.withLock { $0.change(changes, by: member) }?.resume()
    }

    func lastError(_ member: SceneMember) -> StoreClientError? {
        guarded.withLock { $0.lastError(member) }
    }

    func unwrittenCount(_ scene: ExactName) -> Int {
        guarded.withLock { $0.unwrittenCount(scene) }
    }

    func refused(_ member: SceneMember, _ error: StoreClientError) {
        guarded.withLock { $0.refused(member, error) }
    }

    func waitUntilWritten(_ member: SceneMember) async throws(StoreClientError) {
        let result: Result<Void, StoreClientError> = await withCheckedContinuation { continuation in
            let outcome = guarded.withLock { $0.waitUntilWritten(member, continuation) }
            if let outcome {
                continuation.resume(returning: outcome)
            }
        }
        try result.get()
    }

    // MARK: Opening and closing

    /// Registers an object that is being created, which keeps the hub in use until `endOpening` is called.
    ///
    /// - Returns: false if the hub has ended and another one must be used.
    func beginOpening() -> Bool {
        guarded.withLock { $0.beginOpening() }
    }

    func endOpening() {
        guarded.withLock { $0.endOpening() }?.resume()
    }

    /// Adds an object to an open scene, or opens the scene.
    func open(_ scene: ExactName, _ client: StoreClient) async throws(StoreClientError) -> SceneMember {
        while true {
            switch guarded.withLock({ $0.join(scene) }) {
            case .joined(let member):
                return member
            case .isToBeOpened:
                return try await openFirst(scene, client)
            case .isBeingOpened:
                try await waitForOpening(scene)
            }
        }
    }

    private func waitForOpening(_ scene: ExactName) async throws(StoreClientError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !guarded.withLock({ $0.waitForOpening(scene, continuation) }) {
                    continuation.resume()
                } else if Task.isCancelled {
                    wakeOpeningWaiters(scene)
                }
            }
        } onCancel: {
            wakeOpeningWaiters(scene)
        }
        guard !Task.isCancelled else { throw .openingCancelled }
    }

    /// Wakes the tasks that wait for the scene to be opened. Each task checks the state again.
    private func wakeOpeningWaiters(_ scene: ExactName) {
        for waiter in guarded.withLock({ $0.removeOpeningWaiters(scene) }) {
            waiter.resume()
        }
    }

    private func openFirst(_ scene: ExactName, _ client: StoreClient) async throws(StoreClientError) -> SceneMember {
        do throws(StoreClientError) {
            // Start to watch before the scene is read, so that no change is missed.
            let follower = try await SceneFollower(client: client, scene: scene)
            try await readFirst(scene)
            let (member, others) = guarded.withLock { $0.opened(scene) }
            let task = Task { await follower.run(self) }
            followers.withLock { $0[scene] = task }
            for other in others {
                other.resume()
            }
            return member
        } catch {
            for other in guarded.withLock({ $0.openingFailed(scene) }) {
                other.resume()
            }
            throw error
        }
    }

    /// Reads a scene for the first time. Reads it again if the writer's read has exceeded its deadline, or if the store
    /// was replaced between two pages. The caller's own deadline ends the attempts by cancelling the task.
    private func readFirst(_ scene: ExactName) async throws(StoreClientError) {
        while true {
            do throws(StoreClientError) {
                return try await read(scene)
            } catch {
                guard error.reason == .deadlineExceeded || error.reason == .historyChanged else { throw error }
            }
        }
    }

    func read(_ scene: ExactName) async throws(StoreClientError) {
        let result: Result<Void, StoreClientError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guarded.withLock { $0.read(scene, continuation) }?.resume()
                if Task.isCancelled {
                    cancelReading(scene)
                }
            }
        } onCancel: {
            cancelReading(scene)
        }
        try result.get()
    }

    private func cancelReading(_ scene: ExactName) {
        resumeWaiters(guarded.withLock { $0.cancelReading(scene) })
    }

    /// Removes an object from its scene. Its remaining changes are still written.
    func leave(_ member: SceneMember) {
        let (closed, sleeper) = guarded.withLock { memory in
            let (closed, sleeper) = memory.leave(member)
            // Remove the follower while the mutex is held, so that a task that opens the scene again creates a new
            // follower.
            let follower = closed.flatMap { scene in followers.withLock { $0.removeValue(forKey: scene) } }
            return (follower, sleeper)
        }
        closed?.cancel()
        sleeper?.resume()
    }

    /// Forgets an object that no longer exists.
    func forget(_ member: SceneMember) {
        guarded.withLock { $0.forget(member) }
    }

    // MARK: Writer

    /// Writes and reads until no scene is open any more. The writer's task keeps this object alive until then.
    func startWriting(_ access: some SceneAccess) {
        let task = Task { await SceneWriter(access: access, hub: self).run() }
        writer.withLock { $0 = task }
    }

    /// Waits until there is a batch to write or a scene to read, or until the writer must end.
    func nextWork() async -> SceneWork {
        while true {
            if let work = guarded.withLock({ $0.beginNextWork() }) {
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
        resumeWaiters(guarded.withLock { $0.written(batch, revision: revision) })
    }

    /// Records that a batch was not written. Returns true if the writer should try again, because an object of a scene
    /// is still open or being created.
    func failed(_ error: StoreClientError) -> Bool {
        let (isTriedAgain, resumptions) = guarded.withLock { $0.failed(error) }
        resumeWaiters(resumptions)
        return isTriedAgain
    }

    /// Records that the batch will never be written.
    func gaveUp(_ batch: SceneBatch, _ error: StoreClientError) {
        resumeWaiters(guarded.withLock { $0.gaveUp(batch, error) })
    }

    /// Records that none of the current changes will ever be written.
    func gaveUpEverything(_ error: StoreClientError) {
        resumeWaiters(guarded.withLock { $0.gaveUpEverything(error) })
    }

    func isInFlight(_ batch: SceneBatch) -> Bool {
        guarded.withLock { $0.isInFlight(batch) }
    }

    /// Returns the next read, for use while a batch cannot be written.
    func beginNextReading() -> SceneReading? {
        guarded.withLock { $0.beginNextReading() }
    }

    func wasRead(_ reading: SceneReading, _ entries: [SceneEntry]) {
        resumeWaiters(guarded.withLock { $0.wasRead(reading, entries) })
    }

    /// Records that a read failed.
    ///
    /// - Returns: true if a waiting task was informed, in which case the read is not repeated.
    func readFailed(_ reading: SceneReading, _ error: StoreClientError) -> Bool {
        let resumptions = guarded.withLock { $0.readFailed(reading, error) }
        resumeWaiters(resumptions)
        return !resumptions.isEmpty
    }

    // MARK: Followers

    func remoteChange(_ change: Change, seenBy scene: ExactName) {
        guarded.withLock { $0.remoteChange(change, seenBy: scene) }?.resume()
    }

    func followingFailed(_ scene: ExactName, _ error: StoreClientError) {
        guarded.withLock { $0.followingFailed(scene, error) }
    }

    /// Requests that a scene is read again, because changes may have been missed.
    func mayHaveMissedChanges(_ scene: ExactName) {
        guarded.withLock { $0.mayHaveMissedChanges(scene) }?.resume()
    }

    private func resumeWaiters(_ resumptions: [SceneMemory.Resumption]) {
        for resumption in resumptions {
            resumption.waiter.resume(returning: resumption.result)
        }
    }
}
