/// How a call wants to be treated by the connection.
struct CallTerms: Hashable, Sendable {
    /// May be sent again on a new connection: it reads, or it carries an idempotency key.
    var isRepeatable: Bool
    /// Gets answers until it is cancelled (a watch).
    var isStream = false
    /// May be held by the daemon, which is told when nobody waits for it any more.
    var isHeld = false
    /// Fails at once when the daemon cannot be reached, instead of waiting for it to come back.
    var failsWhenUnreachable = false
    /// Nanoseconds of the connection's clock after which nobody waits any more.
    var deadline: UInt64?
}
