import CLinuxShims
import Glibc
import SQLCipher
package import StoreBasics
import Synchronization

package struct SystemClocks: Sendable {
    /// Identifies the current boot of the machine; `nil` if it is unknown.
    package var bootID: String?
    /// Microseconds since the boot, including time in which the machine slept (clock_gettime(2), CLOCK_BOOTTIME).
    package var sinceBoot: @Sendable () -> Int64
    /// The wall clock, which may be set to any time at any moment.
    package var wall: @Sendable () -> Timestamp
    /// The wall clock if a time service keeps it synchronized (adjtimex(2)), otherwise `nil`.
    package var synchronized: @Sendable () -> Timestamp?

    package init(
        bootID: String?, sinceBoot: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Timestamp,
        synchronized: @escaping @Sendable () -> Timestamp? = { nil }
    ) {
        self.bootID = bootID
        self.sinceBoot = sinceBoot
        self.wall = wall
        self.synchronized = synchronized
    }

    package static func real(bootID: String?) -> SystemClocks {
        SystemClocks(
            bootID: bootID,
            sinceBoot: {
                var time = timespec()
                clock_gettime(CLOCK_BOOTTIME, &time)
                return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
            },
            wall: { .now },
            synchronized: {
                let time = ghost_synchronized_time()
                return time > 0 ? Timestamp(microseconds: time) : nil
            })
    }
}

/// The age of the open store in microseconds, and the wall clock as far as the store believes it.
///
/// The age is time that certainly passed. It runs while the machine runs or sleeps (CLOCK_BOOTTIME), and setting the
/// wall clock does not change it. Time for which the machine was off is added when the store is opened, if a time
/// service keeps the wall clock synchronized then, and also did so before the machine was off. It is never added later,
/// because a timer that began after the opening would end early.
///
/// A wall clock that was set back is believed at once. A wall clock that is ahead is believed when a time service keeps
/// it synchronized, or after it has been ahead for a day. Therefore a clock that is wrong for less than a day deletes
/// nothing early, whether the store was open, closed or on another boot of the machine when the clock was set.
///
/// Timers are stored as ages; docs/decisions/2026-11-22-disappearing-messages.md says why.
final class StoreClock: Sendable {
    /// A moment at which the age was known, as stored in the database.
    struct Anchor: Equatable {
        var age: Int64
        var bootID: String
        var sinceBoot: Int64
        /// The believed wall clock at the moment of the anchor.
        var wall: Timestamp
        /// The wall clock minus the age, at the last moment at which a time service kept the wall clock synchronized.
        var synchronizedOffset: Int64?
        /// True if the age lacks the time for which the machine was off before this boot.
        var lacksTimeOff = false
        /// A wall clock that was ahead of `wall` and not believed yet.
        var ahead: Stay?
    }

    /// An offset of the wall clock that is not believed yet, and the age since which the clock has shown it.
    struct Stay: Equatable {
        var offset: Int64
        var since: Int64
    }

    /// The knowledge about the wall clock. An offset is the wall clock minus the age.
    private struct Belief {
        /// The greatest believed offset.
        var offset: Int64
        var synchronizedOffset: Int64?
        var lacksTimeOff = false
        var ahead: Stay?
        var behind: Stay?
    }

    /// The age and the believed wall clock at one moment.
    private struct Look {
        var age: Int64
        var offset: Int64
        /// True if the time that the wall clock shows is believed.
        var isWallClockBelieved: Bool
    }

    /// The limit of normal drift: a wall clock that is further ahead was set, or is wrong.
    static let driftMicrosecondsMax: Int64 = 60_000_000
    /// The time for which a wall clock must stay ahead until it is believed.
    static let beliefMicroseconds: Int64 = 86_400_000_000
    /// If the wall clock changes by at most this time, the reported time of an age stays the same.
    private static let reportedOffsetToleranceMicroseconds: Int64 = 1_000_000
    /// The time after which the stored anchor is replaced.
    static let anchorMicroseconds: Int64 = 3_600_000_000
    /// The time after which the stored anchor is replaced while the wall clock is not believed.
    private static let unbelievedAnchorMicroseconds: Int64 = 60_000_000

