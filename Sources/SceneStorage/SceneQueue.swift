import StoreClient

/// The changes that are not written yet, in the order in which they were made. A new change to a key of a scene
/// replaces the waiting earlier one, unless a task waits for the earlier one. Therefore the size of the queue is
/// limited by the number of values and not by the number of changes.
struct SceneQueue {
    private static let batchChangesMax = StoreClient.entriesPerRequestMax
    /// The approximate limit for the size of all waiting changes in bytes.
    private let waitingBytesMax: Int

    private struct Waiting {
        let set: SceneChangeSet
        let bytes: Int
        /// The number of changes that no later one has replaced.
        var liveCount: Int
    }

    private var waiting: [UInt64: Waiting] = [:]
    /// The numbers of the waiting sets in ascending order. The list may also contain numbers of sets that were removed
    /// from `waiting`.
    private var order: ArraySlice<UInt64> = []
    private var waitingBytes = 0
    /// For each position, the number of the waiting set that changed it last.
    private var latest: [ScenePlace: UInt64] = [:]
    /// The sets that are being written.
    private var inFlight: [SceneChangeSet] = []
    /// For each position, the number of unwritten changes.
    private var unwritten: [ScenePlace: Int] = [:]
    private(set) var lastNumber: UInt64 = 0
    /// The number of the last set for which a task waits. Changes in the sets up to this one are not replaced.
    private var awaitedNumber: UInt64 = 0

    init(waitingBytesMax: Int = 64 << 20) {
        self.waitingBytesMax = waitingBytesMax
    }

    // MARK: State

    var isEmpty: Bool { waiting.isEmpty && inFlight.isEmpty }

    var hasWaiting: Bool { !waiting.isEmpty }

    func isUnwritten(_ place: ScenePlace) -> Bool {
        unwritten[place] != nil
    }

    func unwrittenCount(_ scene: ExactName) -> Int {
        let sets = inFlight + waiting.values.map(\.set)
        return sets.lazy.filter { $0.scene == scene }.reduce(0) { $0 + $1.changes.count }
    }

    /// Returns the unwritten changes of a scene, in the order in which they were made.
    func unwrittenChanges(_ scene: ExactName) -> [SceneChange] {
        let sets = (inFlight + waiting.values.map(\.set)).filter { $0.scene == scene }
        return sets.sorted { $0.number < $1.number }.flatMap(\.changes)
    }

    /// The keys whose changes are being written.
    var keysInFlight: Set<ExactName> {
        Set(inFlight.lazy.flatMap(\.changes).map { ExactName($0.key) })
    }

    /// The number up to which all sets are completed: either written, or given up.
    var completedNumber: UInt64 {
        let oldest = inFlight.first?.number ?? order.first { waiting[$0] != nil }
        return oldest.map { $0 - 1 } ?? lastNumber
    }

    /// Protects the changes in the current sets from being replaced, because a task waits for these sets. Returns the
    /// number of the last set.
    mutating func awaitAll() -> UInt64 {
        awaitedNumber = lastNumber
        return lastNumber
    }

    // MARK: Adding

    /// Adds a set of changes.
    ///
    /// - Returns: false if there is no room, in which case nothing was added.
    mutating func append(_ changes: [SceneChange], scene: ExactName, member: SceneMember) -> Bool {
        let replaced = Set(changes.compactMap { replaceable(ScenePlace(scene: scene, key: ExactName($0.key))) })
        let freedBytes = replaced.reduce(0) { bytes, number in
            bytes + (waiting[number].map { $0.liveCount == 1 ? $0.bytes : 0 } ?? 0)
        }
        let bytes = changes.reduce(0) { $0 + $1.countedBytes }
        guard waitingBytes - freedBytes + bytes <= waitingBytesMax || waiting.isEmpty else { return false }
        lastNumber += 1
        for change in changes {
            let place = ScenePlace(scene: scene, key: ExactName(change.key))
            replace(place)
            latest[place] = lastNumber
            unwritten[place, default: 0] += 1
            unwritten[ScenePlace(scene: nil, key: place.key), default: 0] += 1
        }
        let set = SceneChangeSet(number: lastNumber, scene: scene, member: member, changes: changes)
        waiting[lastNumber] = Waiting(set: set, bytes: bytes, liveCount: changes.count)
        waitingBytes += bytes
        order.append(lastNumber)
        if order.count > 2 * waiting.count + 64 {
            order = order.filter { waiting[$0] != nil }[...]
        }
        return true
    }

    private func replaceable(_ place: ScenePlace) -> UInt64? {
        guard let number = latest[place], number > awaitedNumber else { return nil }
        return number
    }

