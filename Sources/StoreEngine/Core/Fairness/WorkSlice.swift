import StoreBasics

/// A few milliseconds in which work is done before it gives way to others.
struct WorkSlice {
    private let end: UInt64
    private let endWhereOthersWait: UInt64
    private let othersWait: () -> Bool

    private init(milliseconds: UInt64, whereOthersWait: UInt64, _ othersWait: @escaping () -> Bool) {
        let now = MonotonicClock.nanoseconds
        end = now + milliseconds * 1_000_000
        endWhereOthersWait = now + whereOthersWait * 1_000_000
        self.othersWait = othersWait
    }

    /// That of one commit: shorter where users wait whose work is not in it.
    static func ofCommit(_ othersWait: @escaping () -> Bool = { false }) -> WorkSlice {
        WorkSlice(
            milliseconds: EngineLimits.commitMilliseconds, whereOthersWait: EngineLimits.sharedCommitMilliseconds,
            othersWait)
    }

    /// That of finding what is written in the rest of a commit's time.
    static func ofCollecting(_ othersWait: @escaping () -> Bool) -> WorkSlice {
        WorkSlice(
            milliseconds: EngineLimits.commitMilliseconds / 2,
            whereOthersWait: EngineLimits.sharedCommitMilliseconds / 2,
            othersWait)
    }

    /// That of a step for the store's group: shorter where clients write, and longer with each second that it does not
    /// come to its end, however fast they write.
    static func ofReplica(ageSeconds: UInt64, _ clientsWrite: @escaping () -> Bool) -> WorkSlice {
        let shared = EngineLimits.sharedCommitMilliseconds * (1 + min(ageSeconds, ageSecondsMax))
        return WorkSlice(
            milliseconds: max(EngineLimits.commitMilliseconds, shared), whereOthersWait: shared, clientsWrite)
    }

    private static let ageSecondsMax: UInt64 = 30

    /// That of one page of a list that passes rows over.
    static var ofScan: WorkSlice {
        let milliseconds = EngineLimits.scanMilliseconds
        return WorkSlice(milliseconds: milliseconds, whereOthersWait: milliseconds) { false }
    }

    /// That of looking up one page of a search.
    static var ofSearch: WorkSlice {
        let milliseconds = SearchLimits.pageMilliseconds
        return WorkSlice(milliseconds: milliseconds, whereOthersWait: milliseconds) { false }
    }

    /// That of making one piece of an archive, which may be long in coming to something that is wanted.
    static var ofPiece: WorkSlice {
        let milliseconds = EngineLimits.pieceMilliseconds
        return WorkSlice(milliseconds: milliseconds, whereOthersWait: milliseconds) { false }
    }

    /// Others wait for its end now.
    var isAwaited: Bool { othersWait() }

    var isOver: Bool {
        let now = MonotonicClock.nanoseconds
        return now >= end || (now >= endWhereOthersWait && othersWait())
    }
}
