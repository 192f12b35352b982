/// The limit on the entries, or lines of the log, that one user may cause: a burst, and then one entry per interval.
/// The limit for administration is far higher than the limit for refusals, because a refused request costs the caller
/// nothing.
struct AuditPacer {
    struct Rate: Sendable, Hashable {
        let burst: UInt64
        let intervalNanoseconds: UInt64

        static let refusals = Rate(burst: 20, intervalNanoseconds: 3_000_000_000)
        static let lines = Rate(burst: 20, intervalNanoseconds: 3_000_000_000)
        static let administration = Rate(burst: 1_000, intervalNanoseconds: 100_000_000)
    }

    /// The number of users whose rates are tracked separately. All other users share one rate.
    static let usersMax = 4_096
    private static let everyoneElse = UInt32.max

    private struct Key: Hashable {
        let uid: UInt32
        let rate: Rate
    }

    /// The time at which each user's rate catches up with the entries that the user has caused so far.
    private var paidAt: [Key: UInt64] = [:]
    private var suppressed: [UInt32: Int] = [:]

    mutating func allows(_ entry: AuditEntry, now: UInt64) -> Bool {
        allows(entry.kind == .administration ? .administration : .refusals, uid: entry.uid, now: now)
    }

    mutating func allows(_ rate: Rate, uid: UInt32, now: UInt64) -> Bool {
        let key = key(uid, rate, now: now)
        let paid = max(paidAt[key] ?? 0, now)
        guard paid - now <= (rate.burst - 1) * rate.intervalNanoseconds else {
            suppressed[key.uid, default: 0] += 1
            return false
        }
        paidAt[key] = paid + rate.intervalNanoseconds
        return true
    }

    var hasSuppressed: Bool { !suppressed.isEmpty }

    /// Returns the number of left-out entries by user and resets it. User 2^32 - 1 stands for all users that are not
    /// tracked separately.
    mutating func drainSuppressed() -> [UInt32: Int] {
        defer { suppressed = [:] }
        return suppressed
    }

    private mutating func key(_ uid: UInt32, _ rate: Rate, now: UInt64) -> Key {
        let key = Key(uid: uid, rate: rate)
        guard paidAt[key] == nil, paidAt.count >= Self.usersMax else { return key }
        paidAt = paidAt.filter { $0.value > now }
        return paidAt.count < Self.usersMax ? key : Key(uid: Self.everyoneElse, rate: rate)
    }
}
