import StoreBasics
import Synchronization

/// Slows down guessing of passphrases. After three failures in a row a user must wait, one second at first and twice as
/// long after every further failure, up to five seconds.
///
/// The limit is five seconds because a user who knows the passphrase must wait, too. Five seconds allow 720 guesses an
/// hour, which even a short passphrase withstands for years. Other secrets are random and cannot be guessed, so they
/// have no delay.
package final class PassphraseThrottle: Sendable {
    static let freeFailures = 3
    static let delayMillisecondsMin: UInt64 = 1_000
    static let delayMillisecondsMax: UInt64 = 5_000
    /// The number of users that are remembered at once.
    static let usersMax = 4_096

    private struct Record {
        var failures = 0
        var waitsUntil: UInt64 = 0
    }

    private let records = Mutex<[UInt32: Record]>([:])

    package init() {}

    /// Checks if a user may try a passphrase. Call it before each attempt.
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
