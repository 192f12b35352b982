import StoreBasics
import Synchronization

/// What the writer knows of what the index lacks.
struct SearchBacklog {
    /// Changes after this revision have not been looked at.
    private(set) var indexedThrough: UInt64 = 0
    /// There may be something to do.
    private(set) var hasWork = true
    /// Messages that the index holds by what they said before, as far as noted since there were none.
    private var outdatedEntries = 0
    /// When those are to be out of the index at the latest.
    private var outdatedDue: ContinuousClock.Instant?
    /// Nobody has written to the store since it was opened, and it was not long ago: damage that is met now is to find
    /// its files as they were.
    private var settlesAt: ContinuousClock.Instant?
    /// It goes on without a pause.
    private(set) var isUnderWay = false
    /// True if nothing is to be merged, rebuilt or removed, and few changes are new.
    private var isTidy = false
    /// The index's share of the writer's time while others write.
    var share = SearchShare()
    /// The first write since the last pause; `nil` until there is one.
    private var busySince: ContinuousClock.Instant?
    /// The time without a pause after which the index gets its share. Tests set other values.
    var sharePatience = SearchLimits.sharePatience
    /// Not before then, as it has failed.
    private var pausedUntil: ContinuousClock.Instant?

    /// That of a store which is opened. What whoever wrote it before has left is taken out in time.
    static func ofOpenedStore() -> SearchBacklog {
        var backlog = SearchBacklog()
        backlog.settlesAt = .now + .seconds(SearchLimits.outdatedEntrySeconds)
        backlog.outdatedDue = backlog.settlesAt
        return backlog
    }

    /// Something can be done when nothing else is.
    var isDue: Bool { hasWork && mayWork }

    private var mayWork: Bool { (settlesAt.map { $0 < .now } ?? true) && (pausedUntil.map { $0 < .now } ?? true) }

    /// Somebody uses the store: steps need not wait any more.
    mutating func settle() {
        settlesAt = nil
    }

    /// A step is due whatever else there is to do.
    ///
    /// - Parameter revision: that of the store.
    func isPressing(_ revision: UInt64) -> Bool {
        guard isDue else { return false }
        return revision > indexedThrough + SearchLimits.unindexedChangesMax
            || outdatedEntries > SearchLimits.outdatedEntriesMax || outdatedDue.map { $0 < .now } ?? false
    }

    /// Returns whether a step is due while others write, because they have not paused for a while and the index has
    /// many segments or much is new.
    ///
    /// - Parameter revision: that of the store.
    func hasShareNow(_ revision: UInt64) -> Bool {
        guard !isTidy || revision > indexedThrough + SearchLimits.sharedChangesMin, let busySince else { return false }
        return share.isDue && mayWork && .now - busySince > sharePatience
    }

    /// Records a pause between writes.
    mutating func notePause() {
        busySince = nil
    }

    /// - Parameter revision: that of the store.
    mutating func noteCommit(newMessages: Int, outdatedEntries: Int, revision: UInt64) {
        isUnderWay = false
        busySince = busySince ?? .now
        if newMessages + outdatedEntries > 0 {
            settle()
        }
        // A search reads what has not been looked at, also where none of it is a message.
        hasWork =
            hasWork || newMessages + outdatedEntries > 0
            || revision > indexedThrough + SearchLimits.idleChangesMax
        if outdatedEntries > 0 {
            self.outdatedEntries += outdatedEntries
            outdatedDue = outdatedDue ?? .now + .seconds(SearchLimits.outdatedEntrySeconds)
        }
    }

    /// - Parameter isShared: Whether the step ran while others wrote; the next step then waits for its share.
    mutating func note(_ progress: SearchIndexing.Progress, _ revision: UInt64, isShared: Bool) {
        pausedUntil = nil
        isUnderWay = !isShared
        switch progress {
        case .merged: break
        case .outdatedEntriesRemoved: isTidy = false
        case .leftFew:
            noteNoneOutdated()
            isTidy = true
        case .messagesAdded(let through, count: _):
            noteNoneOutdated()
            isTidy = false
            indexedThrough = UInt64(max(0, through))
        case .none:
            noteNoneOutdated()
            isTidy = true
            indexedThrough = revision
            hasWork = false
            isUnderWay = false
        }
    }

    /// Those come before all else but a merging that cannot wait.
    private mutating func noteNoneOutdated() {
        outdatedEntries = 0
        outdatedDue = nil
    }

    mutating func pause() {
        isUnderWay = false
        pausedUntil = .now + .seconds(1)
    }
}

/// The share of the writer's time that the index gets while others write. It grows with the number of segments, and is
/// small while writes wait.
struct SearchShare {
    /// The number of segments after the last step.
    var segmentCount = 0
    private var restsUntil: UInt64 = 0

    var isDue: Bool { restNanoseconds == 0 }

    var restNanoseconds: UInt64 {
        let now = MonotonicClock.nanoseconds
        return restsUntil > now ? restsUntil - now : 0
    }

    /// Records the time of a step and of the housekeeping after it. The next step waits until writes have had the
    /// rest of the time.
    mutating func record(nanoseconds: UInt64, writesWait: Bool) {
        let share = Double(segmentCount) / Double(SearchLimits.segmentsPerShare)
        let greatest = writesWait ? SearchLimits.shareBesideWaitingWrites : SearchLimits.shareRange.upperBound
        let bounded = min(max(share, SearchLimits.shareRange.lowerBound), greatest)
        restsUntil = MonotonicClock.nanoseconds + UInt64(Double(nanoseconds) * (1 / bounded - 1))
    }
}

/// How readers ask for steps that do not wait until the writer has nothing else to do.
final class SearchDemand: Sendable {
    private let isWanted = Atomic(false)

    func ask() {
        isWanted.store(true, ordering: .relaxed)
    }

    /// - Returns: whether anybody asked since the last time.
    func take() -> Bool {
        isWanted.exchange(false, ordering: .relaxed)
    }
}
