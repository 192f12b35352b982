import StoreEngine
import StoreProtocol

/// One watcher: replays committed changes, then follows live, without a gap or a duplicate. No I/O.
///
/// It keeps no changes: while its connection does not take events it only counts what it misses, and reads that back
/// from the store later. Revisions have no gaps, so a missing batch is always noticed and read back as well.
struct Watch {
    /// What to do after an event, in this order.
    struct Step: Equatable {
        /// Send an event with these changes, complete up to this revision.
        var event: Event?
        /// Read the next page of changes after this revision.
        var readAfter: UInt64?
        /// Send this as the last answer: the watch is over.
        var failure: RequestFailure?

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

    private let filter: WatchFilter
    private let backlogBytesMax: Int
    private var state: State
    /// Every matching change up to here has been sent.
    private(set) var revision: UInt64
    /// The highest revision heard of from commits.
    private var committedRevision: UInt64 = 0
    /// A watcher is told once where it stands, also when nothing matches.
    private var mustTellRevision: Bool

    /// - Parameters:
    ///   - request: where to start and what to send.
    ///   - current: the store's revision now. Commits must be reported from before it was read.
    static func start(
        _ request: WatchRequest, current: UInt64, backlogBytesMax: Int
    ) -> (watch: Watch, step: Step) {
        if let after = request.afterRevision {
            let watch = Watch(
                filter: request.filter, backlogBytesMax: backlogBytesMax, state: .reading, revision: after,
                mustTellRevision: true)
            return (watch, Step(readAfter: after))
        }
        let watch = Watch(
            filter: request.filter, backlogBytesMax: backlogBytesMax, state: .live, revision: current,
            mustTellRevision: false)
        return (watch, Step(event: Event(changes: [], revision: current)))
    }

    private init(
        filter: WatchFilter, backlogBytesMax: Int, state: State, revision: UInt64, mustTellRevision: Bool
    ) {
        self.filter = filter
        self.backlogBytesMax = backlogBytesMax
        self.state = state
        self.revision = revision
        self.mustTellRevision = mustTellRevision
    }

    /// The page that was asked for.
    mutating func read(_ page: ChangePage, isWritable: Bool) -> Step {
        guard page.revision >= revision else {
            return Step(
                failure: RequestFailure(
                    .revisionAhead,
                    "the store is at revision \(page.revision), before \(revision); was it restored from a backup?"))
        }
        revision = page.changes.last?.revision ?? revision
        if !page.hasMore {
            revision = max(revision, page.revision)
        }
        let isCaughtUp = !page.hasMore && committedRevision <= revision
        var step = Step()
        let matching = page.changes.filter(filter.matches)
        if !matching.isEmpty || mustTellRevision || (isCaughtUp && !page.changes.isEmpty) {
            step.event = Event(changes: matching, revision: revision)
            mustTellRevision = false
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
            return matching.isEmpty ? .nothing : Step(event: Event(changes: matching, revision: revision))
        }
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
                failure: RequestFailure(
                    .watchBacklogExceeded,
                    "\(missed) bytes of events were not taken; hint: watch again after revision \(revision)"))
        }
        state = .stalled(missedBytes: missed)
        return .nothing
    }

    /// About what the change takes in an event.
    private static func byteCount(_ change: Change) -> Int {
        change.id.utf8.count + change.parent.utf8.count + 32
    }
}

/// Which changes a watcher wants.
struct WatchFilter: Sendable, Hashable {
    /// Empty: all kinds.
    var kinds: Set<EntityKind> = []
    /// Only this conversation and its messages; `nil`: all.
    var conversationID: String?
    /// Only values of this scene, and the global ones that it may fall back to; `nil`: all.
    var scene: String?

    /// Clearing the whole store concerns every watcher: it deletes what each of them watches.
    func matches(_ change: Change) -> Bool {
        if change.kind == .store {
            return true
        }
        guard kinds.isEmpty || kinds.contains(change.kind) else { return false }
        if let scene {
            return change.kind == .sceneValue
                && (change.parent.isEmpty || change.parent.utf8.elementsEqual(scene.utf8))
        }
        if let conversationID {
            return switch change.kind {
            case .conversation: change.id.utf8.elementsEqual(conversationID.utf8)
            case .message: change.parent.utf8.elementsEqual(conversationID.utf8)
            case .contact, .store, .sceneValue, .log: false
            }
        }
        return true
    }
}
