/// The pace at which the daemon's status is polled. It is quick while devices join, and shortly after the channels have
/// changed, because further changes then often follow. A value without I/O.
struct StatusPace {
    static let usual = Duration.seconds(5)
    static let quick = Duration.milliseconds(200)
    /// The time for which a change counts as recent.
    static let recentTime = Duration.seconds(5)

    private var channels: Set<ChannelWork> = []
    private var changedAt: ContinuousClock.Instant?

    /// Returns the pause before the next request for the status.
    ///
    /// - Parameter status: the daemon's last answer.
    mutating func pause(after status: ReplicaStoreStatus, at now: ContinuousClock.Instant) -> Duration {
        let channels = Set(
            status.outgoing.map { ChannelWork.outgoing($0.channel) } + status.followed.map { .followed($0.channel) })
        if channels != self.channels {
            self.channels = channels
            changedAt = now
        }
        if status.state == .joining { return Self.quick }
        return changedAt.map { now - $0 < Self.recentTime } ?? false ? Self.quick : Self.usual
    }
}
