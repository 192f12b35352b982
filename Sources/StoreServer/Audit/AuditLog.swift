package import Logging
import StoreBasics
import StoreProtocol
import Synchronization

/// Remembers who administered the store and who was refused what: in the journal by fields, elsewhere as lines of the
/// log. What the journal does not take at once is counted and gone; a line is written as every other one is. Bounded by
/// user, so that no caller can fill the disk or push out what others do; what is left out is counted and told: once a
/// minute, and when the server stops.
package final class AuditLog: Sendable {
    package enum Output: Sendable {
        case journal(JournalSocket)
        case lines(Logger)
        case nobody
    }

    /// How many entries there were, and how many nobody can read.
    struct Counts: Sendable, Hashable {
        var written: UInt64 = 0
        /// The journal was full or gone.
        var dropped: UInt64 = 0
        /// Above what one user may have written.
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

    /// Any thread.
    func record(_ entry: AuditEntry?, now: UInt64 = MonotonicClock.nanoseconds) {
        guard let entry else { return }
        if pacer.allows({ $0.allows(entry, now: now) }) {
            write(entry)
        } else {
            heldCounts.withLock { $0.suppressed += 1 }
        }
    }

    /// Writes how many entries of each user were left out since the last time.
    func tellSuppressed() {
        for (uid, count) in pacer.takeSuppressed() {
            write(.suppressed(count, ofUser: uid))
        }
    }

    /// Until its task is cancelled.
    func tellNowAndThen() async {
        await pacer.tellNowAndThen { tellSuppressed() }
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
