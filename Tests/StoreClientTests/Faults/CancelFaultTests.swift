import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(1))) struct CancelFaultTests {
    /// Each task saves, watches or follows a log, and is cancelled at a random moment. At that moment, a watch may
    /// still wait in the daemon for the saves of other tasks to end.
    @Test func `cancelled calls leave no watch and no waiting read in the daemon`() async throws {
        try await withDaemonAndClient { _, client in
            try await client.openLog("events", LogConfiguration(maximumBytes: 1 << 20, overwritesOldest: true))
            var random = SplitMix(seed: Settings.seed("CLIENT_FAULT_SEED"))
            for _ in 0..<TestTier.count(2, long: 6) {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<200 {
                        let pause = Duration.microseconds(Int.random(in: 0...20_000, using: &random))
                        group.addTask { await Self.useAndCancel(client, number, after: pause) }
                    }
                }
            }
            try await eventually("the daemon has no watch") {
                try await client.metrics().contains("ghoststore_watches 0\n")
            }
            // The daemon still accepts as many watches as it is configured for.
            var streams: [ChangeStream] = []
            for _ in 0..<64 {
                streams.append(try await client.watch())
            }
            #expect(try await client.metrics().contains("ghoststore_watches 64\n"))
            withExtendedLifetime(streams) {}
        }
    }

    private static func useAndCancel(_ client: StoreClient, _ number: Int, after pause: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await use(client, number) }
            try? await Task.sleep(for: pause)
            group.cancelAll()
        }
    }

    private static func use(_ client: StoreClient, _ number: Int) async throws {
        try await client.saveMessage(NewMessage(conversation: .sessionID("s\(number)"), text: "t"))
        if number.isMultiple(of: 2) {
            _ = try await client.logEntryPage("events", waiting: .seconds(20))
        } else {
            for try await _ in try await client.watch(after: 0) {}
        }
    }
}
