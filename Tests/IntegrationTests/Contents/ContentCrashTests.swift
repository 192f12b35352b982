import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// The daemon ends at random moments while clients search, and write files, attachments and messages in every way.
/// Afterwards the store must have every acknowledged write, each unacknowledged write completely or not at all, and
/// nothing else.
@Suite(.oneAtATime) struct ContentCrashTests {
    private static let writerCount = 3

    /// Kills the daemon CRASH_ROUNDS times on one store, seeded by CRASH_SEED.
    @Test func `acknowledged files, attachments and messages are intact after kill -9`() async throws {
        let rounds = Settings.number("CRASH_ROUNDS", default: TestTier.count(1, long: 10))
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemon { daemon in
            var states = [ContentState](repeating: ContentState(), count: Self.writerCount)
            var (round, answered) = (0, 0)
            // If kills come early, writers get few responses before them. Then more rounds follow.
            while round < rounds || answered <= 5 * rounds && round < 4 * rounds {
                let writers = Self.writers(after: states, round, &generator) { 0 }
                let delay = Duration.milliseconds(Int.random(in: 50...1_200, using: &generator))
                let logs = try await daemon.killed(under: Self.writerCount, after: delay) {
                    await writers[$0].write($1)
                }
                try await recover(daemon, &generator)
                states = try await verified(daemon, logs, at: 0, "kill \(round)")
                answered += logs.reduce(0) { $0 + $1.answeredAt.count }
                round += 1
            }
            #expect(answered > 5 * rounds, "hardly anything was written: the kills came too early to show anything")
        }
    }

    /// Makes POWER_CUTS power cuts, seeded by CRASH_SEED. The daemon's file operations are recorded, and each cut is at
    /// a random moment of the record: unsynced data is lost, torn or present, in any order. In one case of three the
    /// power fails again while the daemon recovers.
    @Test func `acknowledged files, attachments and messages are intact after a power cut`() async throws {
        let cuts = Settings.number("POWER_CUTS", default: TestTier.count(2, long: 20))
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemon { daemon in
            var states = [ContentState](repeating: ContentState(), count: Self.writerCount)
            var answered = 0
            for first in stride(from: 0, to: cuts, by: Self.cutsPerRun) {
                try await daemon.terminate()
                let image = DiskImage(of: daemon.stateDirectory)
                let recorded = try await PowerCuts.record(daemon)
                let writers = Self.writers(after: states, first, &generator) { recorded.length }
                let delay = Duration.milliseconds(Int.random(in: 100...900, using: &generator))
                let logs = try await daemon.killed(under: Self.writerCount, after: delay) {
                    await writers[$0].write($1)
                }
                answered += logs.reduce(0) { $0 + $1.answeredAt.count }
                let count = min(Self.cutsPerRun, cuts - first)
                for cut in try recorded.cuts(count, of: image, daemon, &generator) {
                    try await daemon.kill9()
                    try cut.image.place(at: daemon.directory, "state")
                    if Int.random(in: 0..<3, using: &generator) == 0 {
                        try await cutRecovery(daemon, cut.image, &generator)
                    }
                    try await daemon.startAgain()
                    states = try await verified(daemon, logs, at: cut.position, "cut at \(cut.position), run \(first)")
                }
            }
            #expect(answered > cuts, "hardly anything was written: the cuts came too early to show anything")
        }
    }

    private static let cutsPerRun = 5

    private static func writers(
        after states: [ContentState], _ run: Int, _ generator: inout SplitMix, clock: @escaping @Sendable () -> Int
    ) -> [ContentWriter] {
        states.enumerated().map { index, state in
            ContentWriter(index: index, seed: generator.next(), run: run, base: state, clock: clock)
        }
    }

    /// Starts the daemon again. In one case of three it is killed once more while it recovers.
    private func recover(_ daemon: TestDaemon, _ generator: inout SplitMix) async throws {
        if Int.random(in: 0..<3, using: &generator) == 0 {
            try daemon.launch()
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &generator)))
            try await daemon.kill9()
        }
        try await daemon.startAgain()
    }

    private func cutRecovery(_ daemon: TestDaemon, _ image: DiskImage, _ generator: inout SplitMix) async throws {
        let recorded = try await PowerCuts.record(daemon)
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...200, using: &generator)))
        try await daemon.kill9()
        for cut in try recorded.cuts(1, of: image, daemon, &generator) {
            try cut.image.place(at: daemon.directory, "state")
        }
    }

    private func verified(
        _ daemon: TestDaemon, _ logs: [ContentWriter.Log], at time: Int, _ comment: Comment
    ) async throws -> [ContentState] {
        let client = try await daemon.connect()
        let status = try await client.status()
        try #require(status.storeState == .open, "\(comment): \(status.storeStateMessage)")
        let verification = ContentVerification(client: client, daemon: daemon)
        let states = try await verification.expect(logs, at: time, comment)
        await client.close()
        return states
    }
}
