import StoreClient
import Testing

/// A run of a log's messages, oldest first.
struct LogContents: Sendable {
    /// Of the oldest message; of the next one when there is none.
    var firstSequence: UInt64 = 1
    var messages: [[UInt8]] = []

    /// What the message behind the newest one will have.
    var nextSequence: UInt64 { firstSequence + UInt64(messages.count) }

    var sequences: ClosedRange<UInt64>? {
        messages.isEmpty ? nil : firstSequence...(nextSequence - 1)
    }

    /// With four bytes of length for each message.
    var storedBytes: UInt64 {
        messages.reduce(UInt64(0)) { $0 + 4 + UInt64($1.count) }
    }
}

extension StoreClient {
    /// Everything a log holds. Expects sequence numbers without gaps, and that the log says of itself what it holds.
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
