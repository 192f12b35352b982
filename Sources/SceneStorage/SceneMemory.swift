import StoreClient

/// What one process holds in memory of the scenes it has open over one client, and what of it has still to be written:
/// plain data, which `SceneHub` guards. All its objects read and change this one memory, so that each sees what the
/// others do at once and in one order.
struct SceneMemory {
    typealias Waiter = CheckedContinuation<Result<Void, StoreClientError>, Never>
    typealias Sleeper = CheckedContinuation<Void, Never>

    /// Who waits is told this.
    struct Told {
        let waiter: Waiter
        let result: Result<Void, StoreClientError>
    }

    /// Someone who waits until everything up to a change set is written.
    private struct Waiting {
        let number: UInt64
        let member: SceneMember
        let waiter: Waiter
        /// What the daemon refused of the member's.
        var refusal: StoreClientError?
    }

    /// A failure of one object's changes.
    private struct Refusal {
        let error: StoreClientError
        /// Nobody has been told yet.
        var isUntold: Bool
    }

    private var tiers = SceneTiers()
    private var queue: SceneQueue
    private(set) var scenes: [ExactName: OpenScene] = [:]
    /// Objects that may change their scene.
    private var members: [SceneMember: ExactName] = [:]
    /// Those, and the closed ones that somebody still has.
    private var objects: Set<SceneMember> = []
    private var lastMember = 0
    private var openings = SceneOpenings()
    /// Objects that are being made.
    private var openingCount = 0
    /// Up to which revision changes of a place are accounted for: those of this process come back as news otherwise.
    private var settled: [ScenePlace: UInt64] = [:]
    private var waiters: [Waiting] = []
    private var sleeper: Sleeper?
    private var writeError: StoreClientError?
    private var refusals: [SceneMember: Refusal] = [:]
    private var wroteLast = false
    /// Nothing is open or to be written any more, and never will be.
    private(set) var isRetired = false

    init(waitingBytesMax: Int = 64 << 20) {
        queue = SceneQueue(waitingBytesMax: waitingBytesMax)
    }

    // MARK: Users

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

