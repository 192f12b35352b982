import StoreBasics
import Synchronization

/// The state of the engine that any thread may read without waiting: the store's state, the counters of the last
/// commit, the generation of the open store, and when it was last used.
final class EngineStatus: Sendable {
    private struct Values {
        var state: StoreState = .locked
        var statistics: Statistics?
        var fileUsage: [FileArea: FileUsage] = [:]
        /// The damage that was found; the store accepts no writes until it is opened again.
        var damage: StoreError?
        var diskFullSince: ContinuousClock.Instant?
        /// The loss that an operator accepted at the last opening.
        var loss = StoreLoss()
    }

    /// The interval at which a store on a full disk accepts one write, to detect whether there is space again.
    private static let diskFullProbeInterval = Duration.seconds(1)

    let endings = Observers<StoreEnding>()
    /// Called once when damage is found while the store is open. The store then accepts no more writes.
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

    /// True if a store is open, even if one of its pages is damaged.
    var isStoreOpen: Bool {
        values.withLock { $0.state.isOpen }
    }

    /// Damage found at the opening or since. The files of a damaged store must stay unchanged.
    var damage: StoreError? {
        values.withLock { $0.damage }
    }

    /// The loss that an operator accepted at the last opening; nothing while no store is open.
    var loss: StoreLoss {
        values.withLock { $0.state.isOpen ? $0.loss : StoreLoss() }
    }

    var statistics: Statistics? {
        values.withLock { $0.statistics }
    }

    /// The usage of the areas of the vault; `nil` while no store is open.
    var fileUsage: [FileArea: FileUsage]? {
        values.withLock { $0.state.isOpen ? $0.fileUsage : nil }
    }

    /// The generation of the store's connections. It changes when connections that were opened before must not be used
    /// any more.
    var generation: UInt64 {
        generationCounter.load(ordering: .acquiring)
    }

    /// Sets the state of the store.
    ///
    /// - Parameter damage: Damage found at the opening.
    func set(
        _ state: StoreState, statistics: Statistics? = nil, fileUsage: [FileArea: FileUsage] = [:],
        damage: StoreError? = nil
    ) {
        values.withLock { values in
            values.state = state
            values.statistics = statistics
            values.fileUsage = fileUsage
            // Only opening the store resets the damage. Closing keeps it: the store's files are closed only afterwards,
            // and the files of a damaged store must stay unchanged.
            values.damage = state == .open ? damage : values.damage
            values.diskFullSince = nil
        }
        invalidateConnections()
        recordActivity()
    }

    /// Makes connections that were opened before unusable.
    func invalidateConnections() {
        generationCounter.add(1, ordering: .acquiringAndReleasing)
    }

    /// Sets the counters after a commit. If the store was locked in the meantime, nothing is set.
    ///
    /// - Returns: True if changes were compacted.
    @discardableResult
    func recordCommit(_ statistics: Statistics, _ fileUsage: [FileArea: FileUsage]) -> Bool {
        values.withLock { values in
            guard values.state.isOpen else { return false }
            let before = values.statistics?.compactedThroughRevision ?? 0
            values.statistics = statistics
            values.fileUsage = fileUsage
            return statistics.compactedThroughRevision > before
        }
    }

    func setLoss(_ loss: StoreLoss) {
        values.withLock { $0.loss = loss }
    }

    func reportDamage(_ error: StoreError) {
        let isFirst = values.withLock { values in
            guard values.damage == nil else { return false }
            values.damage = error
            return values.state.isOpen
        }
        if isFirst {
            metDamage(error)
        }
    }

    func setDiskFull() {
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

    /// Records that the disk has space for writes again.
    func clearDiskFull() {
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

    /// Checks that a write can be accepted now.
    ///
    /// - Throws: The reason if it cannot.
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

    func recordActivity() {
        lastUsedSeconds.store(Self.monotonicSeconds, ordering: .relaxed)
    }

    var idleSeconds: Int {
        Self.monotonicSeconds - lastUsedSeconds.load(ordering: .relaxed)
    }

    private static var monotonicSeconds: Int {
        Int(MonotonicClock.coarseNanoseconds / 1_000_000_000)
    }
}
