package import Logging
import StoreBasics
import StoreProtocol
import Synchronization

/// The audit log: administration calls and refusals, as entries of the systemd journal or as lines of the ordinary log.
///
/// An entry that the journal does not accept at once is counted and lost. The number of entries per user is limited, so
/// that no caller can fill the disk or push out the entries of other users. Entries above the limit are counted; their
/// number is logged once a minute and when the server stops.
package final class AuditLog: Sendable {
    package enum Output: Sendable {
        case journal(JournalSocket)
        case lines(Logger)
        case nobody
    }

    /// The number of entries written, and of entries that were lost or left out.
    struct Counts: Sendable, Hashable {
        var written: UInt64 = 0
        /// Entries that the journal did not accept because it was full or not running.
        var dropped: UInt64 = 0
        /// Entries above the limit of their user.
        var suppressed: UInt64 = 0
    }

    private let output: Output
    private let pacer = SharedPacer()
    private let heldCounts = Mutex(Counts())

    package init(_ output: Output) {
        self.output = output
    }

    var counts: Counts {
        heldCounts.withLock { $0 }
    }

    /// Writes an entry, or counts it if its user is over the limit. May be called on any thread.
    func record(_ entry: AuditEntry?, now: UInt64 = MonotonicClock.nanoseconds) {
        guard let entry else { return }
        if pacer.allows({ $0.allows(entry, now: now) }) {
            write(entry)
        } else {
            heldCounts.withLock { $0.suppressed += 1 }
        }
    }

    /// Logs how many entries of each user were left out since the previous call.
    func logSuppressed() {
        for (uid, count) in pacer.drainSuppressed() {
            write(.suppressed(count, ofUser: uid))
        }
    }

    /// Logs the number of left-out entries at intervals until its task is cancelled.
    func reportPeriodically() async {
        await pacer.reportPeriodically { logSuppressed() }
    }

    private func write(_ entry: AuditEntry) {
        let isWritten: Bool
        switch output {
        case .journal(let journal):
            isWritten = journal.send(entry.journalFields)
        case .lines(let logger):
            entry.log(to: logger)
            isWritten = true
        case .nobody:
            isWritten = true
        }
        heldCounts.withLock { counts in
            if isWritten {
                counts.written += 1
            } else {
                counts.dropped += 1
            }
        }
    }
}
