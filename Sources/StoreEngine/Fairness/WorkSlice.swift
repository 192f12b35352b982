import StoreBasics

/// A few milliseconds in which work is done before it gives way to others.
struct WorkSlice {
    private let end: UInt64

    private init(milliseconds: UInt64) {
        end = MonotonicClock.nanoseconds + milliseconds * 1_000_000
    }

    /// That of one commit.
    static var ofCommit: WorkSlice { WorkSlice(milliseconds: EngineLimits.commitMilliseconds) }

    /// That of one page of a list that passes rows over.
    static var ofScan: WorkSlice { WorkSlice(milliseconds: EngineLimits.scanMilliseconds) }

    var isOver: Bool { MonotonicClock.nanoseconds >= end }
}
