import StoreBasics

/// A time slice of a few milliseconds, after which work is interrupted so that other work gets a turn.
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

    /// Returns the slice of one commit, which is shorter while users wait whose work is not in the commit.
    static func ofCommit(_ othersWait: @escaping () -> Bool = { false }) -> WorkSlice {
        WorkSlice(
            milliseconds: EngineLimits.commitMilliseconds, whereOthersWait: EngineLimits.sharedCommitMilliseconds,
            othersWait)
    }

    /// Returns the slice for finding data to write. Half of a commit's time is left for writing it.
    static func ofCollecting(_ othersWait: @escaping () -> Bool) -> WorkSlice {
        WorkSlice(
            milliseconds: EngineLimits.commitMilliseconds / 2,
            whereOthersWait: EngineLimits.sharedCommitMilliseconds / 2,
            othersWait)
    }

    /// Returns the slice of a replication step. The slice is shorter while clients write. It grows with each second
    /// that the work is not finished, so that the work ends however much clients write.
    static func ofReplica(ageSeconds: UInt64, _ clientsWrite: @escaping () -> Bool) -> WorkSlice {
        let shared = EngineLimits.sharedCommitMilliseconds * (1 + min(ageSeconds, ageSecondsMax))
        return WorkSlice(
            milliseconds: max(EngineLimits.commitMilliseconds, shared), whereOthersWait: shared, clientsWrite)
    }

    private static let ageSecondsMax: UInt64 = 30

    /// The slice of one page of a list that skips rows.
    static var ofScan: WorkSlice {
        let milliseconds = EngineLimits.scanMilliseconds
        return WorkSlice(milliseconds: milliseconds, whereOthersWait: milliseconds) { false }
    }

    /// The slice of one page of a search that uses the index.
    static var ofSearch: WorkSlice {
        let milliseconds = SearchLimits.pageMilliseconds
        return WorkSlice(milliseconds: milliseconds, whereOthersWait: milliseconds) { false }
    }

    /// The slice for one piece of an archive. It is longer than `ofScan`, because much may have to be skipped before a
    /// record for the archive is found.
    static var ofPiece: WorkSlice {
        let milliseconds = EngineLimits.pieceMilliseconds
        return WorkSlice(milliseconds: milliseconds, whereOthersWait: milliseconds) { false }
    }

    /// True if work of other users is waiting now.
    var isAwaited: Bool { othersWait() }

    var isOver: Bool {
        let now = MonotonicClock.nanoseconds
        return now >= end || (now >= endWhereOthersWait && othersWait())
    }
}
