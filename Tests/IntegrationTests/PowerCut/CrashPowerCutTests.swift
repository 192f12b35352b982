import GhostTestSupport
import StoreBasics
import StoreClient
import TestBasics
import Testing

/// Power cuts while clients save and edit messages, append to logs and set scene values, and while backups and
/// rotations of the master key run. Afterwards the store must have every acknowledged write, and each unacknowledged
/// write completely or not at all.
@Suite(.oneAtATime) struct CrashPowerCutTests {
    private static let cutsPerRun = 5

    /// Makes POWER_CUTS power cuts, seeded by CRASH_SEED.
    @Test func `every acknowledged save, append and scene value survives power cuts`() async throws {
        let cuts = Settings.number("POWER_CUTS", default: TestTier.count(3, long: 4 * Self.cutsPerRun))
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        try await withDaemon { daemon in
            var expected = try await PowerCutExpectation.begin(daemon)
            for first in stride(from: 0, to: cuts, by: Self.cutsPerRun) {
                let count = min(Self.cutsPerRun, cuts - first)
                try await cut(count, run: first, daemon, &expected, &generator)
            }
            #expect(expected.answered > 5 * cuts, "hardly anything was written: the cuts came too early")
            print(
                "power cuts: \(cuts) with \(expected.answered) answers looked for,",
                "\(expected.administered) backups and rotations beside them")
        }
    }

    /// Makes the same cuts on a disk that ignores syncs. The checks must fail.
    @Test func `the checks notice power cuts of a disk that ignores syncs`() async throws {
        var generator = SplitMix(seed: Settings.seed("CRASH_SEED"))
        await withKnownIssue("syncs that are none") {
            try await withDaemon { daemon in
                var expected = try await PowerCutExpectation.begin(daemon)
                try await cut(Self.cutsPerRun, run: 0, daemon, &expected, &generator, keepsSyncs: false)
            }
        }
    }

    private func cut(
        _ count: Int, run: Int, _ daemon: TestDaemon, _ expected: inout PowerCutExpectation,
        _ generator: inout SplitMix, keepsSyncs: Bool = true
    ) async throws {
        try await daemon.terminate()
        let image = DiskImage(of: daemon.stateDirectory)
        let recorded = try await PowerCuts.record(daemon)
        let writers = PowerCutWriters(expected, run: run, seed: generator.next()) { recorded.length }
        let start = recorded.length
        let delay = Duration.milliseconds(Int.random(in: 200...600, using: &generator))
        let administration = PowerCutWriters.Administration.allCases.randomElement(using: &generator) ?? .none
        let logs = try await writers.writeAndKill(daemon, after: delay, beside: administration)
        let before = expected
        expected.administered += logs.administered
        for cut in try recorded.cuts(count, of: image, daemon, &generator, after: start, keepsSyncs: keepsSyncs) {
            try await daemon.kill9()
            try cut.image.place(at: daemon.directory, "state")
            try await daemon.startAgain()
            var found = before
            try await found.verify(daemon, logs.cut(at: cut.position), "cut at \(cut.position), run \(run)")
            found.answered += expected.answered - before.answered
            found.administered = expected.administered
            expected = found
        }
    }
}
