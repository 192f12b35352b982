import FoundationEssentials
import GhostTestSupport
import TestBasics
import Testing

/// Runs the program disk-simulator: the engine on a disk where nothing is durable until it is synced
/// (docs/decisions/2026-11-23-simulated-disk.md). CUTS power cuts are seeded by CUT_SEED, and FAULT_CASES failed
/// operations by FAULT_SEED.
@Suite(.oneAtATime) struct SimulatedDiskTests {
    private static let processes = 2
    private static let limit = Duration.seconds(300)

    @Test func `acknowledged writes survive power cuts and kills at any moment`() async throws {
        let seed = Settings.seed("CUT_SEED")
        let count = Settings.number("CUTS", default: TestTier.count(200, long: 10_000)) / Self.processes
        let outputs = try await withThrowingTaskGroup(of: ProgramResult.self) { group in
            for process in 0..<Self.processes {
                group.addTask {
                    // Seeds that are far apart keep the two processes from repeating each other's cases.
                    try await Self.run("cuts", seed: seed + UInt64(process) << 32, count: count)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for result in outputs {
            #expect(result.exitCode == 0, "\(result.output)\(result.errorOutput)")
        }
    }

    @Test func `the checks notice syncs without effect`() async throws {
        let result = try await Self.run("cuts", seed: Settings.seed("CUT_SEED"), count: 100, "--drop", "all")
        #expect(result.exitCode == 1)
        #expect(result.output.contains("FAILED: store "), "\(result.output)\(result.errorOutput)")
    }

    @Test func `a failed disk operation loses no acknowledged write`() async throws {
        let seed = Settings.seed("FAULT_SEED")
        let count = Settings.number("FAULT_CASES", default: TestTier.count(20, long: 200))
        let result = try await Self.run("faults", seed: seed, count: count)
        #expect(result.exitCode == 0, "\(result.output)\(result.errorOutput)")
    }

    /// Repeats several short histories of a store. Each repetition kills the process, or makes the disk fail, at a
    /// later operation. Some histories also kill the next process, and some accept a loss. A short test run uses only
    /// every sixth operation.
    @Test(arguments: 1...processes)
    func `data that an earlier process left unsynced is made durable before anything depends on it`(part: Int)
        async throws
    {
        let stride = TestTier.count(6, long: 1)
        let result = try await Self.run(
            "walks", seed: Settings.seed("CUT_SEED"), count: 1, "--part", "\(part)/\(Self.processes)", "--stride",
            "\(stride)")
        #expect(result.exitCode == 0, "\(result.output)\(result.errorOutput)")
    }

    private static func run(
        _ command: String, seed: UInt64, count: Int, _ more: String...
    ) async throws -> ProgramResult {
        try await Program.run(
            BuiltPrograms.path("disk-simulator"),
            [command, "--seed", "\(seed)", "--count", "\(count)"] + more, within: limit)
    }
}
