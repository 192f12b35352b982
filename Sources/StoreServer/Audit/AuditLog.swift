import Dispatch
package import Logging
import StoreBasics
import StoreProtocol
import Synchronization

/// Remembers who administered the store and who was refused what: in the journal by fields, elsewhere as lines of the
/// log. What the journal does not take at once is counted and gone; a line is written as every other one is. Bounded by
/// user, so that no caller can fill the disk or push out what others do; what is left out is counted and told once a
/// minute.
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

    private struct State {
        var pacer = AuditPacer()
        var counts = Counts()
        var isTellingScheduled = false
    }

    /// Entries that were left out are told this long after the first of them.
    private static let tellingSeconds = 60

    private let output: Output
    private let state = Mutex(State())

    package init(_ output: Output) {
        self.output = output
    }

    var counts: Counts {
        state.withLock { $0.counts }
    }

    /// Any thread.
    func record(_ entry: AuditEntry?, now: UInt64 = MonotonicClock.nanoseconds) {
        guard let entry else { return }
        let (isAllowed, schedules) = state.withLock { state in
            guard state.pacer.allows(entry, now: now) else {
                state.counts.suppressed += 1
                defer { state.isTellingScheduled = true }
                return (false, !state.isTellingScheduled)
            }
            return (true, false)
        }
        if isAllowed {
            write(entry)
        } else if schedules {
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.tellingSeconds)) { [weak self] in
                self?.tellSuppressed()
            }
        }
    }

    /// Writes how many entries of each user were left out since the last time.
    package func tellSuppressed() {
        let suppressed = state.withLock { state in
            state.isTellingScheduled = false
            return state.pacer.takeSuppressed()
        }
        for (uid, count) in suppressed.sorted(by: { $0.key < $1.key }) {
            write(.suppressed(count, ofUser: uid))
        }
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
        state.withLock { state in
            if isWritten {
                state.counts.written += 1
            } else {
                state.counts.dropped += 1
            }
        }
    }
}
