import StoreClient

/// Changes that are not written yet, in the order in which they were made. Of the changes to one key of a scene only
/// the last one waits, unless someone waits for an earlier one: what waits is bounded by what is kept, however often it
/// is set.
struct SceneQueue {
    /// Changes that share a request at most.
    private static let batchChangesMax = StoreClient.entriesPerRequestMax
    /// Bytes of changes that wait at most, as far as they are counted.
    private let waitingBytesMax: Int

    private struct Waiting {
        let set: SceneChangeSet
        let bytes: Int
        /// Changes that no later one has taken the place of.
        var liveCount: Int
    }

    private var waiting: [UInt64: Waiting] = [:]
    /// The numbers of `waiting` and of some that are gone, ascending.
    private var order: ArraySlice<UInt64> = []
    private var waitingBytes = 0
    /// Which waiting set changes a place last.
    private var latest: [ScenePlace: UInt64] = [:]
    /// Taken to be written.
    private var inFlight: [SceneChangeSet] = []
    /// How many changes there are to a place that are not written yet.
    private var unwritten: [ScenePlace: Int] = [:]
    private(set) var lastNumber: UInt64 = 0
    /// Somebody waits for the sets up to here: they keep their places.
    private var awaitedNumber: UInt64 = 0

    init(waitingBytesMax: Int = 64 << 20) {
        self.waitingBytesMax = waitingBytesMax
    }

    // MARK: What is there

    var isEmpty: Bool { waiting.isEmpty && inFlight.isEmpty }

    var hasWaiting: Bool { !waiting.isEmpty }

    func isUnwritten(_ place: ScenePlace) -> Bool {
        unwritten[place] != nil
    }

    func unwrittenCount(_ scene: ExactName) -> Int {
        let sets = inFlight + waiting.values.map(\.set)
        return sets.lazy.filter { $0.scene == scene }.reduce(0) { $0 + $1.changes.count }
    }

    /// What is not written yet of a scene, in the order made.
    func unwrittenChanges(_ scene: ExactName) -> [SceneChange] {
        let sets = (inFlight + waiting.values.map(\.set)).filter { $0.scene == scene }
        return sets.sorted { $0.number < $1.number }.flatMap(\.changes)
    }

    /// Keys whose changes were taken to be written.
    var keysInFlight: Set<ExactName> {
        Set(inFlight.lazy.flatMap(\.changes).map { ExactName($0.key) })
    }

    /// Every set up to this number is written, or will never be.
    var completedNumber: UInt64 {
        let oldest = inFlight.first?.number ?? order.first { waiting[$0] != nil }
        return oldest.map { $0 - 1 } ?? lastNumber
    }

    /// - Returns: the number up to which sets are awaited from now on.
    mutating func awaitAll() -> UInt64 {
        awaitedNumber = lastNumber
        return lastNumber
    }

    // MARK: In

    /// - Returns: false when there is no room, and nothing was added.
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

    /// A later change makes an earlier one to the same place needless. What was made together stays together until all
    /// of it is needless.
    private mutating func replace(_ place: ScenePlace) {
        guard let number = replaceable(place), var earlier = waiting[number] else { return }
        earlier.liveCount -= 1
        if earlier.liveCount == 0 {
            remove(earlier)
            settle(earlier.set)
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

    /// Its changes do not count as unwritten any more.
    private mutating func settle(_ set: SceneChangeSet) {
        for place in set.places.flatMap({ [$0, ScenePlace(scene: nil, key: $0.key)] }) {
            let count = (unwritten[place] ?? 1) - 1
            unwritten[place] = count > 0 ? count : nil
        }
    }

    // MARK: Out

    /// The oldest sets, of one scene.
    mutating func takeBatch() -> SceneBatch? {
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

    /// The batch is written, or will never be.
    mutating func complete(_ batch: SceneBatch) {
        for set in batch.sets {
            settle(set)
        }
        inFlight.removeAll { $0.number <= batch.lastNumber }
    }

    /// Nothing of it will ever be written.
    mutating func takeAll() -> [SceneChangeSet] {
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

/// One of the objects that show a scene.
struct SceneMember: Hashable, Sendable {
    let number: Int
}

/// What one call of a user changes: written whole or not at all.
struct SceneChangeSet: Sendable {
    /// Counts the calls, in the order made.
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
    /// In the order made; not empty.
    let sets: ArraySlice<SceneChangeSet>

    /// Only the last change to a key counts.
    var changes: [SceneChange] {
        var seen: Set<ExactName> = []
        return sets.flatMap(\.changes).reversed().filter { seen.insert(ExactName($0.key)).inserted }.reversed()
    }

    /// The last of them.
    var lastNumber: UInt64 { sets.last?.number ?? 0 }

    /// `nil` when there is one set, which is never taken apart.
    var halves: (earlier: SceneBatch, later: SceneBatch)? {
        guard sets.count > 1 else { return nil }
        let middle = sets.startIndex + sets.count / 2
        return (
            SceneBatch(scene: scene, sets: sets[..<middle]), SceneBatch(scene: scene, sets: sets[middle...])
        )
    }
}

extension SceneChange {
    /// About what it takes while it waits.
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
