/// The pauses between attempts. Each is twice as long as the previous one, up to a limit. A random amount of up to half
/// of the pause is subtracted, so that programs that failed together do not retry together.
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
        // After 20 doublings every sensible limit is reached.
        let doublings = min(max(attempt, 1) - 1, 20)
        let whole = min(first * (1 << doublings), longest)
        return whole / 2 + whole / 2 * min(max(chance, 0), 1)
    }

    /// Counts a failure and returns the pause after it.
    package mutating func next(chance: Double = .random(in: 0...1)) -> Duration {
        failures += 1
        return pause(before: failures, chance: chance)
    }

    /// Resets the count, so that the next pause is the first one again.
    package mutating func succeeded() {
        failures = 0
    }
}
