import StoreBasics
import Synchronization
import Testing

@testable import StoreEngine

@Suite struct StoreClockTests {
    private let fake = FakeClocks()

    private func seconds(_ clock: StoreClock) -> Int64 { clock.age / 1_000_000 }

    /// Closes a store, lets an event happen, and returns the clock of the store that is opened again.
    private func reopened(_ before: StoreClock, after event: () -> Void) -> StoreClock {
        let anchor = before.anchor
        event()
        let clock = StoreClock(fake.clocks)
        clock.start(from: anchor)
        return clock
    }

    private func newStore() -> StoreClock {
        let clock = StoreClock(fake.clocks)
        clock.start(from: StoreClock.Anchor(age: 0, bootID: "", sinceBoot: 0, wall: fake.wall))
        return clock
    }

    @Test func `the age of a store grows with the machine, whatever the wall clock is set to`() {
        let clock = newStore()
        for jump in [yearSeconds, -2 * yearSeconds, 0] {
            fake.setWall(bySeconds: jump)
            fake.pass(seconds: 10)
        }
        #expect(seconds(clock) == 30)
        let again = reopened(clock) {
            fake.setWall(bySeconds: 3 * yearSeconds)
            fake.pass(seconds: 5)
        }
        #expect(seconds(again) == 35, "the machine was not started in between")
    }

    @Test func `time without power counts if a time service keeps the clock at the opening`() {
        let clock = newStore()
        fake.pass(seconds: 10)
        let after = reopened(clock) { fake.restartMachine(offSeconds: 3_600) }
        #expect(seconds(after) == 3_610)
        let alone = reopened(after) { fake.restartMachine(offSeconds: 3_600, isSynchronized: false) }
        #expect(seconds(alone) == 3_610, "a clock that nothing keeps may be wrong")
        fake.pass(seconds: 90_000)
        #expect(alone.trustedTime == fake.wall, "after a day it is what messages are kept by")
        #expect(seconds(alone) == 93_610, "and no timer runs by it, however long it shows the same")
        fake.synchronize(to: fake.wall)
        #expect(alone.trustedTime == fake.wall)
        #expect(seconds(alone) == 93_610, "what began since the opening would end early")
        let next = reopened(alone) { fake.restartMachine(offSeconds: 60) }
        #expect(seconds(next) == 93_670, "since a time service kept it last")
    }

    @Test func `time without power that was not counted at first is not counted later`() {
        let clock = newStore()
        let alone = reopened(clock) { fake.restartMachine(offSeconds: 3_600, isSynchronized: false) }
        fake.pass(seconds: 5)
        let next = reopened(alone) { fake.restartMachine(offSeconds: 60) }
        #expect(seconds(next) == 5)
    }

    @Test func `no wall clock at the start of the machine increases the age of the store`() {
        for jump in [-10 * yearSeconds, -60, 60, 3 * yearSeconds] {
            let clock = newStore()
            fake.pass(seconds: 10)
            let wrong = reopened(clock) { fake.restartMachine(offSeconds: jump, isSynchronized: false) }
            #expect(seconds(wrong) == 10)
            let before = wrong.trustedTime
            fake.pass(seconds: 1)
            #expect(seconds(wrong) == 11)
            #expect(before <= fake.wall && wrong.trustedTime < before.advanced(byMicroseconds: 61_000_000))
            fake.synchronize(to: fake.wall.advanced(byMicroseconds: -jump * 1_000_000))
            #expect(wrong.trustedTime == fake.wall && seconds(wrong) == 11)
        }
    }

    @Test func `a clock that stays behind is trusted after a day`() {
        let clock = newStore()
        fake.setWall(bySeconds: -yearSeconds)
        _ = clock.anchor
        fake.pass(seconds: 86_400)
        let after = reopened(clock) { fake.pass(seconds: 1) }
        #expect(after.trustedTime == fake.wall)
        fake.setWall(bySeconds: yearSeconds)
        #expect(after.trustedTime < fake.wall)
    }

    @Test func `a clock that was behind for a moment is trusted as before`() {
        let clock = newStore()
        fake.setWall(bySeconds: -86_400)
        #expect(clock.trustedTime == fake.wall)
        fake.setWall(bySeconds: 86_400)
        #expect(clock.trustedTime == fake.wall)
    }

    @Test func `a clock that jumps forward is trusted only as far as it was ahead for a day`() {
        let clock = newStore()
        fake.setWall(bySeconds: 120)
        _ = clock.trustedTime
        fake.pass(seconds: 86_390)
        fake.setWall(bySeconds: yearSeconds)
        _ = clock.trustedTime
        fake.pass(seconds: 20)
        #expect(clock.trustedTime == fake.wall.advanced(byMicroseconds: -yearSeconds * 1_000_000))
    }

    @Test func `without a boot id only time that one process sees is counted`() {
        let anchor = StoreClock.Anchor(age: 7_000_000, bootID: "", sinceBoot: 0, wall: fake.wall)
        fake.pass(seconds: 3)
        var clocks = fake.clocks
        clocks.bootID = nil
        let clock = StoreClock(clocks)
        clock.start(from: anchor)
        #expect(seconds(clock) == 7)
        let locked = clock.anchor
        fake.setWall(bySeconds: yearSeconds)
        fake.pass(seconds: 3)
        clock.start(from: locked)
        #expect(seconds(clock) == 10)
    }

