import StoreBasics
import StoreClient

/// Sends several batches at once and keeps the order of lines that belong together. A lane sends one batch after the
/// other, and all lines of one conversation are in the same lane.
struct ImportLanes {
    /// The number of batches in flight.
    static let count = 4

    private let writer: BatchWriter
    private var batches = Array(repeating: ImportBatch(), count: Self.count)
    private var busyLanes: Set<Int> = []
    private(set) var summary = ImportSummary()
    /// The retention rules of all lines that were added.
    private(set) var rules = ImportedRules()
    /// The failure of the first batch that was not completely written to the store. No batch is sent after it.
    private(set) var failure: CommandFailure?

    /// The result of a batch: the counts of what was written, and the failure if a part was not written.
    struct Sent: Sendable {
        let lane: Int
        let summary: ImportSummary
        let failure: CommandFailure?
    }

    typealias Group = TaskGroup<Sent>

    init(writer: BatchWriter) {
        self.writer = writer
    }

    mutating func add(
        _ record: ImportRecord, lineNumber: UInt64, lineBytes: Int, in group: inout Group
    ) async {
        if case .conversation(let conversation) = record {
            rules.add(conversation, lineNumber: lineNumber)
        }
        let lane = Self.lane(of: record)
        if batches[lane].conflicts(with: record) {
            await send(lane, in: &group)
        }
        batches[lane].add(record, lineNumber: lineNumber, lineBytes: lineBytes)
        if batches[lane].isFull {
            await send(lane, in: &group)
        }
    }

    /// Sends the remaining lines, unless a batch failed, and waits for all batches.
    mutating func finish(in group: inout Group) async {
        for lane in batches.indices where !batches[lane].isEmpty {
            await send(lane, in: &group)
        }
        while !busyLanes.isEmpty {
            await collectResult(from: &group)
        }
    }

    private mutating func send(_ lane: Int, in group: inout Group) async {
        while busyLanes.contains(lane) {
            await collectResult(from: &group)
        }
        guard failure == nil else { return }
        let batch = batches[lane]
        batches[lane] = ImportBatch()
        busyLanes.insert(lane)
        group.addTask { [writer] in
            let (summary, failure) = await writer.write(batch)
            return Sent(lane: lane, summary: summary, failure: failure)
        }
    }

    private mutating func collectResult(from group: inout Group) async {
        if let result = await group.next() {
            busyLanes.remove(result.lane)
            summary = summary + result.summary
            failure = failure ?? result.failure
        }
    }

    /// Returns the lane of a record. Dialogs are independent and are distributed evenly. Other records are assigned by
    /// their ordering key.
    private static func lane(of record: ImportRecord) -> Int {
        if case .dialog(let identity, _) = record {
            return Int(identity.lineNumber / UInt64(ImportBatch.Request.messagesMax / 4) % UInt64(count))
        }
        var hash = StableHash()
        hash.combine(record.orderingKey.utf8)
        return Int(hash.value % UInt64(count))
    }
}
