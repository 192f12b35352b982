package import StoreBasics
import Synchronization

/// What any thread may ask the engine without waiting: its state, the counters of the last commit, the generation of
/// the open store, and when it was last used.
final class EngineStatus: Sendable {
    private struct Values {
        var state: StoreState = .locked
        var statistics: Statistics?
        var fileUsage: [FileArea: FileUsage] = [:]
        /// Set when a page turned out to be damaged, until a store is opened again: it takes no writes.
        var damage: StoreError?
        var diskFullSince: ContinuousClock.Instant?
        /// What the last opening found to be missing.
        var loss = StoreLoss()
    }

    /// How often a store on a full disk lets one write through to see whether there is space again.
    private static let diskFullProbeInterval = Duration.seconds(1)

    let endings = Observers<StoreEnding>()
    /// Told of damage that is met while the store is open, once: it takes no more writes.
    private let metDamage: @Sendable (StoreError) -> Void
    /// Called once when a store on a full disk stops accepting writes (true), and once when it accepts them again
    /// (false).
    private let isDiskFullChanged: @Sendable (Bool) -> Void
    private let values = Mutex(Values())
    private let generationCounter = Atomic<UInt64>(0)
    private let lastUsedSeconds = Atomic<Int>(0)

    init(
        metDamage: @escaping @Sendable (StoreError) -> Void = { _ in },
        isDiskFullChanged: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        self.metDamage = metDamage
        self.isDiskFullChanged = isDiskFullChanged
    }

    var state: StoreState {
        values.withLock { values in
            guard let damage = values.damage, values.state == .open || values.state == .readOnly else {
                return values.state
            }
            return .failed(damage)
        }
    }

    /// There is an open store, even if a page of it turned out to be damaged.
    var isStoreOpen: Bool {
        values.withLock { $0.state.isOpen }
    }

    /// What was met when the store was opened or since: its files are to stay as they are.
    var damage: StoreError? {
        values.withLock { $0.damage }
    }

    /// What the last opening found to be missing; nothing while no store is open.
    var loss: StoreLoss {
        values.withLock { $0.state.isOpen ? $0.loss : StoreLoss() }
    }

    var statistics: Statistics? {
        values.withLock { $0.statistics }
    }

    /// What areas of the vault hold; `nil` while no store is open.
    var fileUsage: [FileArea: FileUsage]? {
        values.withLock { $0.state.isOpen ? $0.fileUsage : nil }
    }

    /// Changes whenever connections opened before must not be used any more.
    var generation: UInt64 {
        generationCounter.load(ordering: .acquiring)
    }

    /// - Parameter damage: that the opening met.
    func set(
        _ state: StoreState, statistics: Statistics? = nil, fileUsage: [FileArea: FileUsage] = [:],
        damage: StoreError? = nil
    ) {
        values.withLock { values in
            values.state = state
            values.statistics = statistics
            values.fileUsage = fileUsage
            // Reads that were running when a store was closed may still meet damage before its files are let go.
            values.damage = state == .open ? damage : values.damage
            values.diskFullSince = nil
        }
        invalidateConnections()
        noteActivity()
    }

    /// Connections opened before must not be used any more.
    func invalidateConnections() {
        generationCounter.add(1, ordering: .acquiringAndReleasing)
    }

    /// The counters after a commit; those of a group that a lock overtook are not kept.
    ///
    /// - Returns: whether changes were compacted.
    @discardableResult
    func committed(_ statistics: Statistics, _ fileUsage: [FileArea: FileUsage]) -> Bool {
        values.withLock { values in
            guard values.state.isOpen else { return false }
            let before = values.statistics?.compactedThroughRevision ?? 0
            values.statistics = statistics
            values.fileUsage = fileUsage
            return statistics.compactedThroughRevision > before
        }
    }

    func note(_ loss: StoreLoss) {
        values.withLock { $0.loss = loss }
    }

    func noteDamage(_ error: StoreError) {
        let isFirst = values.withLock { values in
            guard values.damage == nil else { return false }
            values.damage = error
            return values.state.isOpen
        }
        if isFirst {
            metDamage(error)
        }
    }

    func noteDiskFull() {
        let isFirst = values.withLock { values in
            guard values.state.isOpen else { return false }
            let isFirst = values.state == .open
            values.state = .readOnly
            values.diskFullSince = .now
            return isFirst
        }
        if isFirst {
            isDiskFullChanged(true)
        }
    }

    /// The disk has room for writes again.
    func noteSpace() {
        let hasEnded = values.withLock { values in
            guard values.state == .readOnly else { return false }
            values.state = .open
            values.diskFullSince = nil
            return true
        }
        if hasEnded {
            isDiskFullChanged(false)
        }
    }

    /// - Throws: why a write cannot be taken now.
    func admit(_ mutation: Mutation) throws(StoreError) {
        try values.withLock { values throws(StoreError) in
            switch values.state {
            case .open:
                if let damage = values.damage { throw damage }
            case .readOnly:
                if let damage = values.damage { throw damage }
                guard !mutation.freesSpace else { return }
                if let since = values.diskFullSince, since.duration(to: .now) < Self.diskFullProbeInterval {
                    throw StoreError(
                        .diskFull, "the disk is full: until it has space again, only reads and deletes work",
                        retryAfterMilliseconds: 1_000)
                }
                values.diskFullSince = .now
            case .absent, .locked, .failed:
                throw values.state.notOpenError
            }
        }
    }

    func noteActivity() {
        lastUsedSeconds.store(Self.monotonicSeconds, ordering: .relaxed)
    }

    var idleSeconds: Int {
        Self.monotonicSeconds - lastUsedSeconds.load(ordering: .relaxed)
    }

    private static var monotonicSeconds: Int {
        Int(MonotonicClock.coarseNanoseconds / 1_000_000_000)
    }
}

extension StoreState {
    /// What a request for data gets when the store is not open.
    var notOpenError: StoreError {
        switch self {
        case .absent:
            StoreError(.storeAbsent, "there is no store yet; create one with `ghoststorectl init`")
        case .locked, .open, .readOnly:
            StoreError(.storeLocked, "the store is locked; unlock it with `ghoststorectl unlock`")
        case .failed(let error):
            error
        }
    }

    package var isOpen: Bool {
        self == .open || self == .readOnly
    }
}

/// What the daemon can do for its clients now.
package enum StoreState: Hashable, Sendable {
    /// No store in the state directory yet.
    case absent
    case locked
    case open
    /// Open, but the disk is full: reads and deletes work.
    case readOnly
    /// The store could not be opened; nothing was touched. The reason is one of `wrongKey`, `keyMissing`,
    /// `keyringDamaged`, `databaseDamaged`, `newerSchema` and `storageFailed`.
    case failed(StoreError)
}

/// Why the store that was open is gone for those who follow it.
package enum StoreEnding: Sendable, Hashable {
    /// By command, by the owner's signal or after idle time.
    case locked
    /// A backup took its place and is open, as this history.
    case replaced(HistoryID)
}

extension StoreEngine {
    /// Tells that the open store is gone, after the last of its commits was told. Not of the engine's own end.
    /// Called on any thread: return quickly.
    package func observeEndings(_ observer: @escaping @Sendable (StoreEnding) -> Void) -> Observation {
        status.endings.add { endings in endings.forEach(observer) }
    }
}
