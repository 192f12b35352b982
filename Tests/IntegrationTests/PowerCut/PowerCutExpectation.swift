import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// The content that a store must have after power cuts.
struct PowerCutExpectation {
    private(set) var logs = [
        LogCrashVerification(
            name: "cut-keeping", configuration: LogConfiguration(maximumBytes: 1 << 30, overwritesOldest: false)),
        LogCrashVerification(
            name: "cut-overwriting", configuration: LogConfiguration(maximumBytes: 16 << 10, overwritesOldest: true)),
    ]
    private(set) var scenes = (1...2).map { SceneCrashVerification(scene: "cut-scene-\($0)") }
    private var conversations = 0
    private var messages = 0
    private var unread = 0
    private var revision: UInt64 = 0
    /// The number of acknowledgements that were checked after cuts.
    var answered = 0
    /// The number of acknowledged backups and rotations.
    var administered = 0

    /// Creates the logs and scenes that the writers use.
    static func begin(_ daemon: TestDaemon) async throws -> PowerCutExpectation {
        var expected = PowerCutExpectation()
        let client = try await daemon.connect()
        try await expected.logs[0].make(client)
        // The log is too small for all these messages, so every later append overwrites older ones.
        let before = (0..<60).map { Array("before \($0) ".utf8) + [UInt8](repeating: 120, count: 400) }
        try await expected.logs[1].make(client, with: before)
        expected.revision = try await client.status().revision
        await client.close()
        return expected
    }

    mutating func verify(_ daemon: TestDaemon, _ written: PowerCutWriters.Logs, _ comment: Comment) async throws {
        let client = try await daemon.connect()
        let status = try await client.status()
        try #require(status.storeState == .open, "\(comment): \(status.storeStateMessage)")
        try await verifyMessages(written.messages, client, daemon)
        let path = daemon.socketPath
        try await SceneCrashVerification.expectGlobalIsNewest(of: scenes, client)
        for index in logs.indices {
            let sent = written.calls[logs[index].name] ?? []
            answered += sent.reduce(0) { $0 + $1.answeredCount }
            _ = try await logs[index].verify(sent, client: client, socketPath: path)
        }
        for index in scenes.indices {
            let sent = written.calls[scenes[index].scene]?.first ?? []
            answered += sent.answeredCount
            _ = try await scenes[index].verify(sent, client: client, socketPath: path)
        }
        revision += UInt64(try await client.gapFreeChanges(after: revision).count)
        try await client.expectClean()
        await client.close()
    }

    private mutating func verifyMessages(
        _ written: [CrashWriter.Log], _ client: StoreClient, _ daemon: TestDaemon
    ) async throws {
        let verification = CrashVerification(client: client, socketPath: daemon.socketPath)
        #expect(written.flatMap(\.refusals) == [])
        let byConversation = Dictionary(grouping: written.filter { !$0.sent.isEmpty }, by: \.writer.conversation)
        for (conversation, logs) in byConversation {
            let found = try await verification.found(in: conversation)
            for log in logs {
                let own = found.filter { $0.key.hasPrefix(log.writer.idPrefix) }
                let outcome = try verification.outcome(of: log, found: own)
                _ = try await verification.repeatUnanswered(outcome)
                answered += log.answeredCount
            }
            let repeated = try await verification.found(in: conversation)
            try await verification.expectSummary(of: conversation, messages: repeated)
            conversations += 1
            messages += repeated.count
            unread += repeated.values.count { !$0.isOutgoing }
        }
        let statistics = try await client.statistics()
        #expect(statistics.conversationCount == conversations)
        #expect(statistics.messageCount == messages)
        #expect(statistics.unreadCount == unread)
    }
}