    /// Drops an earlier change to a position if a later one can replace it. A set stays complete until all of its
    /// changes are replaced.
    private mutating func replace(_ place: ScenePlace) {
        guard let number = replaceable(place), var earlier = waiting[number] else { return }
        earlier.liveCount -= 1
        if earlier.liveCount == 0 {
            remove(earlier)
            removeFromUnwritten(earlier.set)
        } else {
            waiting[number] = earlier
        }
    }

    private mutating func remove(_ removed: Waiting) {
        waiting[removed.set.number] = nil
        waitingBytes -= removed.bytes
        for place in removed.set.places where latest[place] == removed.set.number {
            latest[place] = nil
        }
    }

    /// Stops counting the changes of a set as unwritten.
    private mutating func removeFromUnwritten(_ set: SceneChangeSet) {
        for place in set.places.flatMap({ [$0, ScenePlace(scene: nil, key: $0.key)] }) {
            let count = (unwritten[place] ?? 1) - 1
            unwritten[place] = count > 0 ? count : nil
        }
    }

    // MARK: Removing

    /// Removes and returns the oldest sets, all of one scene.
    mutating func removeBatch() -> SceneBatch? {
        var sets: [SceneChangeSet] = []
        var changeCount = 0
        while let number = order.first {
            guard let next = waiting[number] else {
                order.removeFirst()
                continue
            }
            changeCount += next.set.changes.count
            let isWithFirst = sets.first.map { $0.scene == next.set.scene && changeCount <= Self.batchChangesMax }
            guard isWithFirst ?? true else { break }
            order.removeFirst()
            remove(next)
            sets.append(next.set)
        }
        inFlight += sets
        return sets.first.map { SceneBatch(scene: $0.scene, sets: sets[...]) }
    }

    /// Removes a batch that was written, or will never be written.
    mutating func complete(_ batch: SceneBatch) {
        for set in batch.sets {
            removeFromUnwritten(set)
        }
        inFlight.removeAll { $0.number <= batch.lastNumber }
    }

    /// Removes all sets, because none of them will ever be written.
    mutating func drain() -> [SceneChangeSet] {
        let sets = inFlight + waiting.values.map(\.set).sorted { $0.number < $1.number }
        self = SceneQueue(waitingBytesMax: waitingBytesMax, lastNumber: lastNumber)
        return sets
    }

    func isInFlight(_ batch: SceneBatch) -> Bool {
        inFlight.contains { $0.number == batch.lastNumber }
    }
}

extension SceneQueue {
    private init(waitingBytesMax: Int, lastNumber: UInt64) {
        self.init(waitingBytesMax: waitingBytesMax)
        self.lastNumber = lastNumber
    }
}

/// One of the objects that have a scene open.
struct SceneMember: Hashable, Sendable {
    let number: Int
}

/// The changes of one call, which are written completely or not at all.
struct SceneChangeSet: Sendable {
    /// The number of the call, in the order of calls.
    let number: UInt64
    let scene: ExactName
    let member: SceneMember
    let changes: [SceneChange]

    fileprivate var places: some Sequence<ScenePlace> {
        changes.lazy.map { ScenePlace(scene: scene, key: ExactName($0.key)) }
    }
}

/// Change sets of one scene that share a request.
struct SceneBatch: Sendable {
    let scene: ExactName
    /// The sets in their order; not empty.
    let sets: ArraySlice<SceneChangeSet>

    /// The changes of all sets. If a key was changed several times, only the last change is included.
    var changes: [SceneChange] {
        var seen: Set<ExactName> = []
        return sets.flatMap(\.changes).reversed().filter { seen.insert(ExactName($0.key)).inserted }.reversed()
    }

    var lastNumber: UInt64 { sets.last?.number ?? 0 }

    /// Both halves of the batch; `nil` if it has one set, which is never divided.
    var halves: (earlier: SceneBatch, later: SceneBatch)? {
        guard sets.count > 1 else { return nil }
        let middle = sets.startIndex + sets.count / 2
        return (
            SceneBatch(scene: scene, sets: sets[..<middle]), SceneBatch(scene: scene, sets: sets[middle...])
        )
    }
}

extension SceneChange {
    /// The approximate memory that the change uses while it waits.
    fileprivate var countedBytes: Int {
        switch self {
        case .set(let key, let value): 128 + key.utf8.count + value.countedBytes
        case .remove(let key): 128 + key.utf8.count
        }
    }
}

extension SceneValue {
    fileprivate var countedBytes: Int {
        switch self {
        case .string(let text), .url(let text): text.utf8.count
        case .data(let bytes): bytes.count
        case .integer, .float, .double, .bool, .date: 0
        case .array(let values): values.reduce(0) { $0 + 16 + $1.countedBytes }
        case .dictionary(let entries): entries.reduce(0) { $0 + 64 + $1.key.utf8.count + $1.value.countedBytes }
        }
    }
}
