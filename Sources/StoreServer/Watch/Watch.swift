import StoreBasics
import StoreEngine
import StoreProtocol

/// One watcher: replays committed changes, then follows live, without a gap or a duplicate. No I/O.
///
/// It keeps no changes: while its connection does not take events it only counts what it misses, and reads that back
/// from the store later. What concerns it and is not told, `FanOut` reports by `fellBehind`: a gap between the
/// revisions of two commits means nothing.
struct Watch {
    /// What to do after an event, in this order.
    struct Step: Equatable {
        /// Send an event with these changes, complete up to this revision.
        var event: Event?
        /// Read the next page of changes after this revision.
        var readAfter: UInt64?
        /// Send this as the last answer: the watch is over.
        var failure: StoreError?

        static let nothing = Step()
    }

    struct Event: Equatable {
        var changes: [Change]
        var revision: UInt64
    }

    private enum State: Hashable {
        /// A page has been asked for.
        case reading
        case live
        /// The connection does not take events; these bytes of events were missed since.
        case stalled(missedBytes: Int)
    }

    /// Changes of one event, and changes read at once during a replay: they always fit a frame.
    static let changesPerEventMax = 1_000
    /// Revisions after which a watcher is told where it stands, though nothing matched.
    static let carriedForwardRevisions: UInt64 = 10_000

    let filter: ChangeFilter
    private let backlogBytesMax: Int
    private var state: State
    /// Every matching change up to here has been sent.
    private(set) var revision: UInt64
    /// The one that the last event told.
    private var toldRevision: UInt64?
    /// The highest revision heard of from commits.
    private var committedRevision: UInt64 = 0

    /// - Parameters:
    ///   - request: where to start and what to send.
    ///   - current: the store's revision now. Commits must be reported from before it was read.
    static func start(
        _ request: WatchRequest, current: UInt64, backlogBytesMax: Int
    ) -> (watch: Watch, step: Step) {
        if let after = request.afterRevision {
            let watch = Watch(
                filter: request.filter, backlogBytesMax: backlogBytesMax, state: .reading, revision: after)
            return (watch, Step(readAfter: after))
        }
        var watch = Watch(
            filter: request.filter, backlogBytesMax: backlogBytesMax, state: .live, revision: current)
        let event = watch.event([])
        return (watch, Step(event: event))
    }

    private init(filter: ChangeFilter, backlogBytesMax: Int, state: State, revision: UInt64) {
        self.filter = filter
        self.backlogBytesMax = backlogBytesMax
        self.state = state
        self.revision = revision
    }

    private mutating func event(_ changes: [Change]) -> Event {
        toldRevision = revision
        return Event(changes: changes, revision: revision)
    }

    /// The page that was asked for.
    mutating func read(_ page: ChangePage, isWritable: Bool) -> Step {
        guard page.revision >= revision else {
            return Step(
                failure: StoreError(
                    .revisionAhead,
                    "the watch continues after revision \(revision), but the newest revision of the store is "
                        + "\(page.revision); was the store restored from a backup?"))
        }
        revision = max(revision, page.throughRevision)
        let isCaughtUp = !page.hasMore && committedRevision <= revision
        var step = Step()
        if toldRevision != revision {
            step.event = event(page.changes)
        }
        if isCaughtUp {
            state = .live
        } else if isWritable {
            step.readAfter = revision
        } else {
            state = .stalled(missedBytes: 0)
        }
        return step
    }

    /// A commit's changes, in rising order of revisions. A live watch is told of every commit that concerns it, in
    /// order: what lies between did not.
    mutating func committed(_ changes: [Change], isWritable: Bool) -> Step {
        guard let first = changes.first, let last = changes.last, last.revision > revision else { return .nothing }
        committedRevision = max(committedRevision, last.revision)
        if state == .live {
            revision = max(revision, first.revision - 1)
        }
        switch state {
        case .reading:
            return .nothing
        case .stalled(let missedBytes):
            return stall(missedBytes: missedBytes, changes)
        case .live where !isWritable:
            return stall(missedBytes: 0, changes)
        case .live where changes.count > Self.changesPerEventMax:
            // Read back page by page, as fast as the peer takes them, and not looked through here.
            state = .reading
            return Step(readAfter: revision)
        case .live:
            let fresh = revision
            let matching = changes.filter { $0.revision > fresh && filter.matches($0) }
            revision = last.revision
            return matching.isEmpty ? .nothing : Step(event: event(matching))
        }
    }

    /// Every commit up to this revision that concerns it has been told: tells the watcher where it stands, so that it
    /// need not resume from long before.
    mutating func carryForward(through carried: UInt64, isWritable: Bool) -> Step {
        guard state == .live else { return .nothing }
        revision = max(revision, carried)
        return toldRevision == revision || !isWritable ? .nothing : Step(event: event([]))
    }

    /// Commits up to this revision concern it and are not told: they are read back.
    mutating func fellBehind(_ through: UInt64, isWritable: Bool) -> Step {
        committedRevision = max(committedRevision, through)
        guard state == .live, through > revision else { return .nothing }
        guard isWritable else {
            state = .stalled(missedBytes: 0)
            return .nothing
        }
        state = .reading
        return Step(readAfter: revision)
    }

    /// The connection takes events again.
    mutating func writable() -> Step {
        guard case .stalled = state else { return .nothing }
        state = .reading
        return Step(readAfter: revision)
    }

    private mutating func stall(missedBytes: Int, _ changes: [Change]) -> Step {
        let missed = missedBytes + changes.reduce(0) { $0 + (filter.matches($1) ? Self.byteCount($1) : 0) }
        guard missed <= backlogBytesMax else {
            return Step(
                failure: StoreError(
                    .watchBacklogExceeded,
                    "the client has not read \(missed) bytes of events; hint: watch again after revision \(revision)"))
        }
        state = .stalled(missedBytes: missed)
        return .nothing
    }

    /// About what the change takes in an event.
    private static func byteCount(_ change: Change) -> Int {
        change.id.utf8.count + change.parent.utf8.count + 32
    }
}
