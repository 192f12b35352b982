import StoreBasics
import StoreClient

/// Several batches on their way at once, while lines that belong together keep their order: a lane sends one batch
/// after the other, and everything of one conversation is in one lane.
struct ImportLanes {
    /// Batches in flight.
    static let count = 4

    private let writer: BatchWriter
    private var batches = Array(repeating: ImportBatch(), count: Self.count)
    private var busyLanes: Set<Int> = []
    private(set) var summary = ImportSummary()
    /// Of all lines that were added.
    private(set) var rules = ImportedRules()
    /// The first failure: a batch that is not completely in the store. After it nothing more is sent.
    private(set) var failure: CommandFailure?

    /// The outcome of a batch.
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

    /// Sends what is left, unless a batch failed, and waits for everything.
    mutating func finish(in group: inout Group) async {
        for lane in batches.indices where !batches[lane].isEmpty {
            await send(lane, in: &group)
        }
        while !busyLanes.isEmpty {
            await takeResult(from: &group)
        }
    }

    private mutating func send(_ lane: Int, in group: inout Group) async {
        while busyLanes.contains(lane) {
            await takeResult(from: &group)
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

    private mutating func takeResult(from group: inout Group) async {
        if let result = await group.next() {
            busyLanes.remove(result.lane)
            summary = summary + result.summary
            failure = failure ?? result.failure
        }
    }

    /// Dialogs stand alone and are dealt out in turn; the rest goes by what it belongs to.
    private static func lane(of record: ImportRecord) -> Int {
        if case .dialog(let identity, _) = record {
            return Int(identity.lineNumber / UInt64(ImportBatch.Request.messagesMax / 4) % UInt64(count))
        }
        var hash = StableHash()
        hash.combine(record.orderingKey.utf8)
        return Int(hash.value % UInt64(count))
    }
}
