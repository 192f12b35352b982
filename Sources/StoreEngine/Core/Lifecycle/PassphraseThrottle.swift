import StoreBasics
import Synchronization

/// Slows down whoever guesses passphrases: after three failures in a row a user waits, one second at first and twice as
/// long after every further failure, up to five.
///
/// No longer than that, because whoever knows the passphrase waits as well: five seconds make 720 guesses an hour, and
/// what withstands those for years is short. Other secrets are random and not to be guessed: nobody waits for them.
package final class PassphraseThrottle: Sendable {
    static let freeFailures = 3
    static let delayMillisecondsMin: UInt64 = 1_000
    static let delayMillisecondsMax: UInt64 = 5_000
    /// Users remembered at once.
    static let usersMax = 4_096

    private struct Record {
        var failures = 0
        var waitsUntil: UInt64 = 0
    }

    private let records = Mutex<[UInt32: Record]>([:])

    package init() {}

    /// Call before an attempt.
    ///
    /// - Throws: `.unlockThrottled` while the user has to wait.
    package func check(userID: UInt32, now: UInt64 = MonotonicClock.nanoseconds) throws(StoreError) {
        let waitsUntil = records.withLock { $0[userID]?.waitsUntil ?? 0 }
        guard now >= waitsUntil else {
            let milliseconds = (waitsUntil - now + 999_999) / 1_000_000
            throw StoreError(
                .unlockThrottled, "too many wrong passphrases; hint: try again in \(milliseconds) ms",
                retryAfterMilliseconds: milliseconds)
        }
    }

    package func failed(userID: UInt32, now: UInt64 = MonotonicClock.nanoseconds) {
        records.withLock { records in
            if records.count >= Self.usersMax, records[userID] == nil {
                records = records.filter { $0.value.waitsUntil > now }
            }
            var record = records[userID] ?? Record()
            record.failures += 1
            if record.failures >= Self.freeFailures {
                let doublings = min(record.failures - Self.freeFailures, 16)
                let delay = min(Self.delayMillisecondsMin << UInt64(doublings), Self.delayMillisecondsMax)
                record.waitsUntil = now + delay * 1_000_000
            }
            records[userID] = record
        }
    }

    package func succeeded(userID: UInt32) {
        records.withLock { $0[userID] = nil }
    }
}
