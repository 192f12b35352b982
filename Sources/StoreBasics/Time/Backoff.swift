/// The pauses between attempts: each is twice as long as the previous one, up to a bound. Chance takes up to half of a
/// pause away, so that programs that failed together do not come back together.
package struct Backoff: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var failures = 0

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the pause before an attempt.
    ///
    /// - Parameters:
    ///   - attempt: 1 for the first attempt that waits.
    ///   - chance: from 0, for half of the pause, to 1, for all of it.
    package func pause(before attempt: Int, chance: Double = .random(in: 0...1)) -> Duration {
        // Past 2^20 times the first pause every sensible bound is reached.
        let doublings = min(max(attempt, 1) - 1, 20)
        let whole = min(first * (1 << doublings), longest)
        return whole / 2 + whole / 2 * min(max(chance, 0), 1)
    }

    /// Counts a failure, and returns the pause after it.
    package mutating func next(chance: Double = .random(in: 0...1)) -> Duration {
        failures += 1
        return pause(before: failures, chance: chance)
    }

    /// Begins with the first pause again.
    package mutating func succeeded() {
        failures = 0
    }
}
