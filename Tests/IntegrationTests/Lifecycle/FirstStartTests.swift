import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// Kills the daemon while it creates a new store: INIT_ROUNDS kills, seeded by CRASH_SEED.
@Suite(.oneAtATime) struct FirstStartTests {
    @Test func `a store whose creation is killed is either absent or complete`() async throws {
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        let whole = try await timeToMake()
        var withoutCreating = TestDaemonOptions()
        withoutCreating.createsStore = false
        var states: [StoreState: Int] = [:]
        for _ in 0..<Settings.number("INIT_ROUNDS", default: TestTier.count(3, long: 20)) {
            let daemon = try TestDaemon.prepare()
            try daemon.launch()
            try await Task.sleep(for: whole * Double.random(in: 0.2...1.3, using: &generator))
            try await daemon.kill9()
            try await daemon.startAgain(withoutCreating)
            let client = try await daemon.connect()
            let state = try await client.status().storeState
            states[state, default: 0] += 1
            #expect(state == .absent || state == .open, "\(daemon.log.suffix(1_000))")
            await client.close()
            try await daemon.terminate()
            try await expectUsable(daemon)
        }
        print("first start: \(states)")
    }

    /// Returns the time from launch to the first response.
    private func timeToMake() async throws -> Duration {
        let start = ContinuousClock.now
        return try await withDaemon { _ in start.duration(to: .now) }
    }

    /// Starts the daemon with the permission to create a store, and expects a usable store: either the store that the
    /// killed daemon created or a new one.
    private func expectUsable(_ daemon: TestDaemon) async throws {
        try await daemon.startAgain()
        let client = try await daemon.connect()
        _ = try await client.saveMessage(NewMessage(id: "one", conversation: .sessionID("05one"), text: "one"))
        #expect(try await client.message("one").text == "one")
        try await client.expectClean()
        await client.close()
        try await daemon.kill9()
    }
}
