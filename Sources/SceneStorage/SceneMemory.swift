import StoreClient

/// The values of the open scenes of one client, and the changes that still have to be written. It is plain data, which
/// `SceneHub` guards. All objects read and change the same memory, so that each sees the changes of the others at once
/// and in one order.
struct SceneMemory {
    typealias Waiter = CheckedContinuation<Result<Void, StoreClientError>, Never>
    typealias Sleeper = CheckedContinuation<Void, Never>

    /// A waiting task and the result to resume it with.
    struct Resumption {
        let waiter: Waiter
        let result: Result<Void, StoreClientError>
    }

    /// A task that waits until all change sets up to a number are written.
    private struct Waiting {
        let number: UInt64
        let member: SceneMember
        let waiter: Waiter
        /// The error for which changes of the task's object were reverted during the wait; `nil` if none were.
        var refusal: StoreClientError?
    }

    /// The failure of an object's changes.
    private struct Refusal {
        let error: StoreClientError
        /// True if no task was informed yet.
        var isUnreported: Bool
    }

    private var tiers = SceneTiers()
    private var queue: SceneQueue
    private(set) var scenes: [ExactName: OpenScene] = [:]
    /// The open objects, each with its scene. Only these objects may make changes.
    private var members: [SceneMember: ExactName] = [:]
    /// The open objects, and closed ones that still have references.
    private var objects: Set<SceneMember> = []
    private var lastMember = 0
    private var openings = SceneOpenings()
    /// The number of objects that are being created.
    private var openingCount = 0
    /// For each position, the revision up to which the values in memory include all changes. Without this revision,
    /// this process's own changes would be handled again when the daemon reports them.
    private var appliedRevisions: [ScenePlace: UInt64] = [:]
    private var waiters: [Waiting] = []
    private var sleeper: Sleeper?
    private var writeError: StoreClientError?
    private var refusals: [SceneMember: Refusal] = [:]
    private var wroteLast = false
    /// True if no scene is open and nothing is left to write. This never becomes false again.
    private(set) var isRetired = false

    init(waitingBytesMax: Int = 64 << 20) {
        queue = SceneQueue(waitingBytesMax: waitingBytesMax)
    }

    // MARK: Calls of scene objects

    func value(_ scene: ExactName, _ key: ExactName) -> SceneValue? {
        tiers.value(scene, key)
    }

    func values(_ scene: ExactName) -> [ExactName: SceneValue] {
        tiers.values(scene)
    }

    func lastError(_ member: SceneMember) -> StoreClientError? {
        refusals[member]?.error ?? writeError ?? members[member].flatMap { scenes[$0]?.followError }
    }

    func unwrittenCount(_ scene: ExactName) -> Int {
        queue.unwrittenCount(scene)
    }

    /// Adds changes.
    ///
    /// - Returns: the sleeping writer, which the caller must wake.
    mutating func change(_ changes: [SceneChange], by member: SceneMember) -> Sleeper? {
        guard !changes.isEmpty else { return nil }
        guard let scene = members[member] else {
            refused(
                member,
                StoreClientError(
                    code: .failedPrecondition, reason: .clientClosed, message: "the scene's storage was closed"))
            return nil
        }
        guard queue.append(changes, scene: scene, member: member) else {
            refused(
                member,
                StoreClientError(
                    code: .resourceExhausted, reason: .tooManyWaitingCalls,
                    message: "too many changes wait to be written; hint: await flush() before you make more changes",
                    isRetryable: true))
            return nil
        }
        for change in changes {
            tiers.apply(change, scene)
        }
        return sleeper.take()
    }

    mutating func refused(_ member: SceneMember, _ error: StoreClientError) {
        refusals[member] = Refusal(error: error, isUnreported: true)
    }

    /// Makes a task wait until all changes so far are written. If the result is known already, returns it instead.
    mutating func waitUntilWritten(_ member: SceneMember, _ waiter: Waiter) -> Result<Void, StoreClientError>? {
        if let refusal = refusals[member], refusal.isUnreported {
            refusals[member] = nil
            return .failure(refusal.error)
        }
        let number = queue.awaitAll()
        guard queue.completedNumber < number else { return .success(()) }
        waiters.append(Waiting(number: number, member: member, waiter: waiter))
        return nil
    }

    // MARK: Opening and closing

    /// The result of joining a scene.
    enum Joining {
        case joined(SceneMember)
        /// The caller must open the scene.
        case isToBeOpened
        case isBeingOpened
    }

    /// Registers an object that is being created, which keeps the memory in use.
    mutating func beginOpening() -> Bool {
        guard !isRetired else { return false }
        openingCount += 1
        return true
    }

    mutating func endOpening() -> Sleeper? {
        openingCount -= 1
        return sleeper.take()
    }

    mutating func join(_ scene: ExactName) -> Joining {
        guard let found = scenes[scene] else {
            scenes[scene] = OpenScene()
            return .isToBeOpened
        }
        return found.isOpen ? .joined(addMember(scene)) : .isBeingOpened
    }

