import GhostTestSupport
import Glibc
import StoreBasics
import StoreClient
import StoreProtocol
import TestBasics
import Testing

/// Kills the daemon at random moments while eight clients write. CRASH_ROUNDS kills, seeded by CRASH_SEED.
@Suite(.oneAtATime) struct CrashTests {
    private static let writerCount = 8
    /// The number of rounds in one store. A new store keeps the cost of later rounds constant.
    private static let roundsPerStore = 25

    /// The totals of all rounds on one store.
    private struct Totals {
        var conversations = 0
        var messages = 0
        var unread = 0
        var revision: UInt64 = 0
        var answered = 0
        var unanswered = 0
        var unansweredButApplied = 0
    }

    @Test func `every acknowledged write survives kill -9 completely, and the store opens without repair`() async throws
    {
        let rounds = Settings.number("CRASH_ROUNDS", default: TestTier.count(2, long: 25))
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        for first in stride(from: 0, to: rounds, by: Self.roundsPerStore) {
            try await withDaemon { daemon in
                var totals = Totals()
                for round in first..<min(rounds, first + Self.roundsPerStore) {
                    let seed = generator.next()
                    // The first kill of a store comes late, so that enough data is written.
                    let delay = Duration.microseconds(
                        Int.random(in: (round == first ? 150_000 : 1_000)...400_000, using: &generator))
                    let logs = try await writeAndKill(daemon, round: round, seed: seed, after: delay)
                    try await recover(daemon, generator: &generator)
                    try await verify(daemon, logs: logs, totals: &totals)
                }
                try await expectHistory(daemon)
                print(
                    "crash: \(totals.answered) writes answered, \(totals.unanswered) not, of which",
                    "\(totals.unansweredButApplied) were applied")
            }
        }
    }

    private func writeAndKill(
        _ daemon: TestDaemon, round: Int, seed: UInt64, after delay: Duration
    ) async throws -> [CrashWriter.Log] {
        let path = daemon.socketPath
        return try await withThrowingTaskGroup(of: CrashWriter.Log.self) { group in
            for number in 0..<Self.writerCount {
                // Two writers share a conversation. Every second writer sends requests before the responses arrive.
                let writer = CrashWriter(
                    conversation: "05crash-\(round)-\(number / 2)", idPrefix: "r\(round)w\(number)-",
                    depth: number.isMultiple(of: 2) ? 1 : 6, seed: seed &+ UInt64(number))
                group.addTask { try await onThread { try writer.run(path) } }
            }
            try await Task.sleep(for: delay)
            try await daemon.kill9()
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Starts the daemon again. In one case of three it is killed once more while it recovers.
    private func recover(_ daemon: TestDaemon, generator: inout SplitMix) async throws {
        if Int.random(in: 0..<3, using: &generator) == 0 {
            try daemon.launch()
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &generator)))
            try await daemon.kill9()
        }
        try await daemon.startAgain()
    }

    private func verify(_ daemon: TestDaemon, logs: [CrashWriter.Log], totals: inout Totals) async throws {
        let client = try await daemon.connect()
        let verification = CrashVerification(client: client, socketPath: daemon.socketPath)
        #expect(try await client.status().storeState == .open)
        #expect(logs.flatMap(\.refusals) == [])
        let conversations = Dictionary(grouping: logs.filter { !$0.sent.isEmpty }, by: \.writer.conversation)
        for (conversation, logs) in conversations {
            let found = try await verification.found(in: conversation)
            var expected: CrashStep.State = [:]
            for log in logs {
                let own = found.filter { $0.key.hasPrefix(log.writer.idPrefix) }
                let outcome = try verification.outcome(of: log, found: own)
                totals.unansweredButApplied += try await verification.repeatUnanswered(outcome)
                totals.answered += log.answeredCount
                totals.unanswered += log.sent.count - log.answeredCount
                expected.merge(outcome.finalState) { _, new in new }
            }
            let repeated = try await verification.found(in: conversation)
            #expect(repeated == expected, "after the unanswered writes were sent again")
            try await verification.expectSummary(of: conversation, messages: expected)
            totals.conversations += 1
            totals.messages += expected.count
            totals.unread += expected.values.count { !$0.isOutgoing }
        }
        try await expect(totals, client: client)
        let changes = try await client.gapFreeChanges(after: totals.revision)
        expectChanges(changes, hold: logs)
        totals.revision += UInt64(changes.count)
        try await client.expectClean()
        await client.close()
    }

    private func expect(_ totals: Totals, client: StoreClient) async throws {
        let statistics = try await client.statistics()
        #expect(statistics.conversationCount == totals.conversations)
        #expect(statistics.messageCount == totals.messages)
        #expect(statistics.unreadCount == totals.unread)
    }

    /// Expects that every message that was ever saved has a change for its creation, with a revision no later than the
    /// response said.
    private func expectChanges(_ changes: [Change], hold logs: [CrashWriter.Log]) {
        var createdAt: [String: UInt64] = [:]
        for change in changes where change.kind == .message && change.operation == .created {
            createdAt[change.id] = change.revision
        }
        for sent in logs.flatMap(\.sent) {
            guard case .save(let messages) = sent.step else { continue }
            for message in messages {
                let created = createdAt[message.id] ?? .max
                #expect(created <= sent.commit?.revision ?? .max - 1, "no timely change for \(message.id)")
            }
        }
    }

    /// Expects that the change log is complete from the first revision on.
    private func expectHistory(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        let changes = try await client.gapFreeChanges()
        #expect(try await client.status().revision == UInt64(changes.count))
        #expect(changes.count > 100, "hardly anything was written: the kills came too early to show anything")
        await client.close()
    }
}
