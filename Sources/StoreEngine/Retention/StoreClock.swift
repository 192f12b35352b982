import Glibc
import SQLCipher
package import StoreBasics
import Synchronization

/// The clocks of the machine.
package struct SystemClocks: Sendable {
    /// Names what the machine has been doing since it was started; `nil` where nothing tells.
    package var bootID: String?
    /// Microseconds since then, also those in which the machine slept (clock_gettime(2), CLOCK_BOOTTIME).
    package var sinceBoot: @Sendable () -> Int64
    /// What anybody may set to anything at any time.
    package var wall: @Sendable () -> Timestamp

    package init(
        bootID: String?, sinceBoot: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Timestamp
    ) {
        self.bootID = bootID
        self.sinceBoot = sinceBoot
        self.wall = wall
    }

    package static func real(bootID: String?) -> SystemClocks {
        SystemClocks(
            bootID: bootID,
            sinceBoot: {
                var time = timespec()
                clock_gettime(CLOCK_BOOTTIME, &time)
                return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
            },
            wall: { .now })
    }
}

/// How old the open store is, in microseconds: time that passes while the machine runs and while it sleeps, and that a
/// wall clock set anew does not move. Over the time that the machine was off, the wall clock is all there is to ask.
///
/// Timers are kept as ages; docs/decisions/2026-11-22-disappearing-messages.md says why.
final class StoreClock: Sendable {
    /// A moment at which the age was known, kept at rest.
    struct Anchor: Equatable {
        var age: Int64
        var bootID: String
        var sinceBoot: Int64
        var wall: Timestamp
    }

    /// The wall clock, as far as deleting by it may trust it: as what it is ahead of the age.
    private struct TrustedWall {
        var offset: Int64
        /// What is kept of it with an anchor: it does not sink with a clock that is behind for a while. Counted from
        /// such a low, the time that the machine is off would be years.
        var anchored: Int64
        var ahead: Stay?
        var behind: Stay?
    }

    /// How long the wall clock has shown what is not believed yet.
    private struct Stay {
        var offset: Int64
        var since: Int64

        /// - Returns: whether it has been the same for a day. The wall clock that jumps on is another one.
        static func isLong(_ stay: inout Stay?, _ offset: Int64, at age: Int64) -> Bool {
            guard let begun = stay,
                offset.clampedDifference(begun.offset).magnitude <= UInt64(StoreClock.driftMicrosecondsMax)
            else {
                stay = Stay(offset: offset, since: age)
                return false
            }
            return age - begun.since >= StoreClock.beliefMicroseconds
        }
    }

    /// A wall clock that is further ahead than this was set, or was wrong.
    private static let driftMicrosecondsMax: Int64 = 60_000_000
    /// How long such a clock has to stay ahead until it is believed.
    static let beliefMicroseconds: Int64 = 86_400_000_000
    /// A time that is told for an age stays the same as long as the clocks do not part by more.
    private static let toldMicrosecondsMax: Int64 = 1_000_000

    private let clocks: SystemClocks
    /// Where nothing tells one start of the machine from another, this process at least knows itself.
    private let bootID: String
    private let ageAtBoot = Atomic<Int64>(0)
    private let toldOffset = Atomic<Int64>(0)
    private let trusted = Mutex<TrustedWall?>(nil)