    private mutating func addMember(_ scene: ExactName) -> SceneMember {
        lastMember += 1
        let member = SceneMember(number: lastMember)
        members[member] = scene
        objects.insert(member)
        scenes[scene]?.memberCount += 1
        return member
    }

    /// Adds a task that waits for the scene to be opened. Returns false if it is open, or if no task is opening it.
    mutating func waitForOpening(_ scene: ExactName, _ waiter: Sleeper) -> Bool {
        guard scenes[scene]?.isOpen == false else { return false }
        scenes[scene]?.openingWaiters.append(waiter)
        return true
    }

    /// Requests the first read of a scene. Returns the sleeping writer, which the caller must wake.
    mutating func read(_ scene: ExactName, _ waiter: Waiter) -> Sleeper? {
        openings.append(scene, waiter)
        return sleeper.take()
    }

    /// Ends the waiting for the first read of a scene, because it is no longer needed.
    mutating func cancelReading(_ scene: ExactName) -> [Resumption] {
        openings.cancel(scene)
    }

    /// Returns the tasks that wait for the scene to be opened. Each must check the state again.
    mutating func removeOpeningWaiters(_ scene: ExactName) -> [Sleeper] {
        scenes[scene]?.removeOpeningWaiters() ?? []
    }

    /// Marks a scene as open. Returns an object for the task that opened it, and the tasks that waited for the scene.
    mutating func opened(_ scene: ExactName) -> (member: SceneMember, waiters: [Sleeper]) {
        let waiters = scenes[scene]?.open() ?? []
        return (addMember(scene), waiters)
    }

    /// Removes a scene that could not be opened. Returns the tasks that waited for it.
    mutating func openingFailed(_ scene: ExactName) -> [Sleeper] {
        let waiters = scenes[scene]?.openingWaiters ?? []
        close(scene)
        return waiters
    }

    /// Removes an object from its scene. Its remaining changes are still written. Returns the scene if no object has it
    /// open any more, and the sleeping writer, which the caller must wake.
    mutating func leave(_ member: SceneMember) -> (closed: ExactName?, sleeper: Sleeper?) {
        guard let scene = members.removeValue(forKey: member) else { return (nil, nil) }
        scenes[scene]?.memberCount -= 1
        guard scenes[scene]?.memberCount == 0 else { return (nil, sleeper.take()) }
        close(scene)
        return (scene, sleeper.take())
    }

    /// Removes what is known of an object that no longer exists, such as an error that was not reported.
    mutating func forget(_ member: SceneMember) {
        objects.remove(member)
        refusals[member] = nil
    }

    private mutating func close(_ scene: ExactName) {
        scenes[scene] = nil
        tiers.forget(scene)
    }

    /// True if no further changes can be made. Changes that cannot be written now will then never be written.
    var isEnding: Bool { members.isEmpty && openingCount == 0 }

    // MARK: Writer

    /// Returns the next work of the writer. Writes and reads alternate, one at a time, because a read that overtakes a
    /// write would undo the written changes in memory. If the next work is a read, its keys lose their marks as
    /// stale; a change that is reported during the read marks them again.
    mutating func beginNextWork() -> SceneWork? {
        if !wroteLast || !hasReading, let batch = queue.removeBatch() {
            wroteLast = true
            return .write(batch)
        }
        wroteLast = false
        if let reading = beginNextReading() {
            return .read(reading)
        }
        if let batch = queue.removeBatch() {
            wroteLast = true
            return .write(batch)
        }
        guard isEnding else { return nil }
        isRetired = true
        return .end
    }

    /// Returns the next read. A batch that could not be written does not block reads.
    mutating func beginNextReading() -> SceneReading? {
        if let scene = openings.beginReading() {
            return SceneReading(scene: scene, refresh: .everything)
        }
        for scene in scenes.keys {
            if let refresh = scenes[scene]?.beginRefresh() {
                return SceneReading(scene: scene, refresh: refresh)
            }
        }
        return nil
    }

    private var hasReading: Bool {
        !openings.isEmpty || scenes.values.contains(where: \.isStale)
    }

    /// Stores the writer's continuation until there is work. Returns false if there is work to do.
    mutating func sleep(_ continuation: Sleeper) -> Bool {
        precondition(sleeper == nil, "the scenes of a client must have only one writer")
        guard !queue.hasWaiting, !hasReading, !isEnding else { return false }
        sleeper = continuation
        return true
    }

    mutating func written(_ batch: SceneBatch, revision: UInt64) -> [Resumption] {
        writeError = nil
        refusals = refusals.filter(\.value.isUnreported)
        complete(batch)
        if appliedRevisions.count > 2 * tiers.valueCount + 1_024 {
            appliedRevisions = [:]
        }
        for change in batch.changes {
            let key = ExactName(change.key)
            appliedRevisions[ScenePlace(scene: batch.scene, key: key)] = revision
            appliedRevisions[ScenePlace(scene: nil, key: key)] = revision
            // This change has replaced the earlier changes of other processes to the key.
            if !queue.isUnwritten(ScenePlace(scene: nil, key: key)) {
                scenes[batch.scene]?.clearStaleMark(key, revision)
            }
        }
        return outcomes()
    }

