import StoreClient
import StoreProtocol
import Testing

/// Compares the responses that the writers of one log received with the log after a crash.
struct LogCrashVerification: Sendable {
    private static let headerBytes: UInt64 = 64
    private static let largestStoredBytes = UInt64(AppendCrashWriter.messageBytesMax + 4)

    let name: String
    let configuration: LogConfiguration
    /// The content of the log when it was last read. Earlier messages may already have been overwritten.
    private var known = LogContents()

    init(name: String, configuration: LogConfiguration) {
        self.name = name
        self.configuration = configuration
    }

    /// Creates the log, which must not exist yet, with some messages.
    mutating func make(_ client: StoreClient, with messages: [[UInt8]] = []) async throws {
        let log = try await client.openLog(name, configuration)
        let isAsAsked = log.isEmpty && log.configuration == configuration
        try #require(isAsAsked)
        if !messages.isEmpty {
            let appended = try await client.append(messages, toLog: name, expecting: configuration)
            try #require(appended.sequences == 1...UInt64(messages.count))
        }
        known = LogContents(firstSequence: 1, messages: messages)
    }

    mutating func makeAgain(_ client: StoreClient) async throws {
        try await client.deleteLog(name)
        try await make(client)
    }

    /// Expects that every acknowledged append is complete and has the sequence number in its response, and that each
    /// unacknowledged one is applied completely or not at all. Then sends the unacknowledged ones again and expects the
    /// same.
    ///
    /// - Returns: the calls of each writer, all with their responses.
    mutating func verify(
        _ writers: [[SentCall]], client: StoreClient, socketPath: String
    ) async throws -> [[SentCall]] {
        let found = try await client.logContents(name)
        var repeated: [[SentCall]] = []
        for sent in writers {
            repeated.append(try await sent.repeatingUnanswered(socketPath))
        }
        let batches = repeated.flatMap { Self.batches($0) }
        try expect(found, holds: batches.filter(\.wasMadeBeforeCrash), "after the crash")
        let complete = try await client.logContents(name)
        try expect(complete, holds: batches, "after the unanswered appends were sent again")
        let isAsMade = try await client.log(name).configuration == configuration
        #expect(isAsMade)
        known = complete
        return repeated
    }

    /// The messages of one append.
    private struct Batch {
        let firstSequence: UInt64
        let messages: [[UInt8]]
        let wasMadeBeforeCrash: Bool
    }

    /// Returns the appends of one writer. Expects that their sequence numbers ascend in the order sent.
    private static func batches(_ sent: [SentCall]) -> [Batch] {
        var batches: [Batch] = []
        var lastSequence: UInt64 = 0
        for call in sent {
            guard case .appendLog(let request) = call.call, case .appendLog(let answer) = call.answer?.result else {
                continue
            }
            #expect(answer.firstSequence > lastSequence, "appended in another order than sent")
            #expect(answer.lastSequence == answer.firstSequence + UInt64(request.messages.count) - 1)
            #expect(call.isRepeated || !answer.isReplayed, "a first sending was taken for a repetition")
            lastSequence = answer.lastSequence
            batches.append(
                Batch(
                    firstSequence: answer.firstSequence, messages: request.messages.map { [UInt8]($0) },
                    wasMadeBeforeCrash: call.wasMadeBeforeCrash))
        }
        return batches
    }

    /// Expects that the log contains the known messages and then each batch at its sequence number, without gaps. The
    /// oldest messages may be overwritten. Messages that were overwritten before must not reappear.
    private func expect(_ found: LogContents, holds batches: [Batch], _ moment: String) throws {
        var expected = known
        for batch in batches.sorted(by: { $0.firstSequence < $1.firstSequence }) {
            try #require(
                batch.firstSequence == expected.nextSequence, "\(name), \(moment): a number skipped or given twice")
            expected.messages += batch.messages
        }
        try #require(
            found.nextSequence == expected.nextSequence, "\(name), \(moment): lost, half-written or made twice")
        try #require(
            found.firstSequence >= expected.firstSequence, "\(name), \(moment): overwritten messages came back")
        let isUnaltered = found.messages == Array(expected.messages.suffix(found.messages.count))
        #expect(isUnaltered, "\(name), \(moment): messages are altered or at another place")
        expectRightlyEvicted(found, moment)
    }

    private func expectRightlyEvicted(_ found: LogContents, _ moment: String) {
        let capacity = configuration.maximumBytes - Self.headerBytes
        #expect(found.storedBytes <= capacity, "\(name), \(moment)")
        guard configuration.overwritesOldest else {
            #expect(found.firstSequence == 1, "\(name), \(moment): a log that keeps its messages lost some")
            return
        }
        guard found.firstSequence > 1 else { return }
        // A log that overwrites messages has some unused space: at the end of the file, where a message did not fit,
        // and after the newest message, which may be shorter than the messages that it overwrote.
        let leastBytes = capacity - 3 * Self.largestStoredBytes
        #expect(found.storedBytes >= leastBytes, "\(name), \(moment): more was evicted than had to be")
    }
}
