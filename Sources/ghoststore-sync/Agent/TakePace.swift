/// When the daemon is asked for the next messages of a channel: at once where it was at rest, and later with every
/// small round behind another one, so that many changes share a message. A value without I/O.
struct TakePace {
    /// What a change waits at most because of it.
    static let longest = Duration.milliseconds(20)
    private static let shortest = Duration.milliseconds(1)
    /// Rounds of so many bytes get no cheaper by waiting.
    static let fullBytes = 128 << 10

    private var pause = Duration.zero
    /// Not before.
    private(set) var nextTake = ContinuousClock.now

    /// The daemon was asked, and has answered.
    ///
    /// - Parameter bytes: of the messages that it gave; 0 where there were none.
    mutating func took(bytes: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        let isBusy = bytes > 0 && bytes < Self.fullBytes && end - start < Self.longest
        pause = isBusy ? min(Self.longest, max(Self.shortest, pause * 2)) : .zero
        nextTake = end + pause
    }
}