    /// Records that a batch was not written. Returns true if the writer should retry, and the tasks to resume.
    mutating func failed(_ error: StoreClientError) -> (isTriedAgain: Bool, resumptions: [Resumption]) {
        writeError = error
        let resumptions = waiters.map { Resumption(waiter: $0.waiter, result: .failure($0.refusal ?? error)) }
        waiters = []
        return (!isEnding, resumptions)
    }

    private mutating func complete(_ batch: SceneBatch) {
        queue.complete(batch)
        for scene in scenes.keys {
            scenes[scene]?.resumePostponed()
        }
    }

    /// Reverts a batch: its keys are read again. Waiting tasks get the error when all earlier changes are completed.
    mutating func gaveUp(_ batch: SceneBatch, _ error: StoreClientError) -> [Resumption] {
        complete(batch)
        revertChanges(Array(batch.sets), error)
        return outcomes()
    }

    mutating func gaveUpEverything(_ error: StoreClientError) -> [Resumption] {
        revertChanges(queue.drain(), error)
        return outcomes()
    }

    private mutating func revertChanges(_ sets: [SceneChangeSet], _ error: StoreClientError) {
        for key in Set(sets.flatMap(\.changes).map { ExactName($0.key) }) {
            // Mark the keys in all scenes, because each may show the shared value.
            for scene in scenes.keys {
                scenes[scene]?.mark(key, .max)
            }
        }
        for member in objects.intersection(sets.map(\.member)) {
            let indices = waiters.indices.filter { waiters[$0].member == member }
            for index in indices where waiters[index].refusal == nil {
                waiters[index].refusal = error
            }
            refusals[member] = Refusal(error: error, isUnreported: indices.isEmpty)
        }
    }

    func isInFlight(_ batch: SceneBatch) -> Bool {
        queue.isInFlight(batch)
    }

    private mutating func outcomes() -> [Resumption] {
        let completed = queue.completedNumber
        let done = waiters.filter { $0.number <= completed }
        waiters.removeAll { $0.number <= completed }
        return done.map { Resumption(waiter: $0.waiter, result: $0.refusal.map { .failure($0) } ?? .success(())) }
    }

    /// Adopts the values that the daemon returned, except the values that this process has changed and not written yet.
    mutating func wasRead(_ reading: SceneReading, _ entries: [SceneEntry]) -> [Resumption] {
        let (scene, queue) = (reading.scene, queue)
        let keys: [ExactName]? = if case .keys(let marks) = reading.refresh { Array(marks.keys) } else { nil }
        if let found = scenes[scene] {
            tiers.adopt(entries, scene, keys: keys) { queue.isUnwritten($0) }
            if !found.isOpen {
                tiers.remember(queue.unwrittenChanges(scene), scene)
            }
            scenes[scene]?.wasRead()
            scenes[scene]?.postpone(queue.keysInFlight, of: reading.refresh)
        }
        return openings.endReading(scene, .success(()))
    }

    mutating func readFailed(_ reading: SceneReading, _ error: StoreClientError) -> [Resumption] {
        let resumptions = openings.endReading(reading.scene, .failure(error))
        if resumptions.isEmpty {
            scenes[reading.scene]?.readFailed(reading.refresh, error)
        }
        return resumptions
    }

    // MARK: Followers

    mutating func remoteChange(_ change: Change, seenBy scene: ExactName) -> Sleeper? {
        scenes[scene]?.followError = nil
        switch change.kind {
        case .store:
            appliedRevisions = [:]
            scenes[scene]?.markEverything()
        case .sceneValue where change.id.isEmpty:
            scenes[scene]?.markEverything()
        case .sceneValue:
            let key = ExactName(change.id)
            let place = ScenePlace(scene: change.scene.map { ExactName($0) }, key: key)
            guard appliedRevisions[place].map({ $0 < change.revision }) ?? true else { return nil }
            // A change of a shared value is irrelevant if the scene has its own value for the key, unless a running
            // read may remove that value.
            let isHidden =
                tiers.hasOwnValue(scene, key) && !queue.isUnwritten(ScenePlace(scene: scene, key: key))
                && scenes[scene]?.isReading == false
            guard place.scene != nil || !isHidden else { return nil }
            scenes[scene]?.mark(key, change.revision)
        default:
            return nil
        }
        return sleeper.take()
    }

    mutating func followingFailed(_ scene: ExactName, _ error: StoreClientError) {
        scenes[scene]?.followError = error
    }

    /// Marks everything as stale, because changes may have been missed and the revisions may belong to another store.
    mutating func mayHaveMissedChanges(_ scene: ExactName) -> Sleeper? {
        appliedRevisions = [:]
        scenes[scene]?.followError = nil
        scenes[scene]?.markEverything()
        return sleeper.take()
    }
}