    /// - Returns: the writer, to be woken.
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
                    message: "too many changes wait to be written; hint: await flush() before making more",
                    isRetryable: true))
            return nil
        }
        for change in changes {
            tiers.apply(change, scene)
        }
        return sleeper.take()
    }

    mutating func refused(_ member: SceneMember, _ error: StoreClientError) {
        refusals[member] = Refusal(error: error, isUntold: true)
    }

    /// - Returns: the outcome, when there is nothing to wait for.
    mutating func waitUntilWritten(_ member: SceneMember, _ waiter: Waiter) -> Result<Void, StoreClientError>? {
        if let refusal = refusals[member], refusal.isUntold {
            refusals[member] = nil
            return .failure(refusal.error)
        }
        let number = queue.awaitAll()
        guard queue.completedNumber < number else { return .success(()) }
        waiters.append(Waiting(number: number, member: member, waiter: waiter))
        return nil
    }

    // MARK: Opening and closing

    /// What an object that is being made finds.
    enum Joining {
        case joined(SceneMember)
        /// The caller is the one that opens it.
        case isToBeOpened
        case isBeingOpened
    }

    /// One more object is being made: the memory stays in use.
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

    /// - Returns: false when the scene is open by now, or nobody is opening it any more.
    mutating func waitForOpening(_ scene: ExactName, _ waiter: Sleeper) -> Bool {
        guard scenes[scene]?.isOpen == false else { return false }
        scenes[scene]?.openingWaiters.append(waiter)
        return true
    }

    /// Reads a scene for the first time.
    mutating func read(_ scene: ExactName, _ waiter: Waiter) -> Sleeper? {
        openings.append(scene, waiter)
        return sleeper.take()
    }

    /// Nobody waits for the scene to be read any more.
    mutating func cancelReading(_ scene: ExactName) -> [Told] {
        openings.cancel(scene)
    }

    /// - Returns: those that wait for the scene to be opened: each looks again.
    mutating func takeOpeningWaiters(_ scene: ExactName) -> [Sleeper] {
        scenes[scene]?.takeOpeningWaiters() ?? []
    }

    /// - Returns: the object of whoever opened it, and those that waited for it.
    mutating func opened(_ scene: ExactName) -> (member: SceneMember, waiters: [Sleeper]) {
        let waiters = scenes[scene]?.open() ?? []
        return (addMember(scene), waiters)
    }

    /// - Returns: those that waited for it.
    mutating func openingFailed(_ scene: ExactName) -> [Sleeper] {
        let waiters = scenes[scene]?.openingWaiters ?? []
        close(scene)
        return waiters
    }

    /// Nothing more is wanted of this object but to write what is left.
    ///
    /// - Returns: the scene, when nobody has it open any more; and the writer, to be woken.
    mutating func leave(_ member: SceneMember) -> (closed: ExactName?, sleeper: Sleeper?) {
        guard let scene = members.removeValue(forKey: member) else { return (nil, nil) }
        scenes[scene]?.memberCount -= 1
        guard scenes[scene]?.memberCount == 0 else { return (nil, sleeper.take()) }
        close(scene)
        return (scene, sleeper.take())
    }

    /// Nobody has this object any more.
    mutating func forget(_ member: SceneMember) {
        objects.remove(member)
        refusals[member] = nil
    }

    private mutating func close(_ scene: ExactName) {
        scenes[scene] = nil
        tiers.forget(scene)
    }

    /// Nobody will make a further change: what cannot be written now will never be.
    var isEnding: Bool { members.isEmpty && openingCount == 0 }

    // MARK: The writer

    /// Changes and reads take turns, one at a time: a read that overtook a write would undo a change. What is to be
    /// read is no longer marked: a change heard of while it is read marks it anew.
    mutating func takeWork() -> SceneWork? {
        if !wroteLast || !hasReading, let batch = queue.takeBatch() {
            wroteLast = true
            return .write(batch)
        }
        wroteLast = false
        if let reading = takeReading() {
            return .read(reading)
        }
        if let batch = queue.takeBatch() {
            wroteLast = true
            return .write(batch)
        }
        guard isEnding else { return nil }
        isRetired = true
        return .end
    }

    /// What is to be read next. A change that was taken to be written and could not be keeps nobody from reading.
    mutating func takeReading() -> SceneReading? {
        if let scene = openings.beginReading() {
            return SceneReading(scene: scene, refresh: .everything)
        }
        for scene in scenes.keys {
            if let refresh = scenes[scene]?.takeRefresh() {
                return SceneReading(scene: scene, refresh: refresh)
            }
        }
        return nil
    }

    private var hasReading: Bool {
        !openings.isEmpty || scenes.values.contains(where: \.isStale)
    }

    /// - Returns: false when there is something to do instead.
    mutating func sleep(_ continuation: Sleeper) -> Bool {
        precondition(sleeper == nil, "the scenes of a client must have only one writer")
        guard !queue.hasWaiting, !hasReading, !isEnding else { return false }
        sleeper = continuation
        return true
    }

    mutating func written(_ batch: SceneBatch, revision: UInt64) -> [Told] {
        writeError = nil
        refusals = refusals.filter(\.value.isUntold)
        complete(batch)
        if settled.count > 2 * tiers.valueCount + 1_024 {
            settled = [:]
        }
        for change in batch.changes {
            let key = ExactName(change.key)
            settled[ScenePlace(scene: batch.scene, key: key)] = revision
            settled[ScenePlace(scene: nil, key: key)] = revision
            // What others did to the key before this change is gone by it.
            if !queue.isUnwritten(ScenePlace(scene: nil, key: key)) {
                scenes[batch.scene]?.settle(key, revision)
            }
        }
        return outcomes()
    }

    /// - Returns: whether another try makes sense, and who is told.
    mutating func failed(_ error: StoreClientError) -> (isTriedAgain: Bool, told: [Told]) {
        writeError = error
        let told = waiters.map { Told(waiter: $0.waiter, result: .failure($0.refusal ?? error)) }
        waiters = []
        return (!isEnding, told)
    }

    private mutating func complete(_ batch: SceneBatch) {
        queue.complete(batch)
        for scene in scenes.keys {
            scenes[scene]?.resumePostponed()
        }
    }

    /// Takes the changes back: the keys are read again. Whoever made them and waits is told when its turn has come.
    mutating func gaveUp(_ batch: SceneBatch, _ error: StoreClientError) -> [Told] {
        complete(batch)
        takeBack(Array(batch.sets), error)
        return outcomes()
    }

    mutating func gaveUpEverything(_ error: StoreClientError) -> [Told] {
        takeBack(queue.takeAll(), error)
        return outcomes()
    }

    private mutating func takeBack(_ sets: [SceneChangeSet], _ error: StoreClientError) {
        for key in Set(sets.flatMap(\.changes).map { ExactName($0.key) }) {
            // Also in other scenes, which may show the shared value.
            for scene in scenes.keys {
                scenes[scene]?.mark(key, .max)
            }
        }
        for member in objects.intersection(sets.map(\.member)) {
            let indices = waiters.indices.filter { waiters[$0].member == member }
            for index in indices where waiters[index].refusal == nil {
                waiters[index].refusal = error
            }
            refusals[member] = Refusal(error: error, isUntold: indices.isEmpty)
        }
    }

    func isInFlight(_ batch: SceneBatch) -> Bool {
        queue.isInFlight(batch)
    }

    private mutating func outcomes() -> [Told] {
        let completed = queue.completedNumber
        let done = waiters.filter { $0.number <= completed }
        waiters.removeAll { $0.number <= completed }
        return done.map { Told(waiter: $0.waiter, result: $0.refusal.map { .failure($0) } ?? .success(())) }
    }

    /// What the daemon has now. Places with a change of this process under way keep it.
    mutating func wasRead(_ reading: SceneReading, _ entries: [SceneEntry]) -> [Told] {
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

    mutating func readFailed(_ reading: SceneReading, _ error: StoreClientError) -> [Told] {
        let told = openings.endReading(reading.scene, .failure(error))
        if told.isEmpty {
            scenes[reading.scene]?.readFailed(reading.refresh, error)
        }
        return told
    }

    // MARK: The followers

    mutating func remoteChange(_ change: Change, seenBy scene: ExactName) -> Sleeper? {
        scenes[scene]?.followError = nil
        switch change.kind {
        case .store:
            settled = [:]
            scenes[scene]?.markEverything()
        case .sceneValue where change.id.isEmpty:
            scenes[scene]?.markEverything()
        case .sceneValue:
            let key = ExactName(change.id)
            let place = ScenePlace(scene: change.scene.map { ExactName($0) }, key: key)
            guard settled[place].map({ $0 < change.revision }) ?? true else { return nil }
            // What all scenes share does not matter where the scene has its own value, which what is being read may
            // be about to take away.
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

    /// The store may be another than the one that the revisions were of.
    mutating func mayHaveMissedChanges(_ scene: ExactName) -> Sleeper? {
        settled = [:]
        scenes[scene]?.followError = nil
        scenes[scene]?.markEverything()
        return sleeper.take()
    }
}
