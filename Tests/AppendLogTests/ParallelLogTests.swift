import AppendLog
import Foundation
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Many tasks call each writing method at the same time, and every call succeeds.
@Suite(.timeLimit(.minutes(2))) struct ParallelLogTests {
    private typealias Try = ParallelTry<(log: AppendLog<String>, directory: TemporaryDirectory)>

    private static let tries: [Try] = [
        Try("append") { try await $0.log.append(message: "\($1)") },
        Try("append large") { subject, _ in
            try await subject.log.append(messages: [String(repeating: "x", count: 100_000), "end"])
        },
        Try("exportFile") { try await $0.log.exportFile(to: $0.directory.file("log\($1)")) },
    ]

    @Test func `every call has a trial or is listed as left out`() throws {
        // `importFile` is left out because it makes many appends, one after another.
        let (forgotten, unknown) = try ParallelCalls.differences(
            in: ["AppendLog"], tried: Self.tries.map(\.name),
            leftOut: ["isEmpty", "isWritable", "messages", "importFile"])
        #expect(forgotten == [] && unknown == [])
    }

    @Test func `all tasks append at the same time`() async throws {
        try await withDaemonAndClient(configuration: ParallelCalls.configuration) { _, client in
            let log = try await AppendLog<String>(
                client: client, name: "l", maximumBytes: 1 << 30, shouldOverwriteOldMessages: false)
            let subject = (log: log, directory: try TemporaryDirectory())
            for attempt in Self.tries.prefix(2) {
                #expect(await attempt.failures(subject) == [:], "\(attempt.name)")
            }
            let messages = try await log.messages()
            #expect(messages.count == 3 * ParallelCalls.taskCount)
            // Few tasks are enough here, because each task exports the whole log.
            let exports = TestTier.count(4, long: 10)
            #expect(await Self.tries[2].failures(subject, tasks: exports) == [:])
        }
    }

    @Test func `following a log continues after a lock and an unlock`() async throws {
        try await withDaemonAndClient { daemon, client in
            let log = try await AppendLog<String>(
                client: client, name: "l", maximumBytes: 1 << 20, shouldOverwriteOldMessages: false)
            var followed = log.follow().makeAsyncIterator()
            try await log.append(message: "before")
            #expect(try await followed.next(isolation: nil) == "before")
            try await client.lock()
            async let next = followed.next(isolation: nil)
            try await Task.sleep(for: .milliseconds(200))
            _ = try await client.unlock(secret: SecretInput(kind: .keyFile, file: daemon.keyFilePath))
            try await log.append(message: "after")
            #expect(try await next == "after")
        }
    }

    @Test func `localizedDescription equals description`() {
        let inner = StoreClientError(code: .unavailable, reason: .storeBusy, message: "busy", isRetryable: true)
        let errors: [AppendLogError] = [
            .messageLargerThanCacheCapacity, .messageLargerThanRemainingCacheSize, .fileCorrupted(offset: 1, "cut"),
            .fileNotWritable, .fileUnavailable("gone"), .messageNotEncodable, .messageUnreadable(sequence: 3),
            .failed(inner),
        ]
        for error in errors {
            #expect((error as any Error).localizedDescription == error.description)
        }
    }
}
