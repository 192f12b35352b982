package import StoreBasics

/// What is counted of writing, where it is done: with the writer's seat alone. Read by any thread.
final class WriteFigures: Sendable {
    private let groupRequests = DoublingHistogram(.items)
    private let recordBytes = DoublingHistogram(.bytes)
    private let syncNanoseconds = DoublingHistogram(.nanoseconds)
    private let replicaNanoseconds = DoublingHistogram(.nanoseconds)

    /// A group was made durable that carried out so many requests, or parts of them.
    func noteGroup(requestCount: Int) {
        groupRequests.record(UInt64(clamping: requestCount))
    }

    /// A record of the journal with so many bytes of statements is durable.
    func noteRecord(statementBytes: Int, syncNanoseconds nanoseconds: UInt64) {
        recordBytes.record(UInt64(clamping: statementBytes + RecordLayout.overheadBytes))
        syncNanoseconds.record(nanoseconds)
    }

    /// A step for the store's group is done.
    func noteReplicaStep(nanoseconds: UInt64) {
        replicaNanoseconds.record(nanoseconds)
    }

    var counts: WriteCounts {
        WriteCounts(
            groupRequests: groupRequests.snapshot, recordBytes: recordBytes.snapshot,
            syncNanoseconds: syncNanoseconds.snapshot, replicaNanoseconds: replicaNanoseconds.snapshot)
    }
}

/// What was written since the engine was made.
package struct WriteCounts: Hashable, Sendable {
    /// Requests of each commit that wrote something.
    package var groupRequests = HistogramCounts(.items)
    /// Of each record of the journal.
    package var recordBytes = HistogramCounts(.bytes)
    /// Of each record's sync.
    package var syncNanoseconds = HistogramCounts(.nanoseconds)
    /// Of each step for the store's group.
    package var replicaNanoseconds = HistogramCounts(.nanoseconds)

    package init() {}

    init(
        groupRequests: HistogramCounts, recordBytes: HistogramCounts, syncNanoseconds: HistogramCounts,
        replicaNanoseconds: HistogramCounts
    ) {
        self.groupRequests = groupRequests
        self.recordBytes = recordBytes
        self.syncNanoseconds = syncNanoseconds
        self.replicaNanoseconds = replicaNanoseconds
    }
}
