import StoreBasics
import Synchronization

/// Makes acknowledged writes visible to readers. Readers see only committed pages, so they ask here if acknowledged
/// writes are still in the writer's open transaction.
final class WriteVisibility: Sendable {
    /// The last record of the journal, and the last record whose pages are committed.
    private let durable = Atomic<UInt64>(0)
    private let committed = Atomic<UInt64>(0)
    private let writer = Mutex(Weak())

    private struct Weak {
        weak var writer: (any PageCommitting)?
    }

    /// True if some acknowledged writes are not visible yet.
    var isBehind: Bool {
        // Load `durable` first. In the other order, a record that is acknowledged and committed between the two loads
        // would look uncommitted.
        let answered = durable.load(ordering: .acquiring)
        return committed.load(ordering: .acquiring) < answered
    }

    /// A counter that increases whenever a snapshot that several reads share should be given up.
    private let moments = Atomic<UInt64>(0)

    /// The present value of the counter. Everything that was visible when the value was read is also visible in every
    /// snapshot that begins later.
    var moment: UInt64 { moments.load(ordering: .acquiring) }

    /// Asks readers for new snapshots, because the existing ones prevent the WAL from starting over.
    func askForNewSnapshots() {
        moments.add(1, ordering: .acquiringAndReleasing)
    }

    func begin(at record: UInt64) {
        recordCommitted(record)
        durable.store(record, ordering: .releasing)
    }

    /// Sets the number of the last durable journal record. Must be called before a request of the record is
    /// acknowledged.
    func recordDurable(_ record: UInt64) {
        durable.store(record, ordering: .releasing)
    }

    func recordCommitted(_ record: UInt64) {
        committed.store(record, ordering: .releasing)
        askForNewSnapshots()
    }

    /// Sets the thread that commits the pages.
    func attach(_ writer: any PageCommitting) {
        self.writer.withLock { $0 = Weak(writer: writer) }
    }

    /// Calls `done` once readers see all writes that were acknowledged before the call.
    func catchUp(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        guard isBehind, let writer = writer.withLock({ $0.writer }) else { return done(.success(())) }
        writer.commitPages(done)
    }

    /// Waits until readers see all writes that were acknowledged before the call. The thread that holds the writer lock
    /// must not call it.
    func waitUntilSeen() throws(StoreError) {
        guard isBehind else { return }
        let outcome = OneShot<Result<Void, StoreError>>()
        catchUp { outcome.set($0) }
        try outcome.wait().get()
    }

    /// Resets the state when the store is closed.
    func reset() {
        durable.store(0, ordering: .releasing)
        committed.store(0, ordering: .releasing)
    }
}

/// The thread that commits pages of acknowledged writes when a reader asks.
protocol PageCommitting: AnyObject, Sendable {
    /// Commits the pages of acknowledged writes, then calls `done`.
    func commitPages(_ done: @escaping @Sendable (Result<Void, StoreError>) -> Void)
}
