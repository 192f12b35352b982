import SQLCipher
import StoreBasics

/// The open transaction of a batch of requests: the connection, its time, the counters as they will be after the
/// commit, and the changes that still have to be logged. It ends with the batch's record in the journal.
///
/// Work that belongs to one area is in the types of that area, which conform to `TransactionWork`.
final class Transaction {
    let connection: Connection
    /// The wall-clock time of the commit, as clients see it.
    let now: Timestamp
    /// The stamp of the commit's changes in the replica group: `now`, unless the wall clock was set forward and is not
    /// believed yet.
    let stampTime: Timestamp
    let clock: StoreClock
    var statistics: Statistics
    /// The time slice after which the transaction ends, so that other work gets a turn.
    var slice: WorkSlice
    /// True if the transaction deleted or replaced content, so that the WAL must soon be emptied.
    var removedContent = false
    private(set) var changes: [ChangeEntry] = []
    /// The number of changes, counted from the first, that are reported to watchers but not written to the change log.
    private(set) var forgottenChangeCount = 0

    init(connection: Connection, statistics: Statistics, now: Timestamp, slice: WorkSlice, clock: StoreClock) {
        self.connection = connection
        self.statistics = statistics
        self.now = now
        stampTime = min(now, clock.stampTime)
        self.slice = slice
        self.clock = clock
    }

    /// The revision that the next recorded change gets.
    var nextRevision: UInt64 { statistics.revision + 1 }

    /// Records a change and gives it the next revision.
    @discardableResult
    func record(
        _ kind: EntityKind, _ operation: ChangeOperation, id: String, parent: String = "",
        cause: ChangeCause = .request, detail: ChangeDetail = .none, kindName: String? = nil
    ) -> UInt64 {
        statistics.revision += 1
        changes.append(
            ChangeEntry(
                kind: kind, operation: operation, id: id, parent: parent, cause: cause, detail: detail,
                kindName: kindName ?? ""))
        return statistics.revision
    }

    /// Excludes the changes so far from the change log.
    func forgetChanges() {
        forgottenChangeCount = changes.count
    }

    /// The changes of the committed transaction, as watchers get them.
    func committedChanges() -> [Change] {
        let first = statistics.revision - UInt64(changes.count) + 1
        return changes.enumerated().map { offset, entry in
            Change(
                revision: first + UInt64(offset), kind: entry.kind, operation: entry.operation, id: entry.id,
                parent: entry.parent, committedAt: now, kindName: entry.kindName)
        }
    }
}

/// Work in a transaction. It can use the members of the transaction without the prefix `transaction.`
protocol TransactionWork {
    var transaction: Transaction { get }
}

extension TransactionWork {
    var connection: Connection { transaction.connection }
    var now: Timestamp { transaction.now }
    var stampTime: Timestamp { transaction.stampTime }
    var clock: StoreClock { transaction.clock }
    var slice: WorkSlice { transaction.slice }
    var nextRevision: UInt64 { transaction.nextRevision }

    var statistics: Statistics {
        get { transaction.statistics }
        nonmutating _modify { yield &transaction.statistics }
    }

    var removedContent: Bool {
        get { transaction.removedContent }
        nonmutating _modify { yield &transaction.removedContent }
    }

    /// Records a change and gives it the next revision.
    @discardableResult
    func record(
        _ kind: EntityKind, _ operation: ChangeOperation, id: String, parent: String = "",
        cause: ChangeCause = .request, detail: ChangeDetail = .none, kindName: String? = nil
    ) -> UInt64 {
        transaction.record(
            kind, operation, id: id, parent: parent, cause: cause, detail: detail, kindName: kindName)
    }
}
