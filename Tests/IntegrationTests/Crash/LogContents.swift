import StoreClient
import Testing

/// Consecutive messages of a log, oldest first.
struct LogContents: Sendable {
    /// The sequence number of the oldest message, or of the next one if there are no messages.
    var firstSequence: UInt64 = 1
    var messages: [[UInt8]] = []

    /// The sequence number that the next appended message will get.
    var nextSequence: UInt64 { firstSequence + UInt64(messages.count) }

    var sequences: ClosedRange<UInt64>? {
        messages.isEmpty ? nil : firstSequence...(nextSequence - 1)
    }

    /// The size of the messages in the file, where each has four bytes for its length.
    var storedBytes: UInt64 {
        messages.reduce(UInt64(0)) { $0 + 4 + UInt64($1.count) }
    }
}

extension StoreClient {
    /// Returns all messages of a log. Expects sequence numbers without gaps, and that the log's own totals agree with
    /// its messages.
    func logContents(_ name: String) async throws -> LogContents {
        var entries: [LogEntry] = []
        var page: LogEntryPage
        repeat {
            page = try await logEntryPage(name, after: entries.last?.sequence ?? 0, limit: 1_000)
            entries += page.entries
        } while page.hasMore
        let contents = LogContents(firstSequence: entries.first?.sequence ?? 1, messages: entries.map(\.data))
        let gap = entries.indices.first { entries[$0].sequence != contents.firstSequence + UInt64($0) }
        try #require(gap == nil, "\(name): a sequence number is missing or comes twice")
        let log = page.log
        #expect(log.sequences == contents.sequences, "\(name)")
        #expect(log.usedBytes == contents.storedBytes, "\(name)")
        return contents
    }
}
