import StoreBasics
import Testing

@Suite struct BackoffTests {
    private let backoff = Backoff(first: .milliseconds(20), longest: .seconds(2))

    @Test func `pauses double, and chance shortens each by at most a half`() {
        #expect(backoff.pause(before: 1, chance: 1) == .milliseconds(20))
        #expect(backoff.pause(before: 1, chance: 0) == .milliseconds(10))
        #expect(backoff.pause(before: 2, chance: 1) == .milliseconds(40))
        #expect(backoff.pause(before: 3, chance: 0.5) == .milliseconds(60))
    }

    @Test func `pauses have a limit, even after very many attempts`() {
        #expect(backoff.pause(before: 8, chance: 1) == .seconds(2))
        #expect(backoff.pause(before: Int.max, chance: 1) == .seconds(2))
        #expect(backoff.pause(before: Int.min, chance: 1) == .milliseconds(20))
    }

    @Test func `pauses double up to a limit, with jitter, and start over after a success`() {
        var random = SplitMix(seed: 7)
        var backoff = Backoff(first: .milliseconds(100), longest: .seconds(5))
        let waits = (0..<100).map { _ in backoff.next(chance: .random(in: 0...1, using: &random)) }
        #expect(
            zip(waits, 0...).allSatisfy { wait, index in
                let whole = min(Duration.seconds(5), .milliseconds(100) * (1 << min(index, 20)))
                return wait >= whole * 0.5 && wait <= whole
            })
        #expect(Set(waits.suffix(50)).count > 40)
        backoff.succeeded()
        #expect(backoff.next() <= .milliseconds(100))
    }
}
