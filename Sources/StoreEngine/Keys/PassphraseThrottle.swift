import StoreBasics
import StoreProtocol
import Synchronization

/// Slows down whoever guesses secrets: after three failures in a row a user waits, one second at first and twice as
/// long after every further failure, up to a minute.
final class UnlockThrottle: Sendable {
    static let freeFailures = 3
    static let delayMillisecondsMin: UInt64 = 1_000
    static let delayMillisecondsMax: UInt64 = 60_000
    /// Users remembered at once; far above the number of users with administration rights.
    static let usersMax = 4_096

    private struct Record {
        var failures = 0
        var waitsUntil: UInt64 = 0
    }

    private let records = Mutex<[UInt32: Record]>([:])

    /// Call before an attempt.
    ///
    /// - Throws: `RequestFailure` with reason `.unlockThrottled` while the user has to wait.
    func check(uid: UInt32, now: UInt64 = MonotonicClock.nanoseconds) throws(RequestFailure) {
        let waitsUntil = records.withLock { $0[uid]?.waitsUntil ?? 0 }
        guard now >= waitsUntil else {
            let milliseconds = (waitsUntil - now + 999_999) / 1_000_000
            throw RequestFailure(
                .unlockThrottled, "too many wrong secrets; hint: try again in \(milliseconds) ms",
                retryAfterMilliseconds: milliseconds)
        }
    }

    func failed(uid: UInt32, now: UInt64 = MonotonicClock.nanoseconds) {
        records.withLock { records in
            if records.count >= Self.usersMax, records[uid] == nil {
                records = records.filter { $0.value.waitsUntil > now }
            }
            var record = records[uid] ?? Record()
            record.failures += 1
            if record.failures >= Self.freeFailures {
                let doublings = min(record.failures - Self.freeFailures, 16)
                let delay = min(Self.delayMillisecondsMin << UInt64(doublings), Self.delayMillisecondsMax)
                record.waitsUntil = now + delay * 1_000_000
            }
            records[uid] = record
        }
    }

    func succeeded(uid: UInt32) {
        records.withLock { $0[uid] = nil }
    }
}
