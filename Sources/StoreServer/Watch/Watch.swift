import StoreBasics
import StoreEngine
import StoreProtocol

/// The state machine of one watcher. It sends committed changes from a revision on and then follows new commits,
/// without a gap or a duplicate. It does no I/O.
///
/// It stores no changes. While its connection accepts no events, it only counts the missed bytes, and later reads the
/// changes from the store. A gap between the revisions of two commits is normal, because the watcher receives only
/// commits that concern it. If `FanOut` has dropped such commits, the owner calls `fellBehind`.
struct Watch {
    /// The owner's next actions after an event, in this order.
    struct Step: Equatable {
        /// Send an event with these changes, complete up to this revision.
        var event: Event?
        /// Read the next page of changes after this revision.
        var readAfter: UInt64?
        /// Send this error as the last answer, which ends the watch.
        var failure: StoreError?

        static let nothing = Step()
    }

    struct Event: Equatable {
        var changes: [Change]
        var revision: UInt64
    }

    private enum State: Hashable {
        /// A page has been requested.
        case reading
        case live
        /// The connection accepts no events. `missedBytes` is the size of the matching changes since then.
        case stalled(missedBytes: Int)
    }

    /// The largest number of changes in one event, and of changes read at once. A frame has room for this
    /// number of changes.
    static let changesPerEventMax = 1_000
    /// The number of revisions after which a watcher receives its position even if no change matched.
    static let carriedForwardRevisions: UInt64 = 10_000

    let filter: ChangeFilter
    private let backlogBytesMax: Int
    private var state: State
    /// The revision up to which the watcher has received every matching change.
    private(set) var revision: UInt64
    /// The revision in the last event.
    private var sentRevision: UInt64?
    /// The highest revision among the received commits.
    private var committedRevision: UInt64 = 0

    /// - Parameters:
    ///   - request: The start revision and the filter.
    ///   - current: The store's current revision. The owner must have subscribed to commits before it read this
    ///     revision, so that it passes on every later commit.
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
        sentRevision = revision
        return Event(changes: changes, revision: revision)
    }

    /// Processes the requested page of changes, and requests the next page if changes are still missing.
    mutating func read(_ page: ChangePage, isWritable: Bool) -> Step {
        guard page.revision >= revision else {
            return Step(
                failure: StoreError(
                    .revisionAhead,
                    "the watch is to begin after revision \(revision), but the newest revision of the store is "
                        + "\(page.revision); was the store restored from a backup?"))
        }
        revision = max(revision, page.throughRevision)
        let isCaughtUp = !page.hasMore && committedRevision <= revision
        var step = Step()
        if sentRevision != revision {
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

    /// Processes the changes of a commit, in ascending order of revisions. A live watch receives every commit that
    /// concerns it, in order; commits in between do not concern it.
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
            // These changes do not fit into one event. They are read from the store page by page, as fast as the peer
            // reads them.
            state = .reading
            return Step(readAfter: revision)
        case .live:
            let fresh = revision
            let matching = changes.filter { $0.revision > fresh && filter.matches($0) }
            revision = last.revision
            return matching.isEmpty ? .nothing : Step(event: event(matching))
        }
    }

    /// Sends the watcher its position. The owner calls this after it has passed on every commit up to the given
    /// revision that concerns the watcher. Then the watcher never has to resume from a much older position.
    mutating func carryForward(through carried: UInt64, isWritable: Bool) -> Step {
        guard state == .live else { return .nothing }
        revision = max(revision, carried)
        return sentRevision == revision || !isWritable ? .nothing : Step(event: event([]))
    }

    /// Records that commits up to this revision were dropped. They may concern the watcher, so the changes are read
    /// from the store.
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

    /// Continues when the connection accepts events again.
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
                    """
                    the watch ended, because \(missed) bytes of its events are unread; hint: watch again after \
                    revision \(revision)
                    """))
        }
        state = .stalled(missedBytes: missed)
        return .nothing
    }

    /// Returns the approximate size of the change in an event.
    private static func byteCount(_ change: Change) -> Int {
        change.id.utf8.count + change.parent.utf8.count + change.kindName.utf8.count + 32
    }
}