    private let clocks: SystemClocks
    /// Returns the earliest of the believed wall clocks of the other group members, as an offset from the store's age;
    /// `nil` without members.
    private let leastMemberOffset: @Sendable (Connection) throws(StoreError) -> Int64?
    /// The boot id of the machine. If it is unknown, a random name of this process takes its place.
    private let bootID: String
    private let ageAtBoot = Atomic<Int64>(0)
    private let reportedOffset = Atomic<Int64>(0)
    private let belief = Mutex<Belief?>(nil)
    private let kept = Mutex<Anchor?>(nil)
    /// The latest time that another device of the group has reported, minus the store's age.
    private let heardOffset = Atomic<Int64>(-StoreClock.ageMax)
    /// The wall clock minus the age at the first opening after a boot of the machine.
    private let startOffset = Atomic<Int64>(-StoreClock.ageMax)

    init(
        _ clocks: SystemClocks,
        leastMemberOffset: @escaping @Sendable (Connection) throws(StoreError) -> Int64? = {
            (_) throws(StoreError) in nil
        }
    ) {
        self.clocks = clocks
        self.leastMemberOffset = leastMemberOffset
        bootID = clocks.bootID ?? "process-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// Starts from the stored age of the store that is being opened.
    func start(from anchor: Anchor) {
        let sinceBoot = clocks.sinceBoot()
        let isSameBoot = bootID == anchor.bootID && sinceBoot >= anchor.sinceBoot
        let before = min(anchor.age, Self.ageMax)
        let passed = isSameBoot ? sinceBoot.clampedDifference(anchor.sinceBoot) : timeOff(since: anchor, at: before)
        let age = before + min(passed, Self.ageMax - before)
        ageAtBoot.store(age - sinceBoot, ordering: .relaxed)
        let offset = anchor.wall.microseconds.clampedDifference(before)
        belief.withLock { belief in
            // If this process had the store open before it was locked, `belief` still says since when the clock is
            // ahead. The anchor can give a later time or none, and then the wait of a day would start again.
            let ahead = belief?.offset == offset ? belief?.ahead : anchor.ahead
            // After a boot the age may lack the time for which the machine was off, so the previous synchronized offset
            // does not fit later ages.
            belief = Belief(
                offset: offset, synchronizedOffset: isSameBoot ? anchor.synchronizedOffset : nil,
                lacksTimeOff: isSameBoot ? anchor.lacksTimeOff : passed == 0, ahead: ahead)
        }
        kept.withLock { $0 = anchor }
        let shown = clocks.wall().microseconds.clampedDifference(age)
        reportedOffset.store(shown, ordering: .relaxed)
        let offsetOfStart = isSameBoot ? anchor.lacksTimeOff ? anchor.ahead?.offset : nil : shown
        startOffset.store(offsetOfStart ?? -Self.ageMax, ordering: .relaxed)
        _ = look()
    }

    /// Returns the time for which the machine was off; 0 unless a time service kept the wall clock synchronized before
    /// that time and keeps it synchronized now.
    private func timeOff(since anchor: Anchor, at age: Int64) -> Int64 {
        let wall = clocks.wall()
        guard let before = anchor.synchronizedOffset, isSynchronized(wall) else { return 0 }
        return max(0, wall.microseconds.clampedDifference(age).clampedDifference(before))
    }

    var anchor: Anchor {
        let look = look()
        return belief.withLock { belief in
            let sinceBoot = clocks.sinceBoot()
            let age = sinceBoot + ageAtBoot.load(ordering: .relaxed)
            let offset = belief?.offset ?? look.offset
            let ahead = belief?.ahead.flatMap { ahead in
                ahead.offset.clampedDifference(offset) > Self.driftMicrosecondsMax ? ahead : nil
            }
            return Anchor(
                age: age, bootID: bootID, sinceBoot: sinceBoot,
                wall: Timestamp(microseconds: age).advanced(byMicroseconds: offset),
                synchronizedOffset: belief?.synchronizedOffset, lacksTimeOff: belief?.lacksTimeOff ?? false,
                ahead: ahead)
        }
    }

    /// The anchor that should replace the stored one; `nil` while the stored one is good enough.
    ///
    /// An old anchor of the same boot still gives the right age. It is replaced to record the state of the wall clock,
    /// and because after a power cut the age continues from the anchor.
    var dueAnchor: Anchor? {
        let anchor = anchor
        guard let kept = kept.withLock({ $0 }) else { return anchor }
        let isSame =
            anchor.bootID == kept.bootID && anchor.lacksTimeOff == kept.lacksTimeOff
            && anchor.synchronizedOffset == kept.synchronizedOffset && (anchor.ahead == nil) == (kept.ahead == nil)
        return isSame && anchor.age - kept.age < Self.anchorMicroseconds ? nil : anchor
    }

    func recordStoredAnchor(_ anchor: Anchor) {
        kept.withLock { $0 = anchor }
    }

    /// The time after which the writer must check the wall clock again and store the age.
    var microsecondsToNextLook: Int64 {
        look().isWallClockBelieved ? Self.anchorMicroseconds : Self.unbelievedAnchorMicroseconds
    }

    /// The wall clock as it is, for times that are only displayed.
    var wall: Timestamp { clocks.wall() }

    /// The wall clock if a time service keeps it synchronized, otherwise `nil`.
    var synchronizedTime: Timestamp? { isSynchronized(clocks.wall()) ? clocks.wall() : nil }

    private func isSynchronized(_ wall: Timestamp) -> Bool {
        guard let time = clocks.synchronized() else { return false }
        return time.microseconds.clampedDifference(wall.microseconds).magnitude
            <= UInt64(Self.reportedOffsetToleranceMicroseconds)
    }

    /// Compares the wall clock with the believed one, and updates what is believed.
    private func look() -> Look {
        belief.withLock { kept in
            let wall = clocks.wall()
            let age = age
            let shown = wall.microseconds.clampedDifference(age)
            var belief = kept ?? Belief(offset: shown)
            defer { kept = belief }
            let ahead = shown.clampedDifference(belief.offset)
            let isFar = ahead.magnitude > UInt64(Self.driftMicrosecondsMax)
            let needsWitness = isFar || belief.synchronizedOffset != belief.offset
            if needsWitness, isSynchronized(wall) {
                belief = Belief(offset: shown, synchronizedOffset: shown)
            } else if ahead > 0 {
                lookAhead(shown, at: age, &belief)
            } else {
                lookBehind(shown, at: age, &belief)
            }
            let now = self.age
            let offset = wall.microseconds.clampedDifference(now)
            let isNear = offset.clampedDifference(belief.offset) <= Self.driftMicrosecondsMax
            return Look(age: now, offset: isNear ? offset : belief.offset, isWallClockBelieved: isNear)
        }
    }

    /// Handles a wall clock that shows a later time than the believed one. When it has been ahead for a day, believes
    /// the smallest offset that it has had in this time.
    private func lookAhead(_ shown: Int64, at age: Int64, _ belief: inout Belief) {
        belief.behind = nil
        let begun = belief.ahead ?? Stay(offset: shown, since: age)
        // Keep the smaller offset: the clock has been ahead by at least this much for the whole time.
        let least = Stay(offset: min(begun.offset, shown), since: begun.since)
        belief.ahead = least
        guard age.clampedDifference(least.since) >= Self.beliefMicroseconds else { return }
        belief.offset = least.offset
        belief.ahead = nil
    }

    /// Handles a wall clock that shows an earlier time than the believed one. The earlier time is believed at once.
    /// When it has shown the same offset for a day, this offset becomes the greatest believed one.
    private func lookBehind(_ shown: Int64, at age: Int64, _ belief: inout Belief) {
        belief.ahead = nil
        guard belief.offset.clampedDifference(shown) > Self.driftMicrosecondsMax else {
            belief.behind = nil
            return
        }
        let begun = belief.behind ?? Stay(offset: shown, since: age)
        let isSame = shown.clampedDifference(begun.offset).magnitude <= UInt64(Self.driftMicrosecondsMax)
        belief.behind = isSame ? begun : Stay(offset: shown, since: age)
        guard isSame, age - begun.since >= Self.beliefMicroseconds else { return }
        belief.offset = shown
        belief.behind = nil
    }

    /// The store's age now, in microseconds.
    var age: Int64 {
        clocks.sinceBoot() + ageAtBoot.load(ordering: .relaxed)
    }

    /// Returns the time since boot at which the store reaches an age, for arming a timer.
    func sinceBoot(atAge age: Int64) -> Int64 {
        age.clampedDifference(ageAtBoot.load(ordering: .relaxed))
    }

    /// Returns true if the store has reached the age at which a message expires.
    ///
    /// - Parameter expiresAt: the message's expiry age; `nil` if its timer does not run.
    func isOver(_ expiresAt: Int64?) -> Bool {
        guard let expiresAt else { return false }
        return expiresAt <= age
    }

    /// Returns the wall-clock time at which the store reaches an age, for reporting to clients.
    func time(ofAge age: Int64) -> Timestamp {
        Timestamp(microseconds: age).advanced(byMicroseconds: currentReportedOffset)
    }

    /// Converts a time from `time(ofAge:)` to an age again, but never to less than the present age. If the reported and
    /// the trusted clock differ by more than a second, returns `age(at:)` instead.
    func age(reportedAs time: Timestamp) -> Int64 {
        let (reported, trusted) = (currentReportedOffset, trustedTime.microseconds.clampedDifference(age))
        let isBelieved =
            reported.clampedDifference(trusted).magnitude <= UInt64(Self.reportedOffsetToleranceMicroseconds)
        guard isBelieved else { return age(at: time) }
        return max(age, time.microseconds.clampedDifference(reported))
    }

    /// The difference between reported times and ages.
    private var currentReportedOffset: Int64 {
        let now = clocks.wall().microseconds.clampedDifference(age)
        let offset = reportedOffset.load(ordering: .relaxed)
        guard now.clampedDifference(offset).magnitude > UInt64(Self.reportedOffsetToleranceMicroseconds) else {
            return offset
        }
        reportedOffset.store(now, ordering: .relaxed)
        return now
    }

    /// The believed wall clock. It decides deletions, because data that a fast clock deletes early is lost.
    var trustedTime: Timestamp {
        let look = look()
        return Timestamp(microseconds: look.age).advanced(byMicroseconds: look.offset)
    }

    /// Returns the present time for deciding which messages are due for deletion: the believed wall clock, or the
    /// earliest clock of a group member if that is earlier.
    ///
    /// Therefore a device whose clock is ahead deletes messages by the clock of another member. If clocks differ,
    /// messages are deleted later rather than earlier.
    func deletionTime(_ connection: Connection) throws(StoreError) -> Timestamp {
        let own = trustedTime
        guard let offset = try leastMemberOffset(connection) else { return own }
        return min(own, Timestamp(microseconds: age).advanced(byMicroseconds: offset))
    }

    /// The time stamp of a change made now in the store's replica group.
    ///
    /// A wall clock that is ahead is also used before it is believed, but not beyond the offset that it had at the
    /// first opening after a boot, and not beyond a time that another device has reported. Otherwise a change of today
    /// could be stamped with the day of the shutdown. A wrong stamp deletes nothing.
    var stampTime: Timestamp {
        let look = look()
        let shown = clocks.wall().microseconds.clampedDifference(look.age)
        let borneOut = max(startOffset.load(ordering: .relaxed), heardOffset.load(ordering: .relaxed))
        return Timestamp(microseconds: look.age).advanced(byMicroseconds: max(look.offset, min(shown, borneOut)))
    }

    /// Records a time that another device of the group has reported.
    func recordDeviceTime(_ time: Timestamp) {
        let offset = time.microseconds.clampedDifference(age)
        _ = heardOffset.max(offset, ordering: .relaxed)
    }

    /// Returns the age of the store at which its trusted clock will show a time.
    func age(at time: Timestamp) -> Int64 {
        let age = age
        let wait = time.microseconds.clampedDifference(trustedTime.microseconds)
        return max(age, Timestamp(microseconds: age).advanced(byMicroseconds: wait).microseconds)
    }

    /// The largest age. It is far below the numbers at which arithmetic could overflow.
    private static let ageMax = Int64.max / 4
}

extension Int64 {
    /// Returns the difference, clamped to the range of `Int64` instead of overflowing.
    func clampedDifference(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}