    @Test func `a stored anchor is replaced after a boot, after an hour, and when the clock is not trusted`() {
        let clock = newStore()
        func isDue() -> Bool {
            guard let anchor = clock.dueAnchor else { return false }
            clock.recordStoredAnchor(anchor)
            return true
        }
        #expect(isDue() && !isDue())
        fake.pass(seconds: 3_599)
        #expect(!isDue())
        fake.pass(seconds: 1)
        #expect(isDue() && !isDue())
        fake.setWall(bySeconds: 3_600)
        #expect(isDue() && !isDue())
    }

    @Test func `a reported time converts back to the same age, even while the clocks run`() {
        // Each read of the clock takes one to three microseconds.
        let ticks = Mutex<Int64>(0)
        let tick: @Sendable () -> Int64 = {
            ticks.withLock { ticks in
                ticks += 1 + ticks % 3
                return ticks
            }
        }
        let wall = fake.wall
        let clock = StoreClock(
            SystemClocks(
                bootID: "boot", sinceBoot: { 1_000_000 + tick() }, wall: { wall.advanced(byMicroseconds: tick()) }))
        clock.start(from: StoreClock.Anchor(age: 7_000_000, bootID: "boot", sinceBoot: 1_000_000, wall: wall))
        for offset in stride(from: Int64(10_000), to: 1_000_000_000_000, by: 99_999_999_977) {
            let told = wall.advanced(byMicroseconds: offset)
            #expect(clock.time(ofAge: clock.age(reportedAs: told)) == told)
        }
        #expect(clock.age(reportedAs: Timestamp(microseconds: .min)) <= clock.age)
        #expect(clock.age(reportedAs: Timestamp(microseconds: .max)) > clock.age)
    }

    @Test func `a time that was reported before the clock was set wrong converts by the trusted clock`() {
        let clock = newStore()
        let time = fake.wall.advanced(byMicroseconds: 100_000_000)
        let age = clock.age(at: time)
        fake.setWall(bySeconds: yearSeconds)
        #expect(clock.age(reportedAs: time) == age)
    }

    @Test func `a wall clock that is set back is trusted at once, and one that is set forward after a day`() {
        let clock = newStore()
        #expect(clock.trustedTime == fake.wall)
        fake.setWall(bySeconds: yearSeconds)
        let before = fake.wall.advanced(byMicroseconds: -yearSeconds * 1_000_000)
        #expect(clock.trustedTime == before)
        fake.pass(seconds: 86_399)
        #expect(clock.trustedTime == before.advanced(byMicroseconds: 86_399_000_000))
        fake.pass(seconds: 1)
        #expect(clock.trustedTime == fake.wall)
        fake.setWall(bySeconds: -yearSeconds)
        #expect(clock.trustedTime == fake.wall)
        fake.setWall(bySeconds: 30)
        #expect(clock.trustedTime == fake.wall, "as an ordinary correction sets it")
    }

    @Test func `a clock that was set forward and back again was never trusted, even after an opening`() {
        let clock = newStore()
        fake.setWall(bySeconds: yearSeconds)
        _ = clock.trustedTime
        fake.pass(seconds: 86_000)
        let again = reopened(clock) { fake.pass(seconds: 1) }
        #expect(again.trustedTime < fake.wall)
        fake.setWall(bySeconds: -yearSeconds)
        #expect(again.trustedTime == fake.wall)
        fake.setWall(bySeconds: yearSeconds)
        _ = again.trustedTime
        fake.pass(seconds: 86_000)
        #expect(again.trustedTime < fake.wall, "the day begins with the clock's being set")
    }

    @Test func `the reported time of an age follows the wall clock and is otherwise constant`() {
        let clock = newStore()
        let goes = clock.age + 60_000_000
        let told = clock.time(ofAge: goes)
        #expect(told == fake.wall.advanced(byMicroseconds: 60_000_000))
        fake.pass(seconds: 20)
        #expect(clock.time(ofAge: goes) == told)
        fake.setWall(bySeconds: 3_600)
        #expect(clock.time(ofAge: goes) == told.advanced(byMicroseconds: 3_600_000_000))
    }

    @Test func `no clock makes the calculations overflow`() {
        for age in [0, 1, Int64.max] {
            for wall in [Int64.min, -1, 0, Int64.max] {
                let clock = StoreClock(fake.clocks)
                let anchor = StoreClock.Anchor(
                    age: age, bootID: "x", sinceBoot: .max, wall: Timestamp(microseconds: wall),
                    synchronizedOffset: wall, lacksTimeOff: true, ahead: StoreClock.Stay(offset: wall, since: .min))
                clock.start(from: anchor)
                let same = StoreClock.Anchor(
                    age: age, bootID: "boot-1", sinceBoot: .min, wall: Timestamp(microseconds: wall))
                clock.start(from: same)
                _ = (clock.age, clock.anchor, clock.trustedTime, clock.time(ofAge: .max), clock.time(ofAge: .min))
                for time in [Int64.min, 0, .max] {
                    let time = Timestamp(microseconds: time)
                    #expect(clock.age(at: time) >= clock.age)
                }
            }
        }
    }
}
