import ReplicaModel
import StoreBasics
import Testing

@Suite struct HybridClockTests {
    private let now = Timestamp(microseconds: 1_000_000_000)

    @Test func `a change has the time of its commit, whatever changes came before`() {
        let clock = HybridClock(last: 0)
        let later = clock.time(ofChangeAt: now)
        #expect(HybridClock.milliseconds(of: later) == 1_000_000)
        let earlier = clock.time(ofChangeAt: Timestamp(microseconds: 5_000_000))
        #expect(HybridClock.milliseconds(of: earlier) == 5_000)
        #expect(clock.time(ofChangeAt: Timestamp(microseconds: -7)) > 0)
    }

    @Test func `a change is later than every learned time, and a time far ahead is not learned`() {
        var clock = HybridClock(last: 0)
        let near = HybridClock.time(atMilliseconds: 1_000_000 + HybridClock.aheadMillisecondsMax)
        let far = HybridClock.time(atMilliseconds: 1_000_001 + HybridClock.aheadMillisecondsMax)
        let hasLearnedFar = clock.learn(far, now: now)
        #expect(!hasLearnedFar)
        #expect(clock.time(ofChangeAt: now) < near)
        let hasLearnedNear = clock.learn(near, now: now)
        #expect(hasLearnedNear)
        #expect(clock.time(ofChangeAt: now) > near)
    }

    @Test func `a change is later than the change that it replaces, and unrelated changes are not`() {
        let clock = HybridClock(last: 0)
        let far = HybridClock.time(atMilliseconds: 9_000_000)
        #expect(clock.time(after: far, ofChangeAt: now) == far + 1)
        #expect(clock.time(ofChangeAt: now) < far)
        #expect(clock.time(after: .max, ofChangeAt: now) == .max)
    }
}
