import StoreBasics

/// When work for the store's group has its next turn. Where clients write it has a share of the writer's time: behind
/// each step it rests for a multiple of what the step took. Where nobody writes it goes on at once.
struct ReplicaPace {
    /// A step has one part in so many of the time, until the next one may begin. What it leaves behind takes about as
    /// long again: the pages of what it wrote, and what is sent.
    static let shareDivisor: UInt64 = 32
    /// No rest is longer, whatever the step took.
    static let restNanosecondsMax: UInt64 = 1_000_000_000
    /// Clients who have not written for so long are not kept from anything.
    static let quietNanoseconds: UInt64 = 2_000_000
    private static let second: UInt64 = 1_000_000_000
    /// More makes no difference.
    private static let ageSecondsMax: UInt64 = 60

    private var stepNanoseconds: UInt64 = 0
    private var stepEnd: UInt64 = 0
    private var lastClientWrite: UInt64 = 0

    mutating func noteClientWrite(at now: UInt64) {
        lastClientWrite = now
    }

    mutating func noteStep(nanoseconds: UInt64, endedAt now: UInt64) {
        stepNanoseconds = nanoseconds
        stepEnd = now
    }

    func clientsWrite(at now: UInt64) -> Bool {
        now < lastClientWrite + Self.quietNanoseconds
    }

    /// When the next step may begin.
    ///
    /// - Parameters:
    ///   - begunAt: when its request came. What takes long has more of the time with each second, so that it ends
    ///     whatever clients do.
    ///   - isAlone: no write of a client waits.
    func turn(of begunAt: UInt64, isAlone: Bool, now: UInt64) -> UInt64 {
        let age = min(now > begunAt ? (now - begunAt) / Self.second : 0, Self.ageSecondsMax)
        let step = min(stepNanoseconds, Self.restNanosecondsMax)
        let rest = min(step * (Self.shareDivisor - 1), Self.restNanosecondsMax) / ((1 + age) * (1 + age))
        let turn = stepEnd + rest
        return isAlone ? min(turn, lastClientWrite + Self.quietNanoseconds) : turn
    }
}
