/// How many entries, or lines of the log, a user may cause: so many at once, and then so many a second. Administration
/// has far more room than refusals, which cost their causer nothing.
struct AuditPacer {
    struct Rate: Sendable, Hashable {
        let burst: UInt64
        let intervalNanoseconds: UInt64

        static let refusals = Rate(burst: 20, intervalNanoseconds: 3_000_000_000)
        static let lines = Rate(burst: 20, intervalNanoseconds: 3_000_000_000)
        static let administration = Rate(burst: 1_000, intervalNanoseconds: 100_000_000)
    }

    /// Users whose rate is known at once; all others share one.
    static let usersMax = 4_096
    private static let everyoneElse = UInt32.max

    private struct Key: Hashable {
        let uid: UInt32
        let rate: Rate
    }

    /// When each user's entries so far will have been paid for, at its rate.
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

    /// By user; the number 2^32 - 1 stands for many.
    mutating func takeSuppressed() -> [UInt32: Int] {
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
