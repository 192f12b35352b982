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

    /// A batch that is in the store.
    struct Sent: Sendable {
        let lane: Int
        let summary: ImportSummary
    }

    typealias Group = ThrowingTaskGroup<Sent, any Error>

    init(writer: BatchWriter) {
        self.writer = writer
    }

    mutating func add(
        _ record: ImportRecord, lineNumber: UInt64, lineBytes: Int, in group: inout Group
    ) async throws {
        let lane = Self.lane(of: record)
        if batches[lane].conflicts(with: record) {
            try await send(lane, in: &group)
        }
        batches[lane].add(record, lineNumber: lineNumber, lineBytes: lineBytes)
        if batches[lane].isFull {
            try await send(lane, in: &group)
        }
    }

    /// Sends what is left and waits for everything.
    mutating func finish(in group: inout Group) async throws {
        for lane in batches.indices where !batches[lane].isEmpty {
            try await send(lane, in: &group)
        }
        while !busyLanes.isEmpty {
            try await takeResult(from: &group)
        }
    }

    private mutating func send(_ lane: Int, in group: inout Group) async throws {
        while busyLanes.contains(lane) {
            try await takeResult(from: &group)
        }
        let batch = batches[lane]
        batches[lane] = ImportBatch()
        busyLanes.insert(lane)
        group.addTask { [writer] in
            Sent(lane: lane, summary: try await writer.write(batch))
        }
    }

    private mutating func takeResult(from group: inout Group) async throws {
        if let result = try await group.next() {
            busyLanes.remove(result.lane)
            summary = summary + result.summary
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
