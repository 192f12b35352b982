package import StoreBasics

/// Histograms about writing. Only the thread that holds the writer lock records values; any thread may read them.
final class WriteFigures: Sendable {
    private let groupRequests = DoublingHistogram(.items)
    private let recordBytes = DoublingHistogram(.bytes)
    private let syncNanoseconds = DoublingHistogram(.nanoseconds)
    private let replicaNanoseconds = DoublingHistogram(.nanoseconds)

    /// Records that a batch with `requestCount` requests, or parts of requests, was made durable.
    func recordBatch(requestCount: Int) {
        groupRequests.record(UInt64(clamping: requestCount))
    }

    /// Records that a journal record with `statementBytes` bytes of statements was made durable.
    func recordJournalRecord(statementBytes: Int, syncNanoseconds nanoseconds: UInt64) {
        recordBytes.record(UInt64(clamping: statementBytes + RecordLayout.overheadBytes))
        syncNanoseconds.record(nanoseconds)
    }

    func recordReplicaStep(nanoseconds: UInt64) {
        replicaNanoseconds.record(nanoseconds)
    }

    var counts: WriteCounts {
        WriteCounts(
            groupRequests: groupRequests.snapshot, recordBytes: recordBytes.snapshot,
            syncNanoseconds: syncNanoseconds.snapshot, replicaNanoseconds: replicaNanoseconds.snapshot)
    }
}

/// Histograms about writing since the engine was created.
package struct WriteCounts: Hashable, Sendable {
    /// The number of requests in each commit that wrote something.
    package var groupRequests = HistogramCounts(.items)
    /// The size of each journal record in bytes.
    package var recordBytes = HistogramCounts(.bytes)
    /// The duration of each record's sync.
    package var syncNanoseconds = HistogramCounts(.nanoseconds)
    /// The duration of each replication step.
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
