import StoreBasics

/// The pace of replication work on the writer thread. While clients write, replication gets a share of the writer's
/// time: after each step it rests for a multiple of the step's duration. While no client writes, it continues at once.
struct ReplicaPace {
    /// The divisor that gives the share of a new request: one thirty-second of the writer's time. After a step,
    /// replication rests for 31 times the duration of the step, but at most `restNanosecondsMax`. The share does not
    /// include the work that the step causes afterwards (writing pages and sending), which takes about as long as the
    /// step.
    static let shareDivisor: UInt64 = 32
    static let restNanosecondsMax: UInt64 = 1_000_000_000
    /// The time without writes after which clients count as idle.
    static let quietNanoseconds: UInt64 = 2_000_000
    private static let second: UInt64 = 1_000_000_000
    /// The age in seconds from which the share of a request no longer grows.
    private static let ageSecondsMax: UInt64 = 60

    private var stepNanoseconds: UInt64 = 0
    private var stepEnd: UInt64 = 0
    private var lastClientWrite: UInt64 = 0

    mutating func recordClientWrite(at now: UInt64) {
        lastClientWrite = now
    }

    mutating func recordStep(nanoseconds: UInt64, endedAt now: UInt64) {
        stepNanoseconds = nanoseconds
        stepEnd = now
    }

    func clientsWrite(at now: UInt64) -> Bool {
        now < lastClientWrite + Self.quietNanoseconds
    }

    /// Returns the time at which the next step may begin.
    ///
    /// - Parameters:
    ///   - begunAt: the time at which the request came. Each second of waiting increases its share, so that the request
    ///     is finished however much clients write.
    ///   - isAlone: true if no client's write is waiting.
    func turn(of begunAt: UInt64, isAlone: Bool, now: UInt64) -> UInt64 {
        let age = min(now > begunAt ? (now - begunAt) / Self.second : 0, Self.ageSecondsMax)
        let step = min(stepNanoseconds, Self.restNanosecondsMax)
        let rest = min(step * (Self.shareDivisor - 1), Self.restNanosecondsMax) / ((1 + age) * (1 + age))
        let turn = stepEnd + rest
        return isAlone ? min(turn, lastClientWrite + Self.quietNanoseconds) : turn
    }
}
