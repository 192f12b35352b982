import GhostTestSupport
import StoreBasics
import StoreClient
import StoreProtocol
import TestBasics
import Testing

/// Kills the daemon while it rotates the master key and a client writes: ROTATION_ROUNDS kills, seeded by CRASH_SEED.
@Suite(.oneAtATime) struct RotationCrashTests {
    @Test func `a killed rotation leaves a store that opens with all its data`() async throws {
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemonAndClient { daemon, client in
            try await fill(client)
            let start = ContinuousClock.now
            _ = try await client.rotateMasterKey()
            let whole = start.duration(to: .now)
            await client.close()
            for round in 0..<Settings.number("ROTATION_ROUNDS", default: TestTier.count(2, long: 10)) {
                let delay = whole * Double.random(in: 0...1.2, using: &generator)
                let log = try await rotateAndKill(daemon, round: round, after: delay)
                try await daemon.startAgain()
                try await expectWhole(daemon, log)
            }
            try await expectRotatable(daemon)
        }
    }

    /// Stores so much data that a rotation takes a while.
    private func fill(_ client: StoreClient) async throws {
        for batch in 0..<8 {
            let messages = (0..<100).map { number in
                NewMessage(
                    id: "kept-\(batch)-\(number)", conversation: .sessionID("05kept"),
                    text: "kept \(batch) \(number) " + String(repeating: "x", count: 2_000),
                    timestamp: Timestamp(microseconds: Int64(batch * 100 + number + 1)))
            }
            _ = try await client.saveMessages(messages)
        }
    }

    private func rotateAndKill(
        _ daemon: TestDaemon, round: Int, after delay: Duration
    ) async throws -> CrashWriter.Log {
        let path = daemon.socketPath
        let writer = CrashWriter(
            conversation: "05rotation\(round)", idPrefix: "r\(round)-", depth: 2, seed: UInt64(round))
        let rotating = try RawConnection(path)
        try rotating.send(1, .rotateMasterKey(.init()))
        async let log = onThread { try writer.run(path) }
        try await Task.sleep(for: delay)
        try await daemon.kill9()
        return try await log
    }

    private func expectWhole(_ daemon: TestDaemon, _ log: CrashWriter.Log) async throws {
        let client = try await daemon.connect()
        #expect(try await client.status().storeState == .open, "\(daemon.log.suffix(1_000))")
        let kept = try await client.allMessages("05kept")
        #expect(kept.count == 800)
        #expect(kept.allSatisfy { $0.text.hasPrefix($0.id.replacing("-", with: " ")) && $0.text.count > 2_000 })
        #expect(log.refusals == [])
        let verification = CrashVerification(client: client, socketPath: daemon.socketPath)
        let found = try await verification.found(in: log.writer.conversation)
        _ = try verification.outcome(of: log, found: found)
        _ = try await client.gapFreeChanges()
        try await client.expectClean()
        await client.close()
    }

    /// Expects that files left by killed rotations do not prevent the next rotation, and that this rotation removes
    /// them.
    private func expectRotatable(_ daemon: TestDaemon) async throws {
        let client = try await daemon.connect()
        _ = try await client.rotateMasterKey()
        try await client.expectClean()
        await client.close()
        try await daemon.restart()
        let again = try await daemon.connect()
        #expect(try await again.allMessages("05kept").count == 800)
        await again.close()
        let databases = StateFiles(daemon.stateDirectory).contents.keys.filter { $0.hasPrefix("store.db") }
        #expect(Set(databases).isSubset(of: ["store.db", "store.db-wal", "store.db-shm"]))
    }
}