    init(_ clocks: SystemClocks) {
        self.clocks = clocks
        bootID = clocks.bootID ?? "process-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// Takes up the age of the store that is opened.
    func start(from anchor: Anchor) {
        let (sinceBoot, wall) = (clocks.sinceBoot(), clocks.wall())
        let isSameBoot = bootID == anchor.bootID && sinceBoot >= anchor.sinceBoot
        let passed =
            isSameBoot
            ? sinceBoot.clampedDifference(anchor.sinceBoot)
            : max(0, wall.microseconds.clampedDifference(anchor.wall.microseconds))
        let before = min(anchor.age, Self.ageMax)
        let age = before + min(passed, Self.ageMax - before)
        ageAtBoot.store(age - sinceBoot, ordering: .relaxed)
        toldOffset.store(wall.microseconds.clampedDifference(age), ordering: .relaxed)
        let offset = anchor.wall.microseconds.clampedDifference(before)
        trusted.withLock { trusted in
            // What a clock has shown since before a lock is not forgotten over it.
            let ahead = trusted?.anchored == offset ? trusted?.ahead : nil
            trusted = TrustedWall(offset: offset, anchored: offset, ahead: ahead)
        }
    }

    var anchor: Anchor {
        let age = age
        _ = trustedTime
        let anchored = trusted.withLock { $0?.anchored ?? 0 }
        return Anchor(
            age: age, bootID: bootID, sinceBoot: age - ageAtBoot.load(ordering: .relaxed),
            wall: Timestamp(microseconds: age).advanced(byMicroseconds: anchored))
    }

    /// Of the store, now.
    var age: Int64 {
        clocks.sinceBoot() + ageAtBoot.load(ordering: .relaxed)
    }

    /// Of the machine since it was started, when the store has this age: what an alarm is set to.
    func sinceBoot(atAge age: Int64) -> Int64 {
        age.clampedDifference(ageAtBoot.load(ordering: .relaxed))
    }

    /// Whether the time of a message is over: nobody is shown it any more, even before it is deleted.
    ///
    /// - Parameter column: where the row has its `expires_at`; as in `MessageRow.columns`.
    func isOver(_ row: borrowing Rows, _ column: Int = MessageRow.expiryColumn) -> Bool {
        isOver(row.optionalInteger(column))
    }

    /// - Parameter expiresAt: of a message; `nil`: its timer does not run.
    func isOver(_ expiresAt: Int64?) -> Bool {
        guard let expiresAt else { return false }
        return expiresAt <= age
    }

    /// How long ago a time was, at least 0.
    func elapsed(since time: Timestamp) -> Int64 {
        max(0, trustedTime.microseconds.clampedDifference(time.microseconds))
    }

    /// The time at which the store will have or had an age, to be told.
    func time(ofAge age: Int64) -> Timestamp {
        Timestamp(microseconds: age).advanced(byMicroseconds: currentToldOffset)
    }

    /// The age that `time(ofAge:)` tells this time for, where the trusted clock is about the same: what was told comes
    /// back to the microsecond. Else as `age(at:)`.
    func age(toldAs time: Timestamp) -> Int64 {
        let (told, trusted) = (currentToldOffset, trustedTime.microseconds.clampedDifference(age))
        let isBelieved = told.clampedDifference(trusted).magnitude <= UInt64(Self.toldMicrosecondsMax)
        guard isBelieved else { return age(at: time) }
        return max(age, time.microseconds.clampedDifference(told))
    }

    /// What told times are ahead of ages.
    private var currentToldOffset: Int64 {
        let now = clocks.wall().microseconds.clampedDifference(age)
        let offset = toldOffset.load(ordering: .relaxed)
        guard now.clampedDifference(offset).magnitude > UInt64(Self.toldMicrosecondsMax) else { return offset }
        toldOffset.store(now, ordering: .relaxed)
        return now
    }

    /// The wall clock's time, but for one that was set forward, which is believed a day later: what it would delete
    /// does not come back when it is set right.
    var trustedTime: Timestamp {
        let age = age
        let offset = clocks.wall().microseconds.clampedDifference(age)
        let believed = trusted.withLock { kept in
            var trusted = kept ?? TrustedWall(offset: offset, anchored: offset)
            defer { kept = trusted }
            let isNear = offset.clampedDifference(trusted.offset) <= Self.driftMicrosecondsMax
            if isNear || Stay.isLong(&trusted.ahead, offset, at: age) {
                trusted.offset = offset
                trusted.ahead = nil
            }
            if trusted.offset >= trusted.anchored || Stay.isLong(&trusted.behind, trusted.offset, at: age) {
                trusted.anchored = trusted.offset
                trusted.behind = nil
            }
            return trusted.offset
        }
        return Timestamp(microseconds: age).advanced(byMicroseconds: believed)
    }

    /// The store's age when its trusted clock will show a time.
    func age(at time: Timestamp) -> Int64 {
        let age = age
        let wait = time.microseconds.clampedDifference(trustedTime.microseconds)
        return max(age, Timestamp(microseconds: age).advanced(byMicroseconds: wait).microseconds)
    }

    /// Far from where counting on would overflow.
    private static let ageMax = Int64.max / 4
}

extension Int64 {
    /// Stays at the ends of the range instead of overflowing.
    fileprivate func clampedDifference(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}
