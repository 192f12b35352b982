/// How long to wait before an attempt to reconnect: doubling, bounded, and spread by chance so that many clients of a
/// daemon that restarts do not come back in the same instant.
struct ReconnectDelay: Hashable, Sendable {
    let min: Duration
    let max: Duration

    /// - Parameters:
    ///   - attempt: 1 for the first attempt that waits.
    ///   - chance: from 0 to 1; the wait is between a half and the whole of the doubled delay.
    func delay(attempt: Int, chance: Double) -> Duration {
        // Past 2^20 times the least delay every sensible bound is reached.
        let doublings = Swift.min(Swift.max(attempt, 1) - 1, 20)
        let whole = Swift.min(min * (1 << doublings), max)
        return whole / 2 + whole / 2 * Swift.min(Swift.max(chance, 0), 1)
    }
}
