import ReplicaModel
import StoreBasics
import Testing

@Suite struct HybridClockTests {
    @Test func `never gives a time twice, whatever the wall clock does`() {
        var clock = HybridClock(last: 0)
        var last: UInt64 = 0
        for microseconds in [5_000_000, 5_000_000, 1_000, -7, 5_000_001, 6_000_000] as [Int64] {
            let time = clock.next(now: Timestamp(microseconds: microseconds))
            #expect(time > last)
            last = time
        }
        #expect(HybridClock.milliseconds(of: last) == 6_000)
    }

    @Test func `goes on behind what it has learned, and learns nothing that is far ahead`() {
        let now = Timestamp(microseconds: 1_000_000_000)
        var clock = HybridClock(last: 0)
        let near = HybridClock.time(atMilliseconds: 1_000_000 + HybridClock.aheadMillisecondsMax)
        let far = HybridClock.time(atMilliseconds: 1_000_001 + HybridClock.aheadMillisecondsMax)
        let hasLearnedFar = clock.learn(far, now: now)
        #expect(!hasLearnedFar)
        #expect(clock.next(now: now) < near)
        let hasLearnedNear = clock.learn(near, now: now)
        #expect(hasLearnedNear)
        #expect(clock.next(now: now) > near)
    }

    @Test func `a change of what has a later stamp is later still, and the clock stays`() {
        let now = Timestamp(microseconds: 1_000_000_000)
        var clock = HybridClock(last: 0)
        let far = HybridClock.time(atMilliseconds: 9_000_000)
        #expect(clock.next(after: far, now: now) == far + 1)
        #expect(clock.next(now: now) < far)
        #expect(clock.next(after: .max, now: now) == .max)
    }
}
