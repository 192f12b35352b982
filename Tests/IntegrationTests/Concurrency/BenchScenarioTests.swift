import GhostTestSupport
import TestBasics
import Testing

/// The project's own bench on the daemon as it is shipped.
@Suite(.oneAtATime) struct BenchScenarioTests {
    @Test func `every scenario runs to its end with as many clients as are asked for`() async throws {
        let bench = try BuiltPrograms.path("ghoststore-bench")
        try await withDaemon { daemon in
            let result = try await Program.run(
                bench,
                [
                    "run", "--socket", daemon.socketPath, "--clients", "1,64", "--seconds", "0.1", "--warm-up", "0",
                    "--messages", "2000", "--conversations", "10",
                ])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            let measured = Set(result.output.split(separator: "\n").compactMap { $0.split(separator: " ").first })
            let help = try await Program.run(bench, ["run", "--help"], environment: ["COLUMNS": "200"]).output
            let described = help.matches(of: #/\n  ([a-z0-9-]+): /#).map(\.1)
            try #require(described.count > 10)
            #expect(measured.isSuperset(of: described))
        }
    }
}
