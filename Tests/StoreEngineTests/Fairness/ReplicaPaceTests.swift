import ReplicaModel
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests of the times at which work for a replica group gets its turn while clients write.
@Suite struct ReplicaPaceTests {
    private static let millisecond: UInt64 = 1_000_000
    private let start: UInt64 = 1_000_000_000_000

    private func turn(_ pace: ReplicaPace, after age: UInt64 = 0, isAlone: Bool = false) -> UInt64 {
        pace.turn(of: start - age, isAlone: isAlone, now: start) - start
    }

    @Test func `while clients write, the pause after a step is many times its duration, up to a maximum`() {
        var pace = ReplicaPace()
        pace.recordClientWrite(at: start)
        pace.recordStep(nanoseconds: 2 * Self.millisecond, endedAt: start)
        #expect(turn(pace) == 2 * (ReplicaPace.shareDivisor - 1) * Self.millisecond)
        pace.recordStep(nanoseconds: 10_000 * Self.millisecond, endedAt: start)
        #expect(turn(pace) == ReplicaPace.restNanosecondsMax)
        pace.recordStep(nanoseconds: .max, endedAt: start)
        #expect(turn(pace) == ReplicaPace.restNanosecondsMax)
    }

    @Test func `the next step follows as soon as no client has written for a moment`() {
        var pace = ReplicaPace()
        pace.recordClientWrite(at: start)
        pace.recordStep(nanoseconds: 2 * Self.millisecond, endedAt: start)
        #expect(turn(pace, isAlone: true) == ReplicaPace.quietNanoseconds)
        #expect(pace.clientsWrite(at: start) && !pace.clientsWrite(at: start + ReplicaPace.quietNanoseconds))
    }

    @Test func `the pause after a step gets shorter with each second since the work began`() {
        var pace = ReplicaPace()
        pace.recordStep(nanoseconds: 2 * Self.millisecond, endedAt: start)
        let rests = (0...12).map { turn(pace, after: $0 * 1_000 * Self.millisecond) }
        #expect(rests == rests.sorted(by: >) && rests[1] == (ReplicaPace.shareDivisor - 1) * Self.millisecond / 2)
        #expect(rests[5] < 2 * Self.millisecond)
    }
}
