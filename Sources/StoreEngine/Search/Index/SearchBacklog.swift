import StoreBasics
import Synchronization

/// The work that the search index still needs, as far as the writer knows.
struct SearchBacklog {
    /// The revision up to which changes are indexed.
    private(set) var indexedThrough: UInt64 = 0
    /// True if there may be changes to index, old texts to remove, or segments to merge.
    private(set) var hasWork = true
    /// The number of messages that are indexed with an old text. It is set to 0 when all old texts are removed from the
    /// index.
    private var outdatedEntries = 0
    /// The latest time at which the old texts must be out of the index.
    private var outdatedDue: ContinuousClock.Instant?
    /// The time before which no step runs after opening, unless a client writes. The delay keeps the store's files
    /// unchanged if damage is found soon after opening.
    private var startupDelayEnd: ContinuousClock.Instant?
    /// True if the last step has more work and the next one follows without a pause.
    private(set) var isUnderWay = false
    /// True if nothing is to be merged, rebuilt or removed, and few changes are new.
    private var isTidy = false
    /// The share of the writer's time that the index gets while writes arrive.
    var share = SearchShare()
    /// The time of the first write since the last pause; `nil` if no write followed the pause.
    private var busySince: ContinuousClock.Instant?
    /// The time without a pause after which the index gets its share. Tests set other values.
    var sharePatience = SearchLimits.sharePatience
    /// The time before which no step runs, because the previous step has failed.
    private var pausedUntil: ContinuousClock.Instant?

    /// Returns the backlog of a newly opened store. Old texts that an earlier process has left are removed in time.
    static func ofOpenedStore() -> SearchBacklog {
        var backlog = SearchBacklog()
        backlog.startupDelayEnd = .now + .seconds(SearchLimits.outdatedEntrySeconds)
        backlog.outdatedDue = backlog.startupDelayEnd
        return backlog
    }

    /// True if a step can run when the writer has nothing else to do.
    var isDue: Bool { hasWork && mayWork }

    private var mayWork: Bool { (startupDelayEnd.map { $0 < .now } ?? true) && (pausedUntil.map { $0 < .now } ?? true) }

    /// Lets steps begin at once, because a client uses the store.
    mutating func endStartupDelay() {
        startupDelayEnd = nil
    }

    /// Returns true if a step is due even if the writer has other work.
    ///
    /// - Parameter revision: the revision of the store.
    func isPressing(_ revision: UInt64) -> Bool {
        guard isDue else { return false }
        return revision > indexedThrough + SearchLimits.unindexedChangesMax
            || outdatedEntries > SearchLimits.outdatedEntriesMax || outdatedDue.map { $0 < .now } ?? false
    }

    /// Returns true if a step is due although the writer has other work: there was no pause for a while, and the index
    /// has many segments or many changes are new.
    ///
    /// - Parameter revision: the revision of the store.
    func hasShareNow(_ revision: UInt64) -> Bool {
        guard !isTidy || revision > indexedThrough + SearchLimits.sharedChangesMin, let busySince else { return false }
        return share.isDue && mayWork && .now - busySince > sharePatience
    }

    /// Records a pause between writes.
    mutating func recordPause() {
        busySince = nil
    }

    /// Records the messages of a commit.
    ///
    /// - Parameter revision: the revision of the store.
    mutating func recordCommit(newMessages: Int, outdatedEntries: Int, revision: UInt64) {
        isUnderWay = false
        busySince = busySince ?? .now
        if newMessages + outdatedEntries > 0 {
            endStartupDelay()
        }
        // Many changes that are not indexed yet are work, too, even if none of them is a message, because a search
        // reads them all.
        hasWork =
            hasWork || newMessages + outdatedEntries > 0
            || revision > indexedThrough + SearchLimits.idleChangesMax
        if outdatedEntries > 0 {
            self.outdatedEntries += outdatedEntries
            outdatedDue = outdatedDue ?? .now + .seconds(SearchLimits.outdatedEntrySeconds)
        }
    }

    /// Records the result of a step.
    ///
    /// - Parameter isShared: true if the step ran while writes arrived; the next step then waits for its share.
    mutating func recordStep(_ progress: SearchIndexing.Progress, _ revision: UInt64, isShared: Bool) {
        pausedUntil = nil
        isUnderWay = !isShared
        switch progress {
        case .merged: break
        case .outdatedEntriesRemoved: isTidy = false
        case .leftFew:
            clearOutdatedEntries()
            isTidy = true
        case .messagesAdded(let through, count: _):
            clearOutdatedEntries()
            isTidy = false
            indexedThrough = UInt64(max(0, through))
        case .none:
            clearOutdatedEntries()
            isTidy = true
            indexedThrough = revision
            hasWork = false
            isUnderWay = false
        }
    }

    /// Clears the count of old texts, because none is left: they are removed before all other work except an urgent
    /// merge.
    private mutating func clearOutdatedEntries() {
        outdatedEntries = 0
        outdatedDue = nil
    }

    mutating func pause() {
        isUnderWay = false
        pausedUntil = .now + .seconds(1)
    }
}

/// The share of the writer's time that the index gets while writes arrive. It grows with the number of segments, and is
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

    /// Records the time of a step and of the maintenance after it. The next step waits so long that the index gets no
    /// more than its share of the time.
    mutating func record(nanoseconds: UInt64, writesWait: Bool) {
        let share = Double(segmentCount) / Double(SearchLimits.segmentsPerShare)
        let greatest = writesWait ? SearchLimits.shareBesideWaitingWrites : SearchLimits.shareRange.upperBound
        let bounded = min(max(share, SearchLimits.shareRange.lowerBound), greatest)
        restsUntil = MonotonicClock.nanoseconds + UInt64(Double(nanoseconds) * (1 / bounded - 1))
    }
}

/// A flag by which readers request index steps that do not wait until the writer is idle.
final class SearchDemand: Sendable {
    private let isWanted = Atomic(false)

    func ask() {
        isWanted.store(true, ordering: .relaxed)
    }

    /// Returns true if a reader has asked since the last call, and clears the flag.
    func testAndClear() -> Bool {
        isWanted.exchange(false, ordering: .relaxed)
    }
}
