/// The pace at which the daemon is asked for a channel's next messages. After a rest, the next request follows
/// immediately. The delay grows with each consecutive request that returns few bytes, so that many changes share a
/// message. A value without I/O.
struct RequestPace {
    /// The longest delay of a change.
    static let longest = Duration.milliseconds(20)
    private static let shortest = Duration.milliseconds(1)
    /// The size in bytes from which the returned messages count as many, so that waiting for more changes has no
    /// advantage.
    static let fullBytes = 128 << 10

    private var pause = Duration.zero
    /// The time before which the daemon is not asked again.
    private(set) var nextRequestTime = ContinuousClock.now

    /// Records a request to the daemon.
    ///
    /// - Parameter bytes: the size of the returned messages; 0 if there were none.
    mutating func recordRequest(bytes: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        let isBusy = bytes > 0 && bytes < Self.fullBytes && end - start < Self.longest
        pause = isBusy ? min(Self.longest, max(Self.shortest, pause * 2)) : .zero
        nextRequestTime = end + pause
    }
}
