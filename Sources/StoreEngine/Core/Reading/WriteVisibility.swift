import StoreBasics
import Synchronization

/// What is answered is visible: tells readers, which see committed pages only, whether answered writes still wait in
/// the writer's open transaction.
final class WriteVisibility: Sendable {
    /// The last record of the journal, and the last whose pages are committed.
    private let durable = Atomic<UInt64>(0)
    private let committed = Atomic<UInt64>(0)
    private let writer = Mutex(Weak())

    private struct Weak {
        weak var writer: (any PageCommitting)?
    }

    /// Some of what was answered is not visible yet.
    var isBehind: Bool {
        // The other order could find the pages of a record that is answered after the second look.
        let answered = durable.load(ordering: .acquiring)
        return committed.load(ordering: .acquiring) < answered
    }

    /// Counts what a snapshot that is kept for several reads is to be given up for.
    private let moments = Atomic<UInt64>(0)

    /// Of now. A snapshot that begins later shows all that is visible in it, and stands in the way of nothing that was
    /// begun before it.
    var moment: UInt64 { moments.load(ordering: .acquiring) }

    /// The WAL is to begin anew: snapshots of before are in the way.
    func askForNewSnapshots() {
        moments.add(1, ordering: .acquiringAndReleasing)
    }

    func begin(at record: UInt64) {
        noteCommitted(record)
        durable.store(record, ordering: .releasing)
    }

    /// Before any request of the record is answered.
    func noteDurable(_ record: UInt64) {
        durable.store(record, ordering: .releasing)
    }

    func noteCommitted(_ record: UInt64) {
        committed.store(record, ordering: .releasing)
        askForNewSnapshots()
    }

    /// The thread that commits the pages.
    func attach(_ writer: any PageCommitting) {
        self.writer.withLock { $0 = Weak(writer: writer) }
    }

    /// Calls back once readers see what was answered before.
    func catchUp(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        guard isBehind, let writer = writer.withLock({ $0.writer }) else { return done(.success(())) }
        writer.commitPages(done)
    }

    /// The same for a thread that may wait; never the one that has the writer's seat.
    func waitUntilSeen() throws(StoreError) {
        guard isBehind else { return }
        let outcome = OneShot<Result<Void, StoreError>>()
        catchUp { outcome.set($0) }
        try outcome.wait().get()
    }

    /// No store is open.
    func reset() {
        durable.store(0, ordering: .releasing)
        committed.store(0, ordering: .releasing)
    }
}

/// The thread that commits pages of acknowledged writes when a reader asks.
protocol PageCommitting: AnyObject, Sendable {
    /// Commits the pages of what was acknowledged, and then calls back.
    func commitPages(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void)
}
