import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// kill -9 at random moments under clients that save, edit, delete and search. CRASH_ROUNDS kills (2) of one store,
/// seeded by CRASH_SEED.
@Suite(.oneAtATime) struct SearchCrashTests {
    private static let writerCount = 3
    private static let messagesPerWord = 8

    /// What one writer was answered.
    private struct Ledger: Sendable {
        /// Words of messages that are there.
        var kept: [String] = []
        /// Words of messages that were deleted, or say something else since.
        var gone: [String] = []
    }

    @Test func `what was answered is found after kill -9, and the index holds what the messages say`() async throws {
        let rounds = Settings.number("CRASH_ROUNDS", default: 2)
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemon { daemon in
            var answered = 0
            for round in 0..<rounds {
                let delay = Duration.milliseconds(Int.random(in: 100...700, using: &generator))
                let ledgers = try await writeAndKill(daemon, round: round, after: delay)
                try await daemon.startAgain()
                let client = try await daemon.connect()
                for ledger in ledgers {
                    for word in ledger.kept {
                        #expect(try await client.searchMessages(word).collect().count == Self.messagesPerWord)
                    }
                    for word in ledger.gone {
                        #expect(try await client.searchMessages(word).collect().isEmpty)
                    }
                    answered += ledger.kept.count + ledger.gone.count
                }
                try await client.expectClean()
                await client.close()
            }
            #expect(answered > 3 * rounds, "hardly anything was written: the kills came too early to show anything")
        }
    }

    private func writeAndKill(
        _ daemon: TestDaemon, round: Int, after delay: Duration
    ) async throws -> [Ledger] {
        // Who is killed is not waited for.
        var configuration = ClientConfiguration()
        configuration.callDeadline = .seconds(2)
        var clients: [StoreClient] = []
        for _ in 0..<Self.writerCount {
            clients.append(try await daemon.connect(configuration: configuration))
        }
        return try await withThrowingTaskGroup(of: Ledger.self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask { await Self.write(client, name: "r\(round)w\(number)") }
            }
            try await Task.sleep(for: delay)
            try await daemon.kill9()
            let ledgers = try await group.reduce(into: []) { $0.append($1) }
            for client in clients {
                await client.close()
            }
            return ledgers
        }
    }

    /// Until the daemon answers no more. What was not answered is not looked at.
    private static func write(_ client: StoreClient, name: String) async -> Ledger {
        var ledger = Ledger()
        for number in 0... {
            let word = "\(name)n\(number)"
            let messages = (0..<messagesPerWord).map { _ in
                NewMessage(conversation: .sessionID(name), text: "\(word) and what all of them say")
            }
            do {
                let ids = try await client.saveMessages(messages).ids
                switch number % 4 {
                case 0:
                    try await client.deleteMessages(ids)
                    ledger.gone.append(word)
                case 1:
                    for id in ids {
                        try await client.editMessage(id, text: "\(word)new is what it says now")
                    }
                    ledger.gone.append(word)
                    ledger.kept.append(word + "new")
                default:
                    ledger.kept.append(word)
                }
                _ = try await client.searchMessagePage(MessageSearch("what \(word)", limit: 10))
            } catch {
                return ledger
            }
        }
        return ledger
    }
}
