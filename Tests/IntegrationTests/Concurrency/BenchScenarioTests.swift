import GhostTestSupport
import Glibc
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
                    "run", "--socket", daemon.socketPath, "--clients", "1,\(TestTier.count(8, long: 64))", "--seconds",
                    TestTier.current == .long ? "0.3" : "0.2", "--warm-up", "0", "--messages",
                    "\(TestTier.count(1_000, long: 2_000))", "--conversations", "10",
                ])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            let measured = Set(result.output.split(separator: "\n").compactMap { $0.split(separator: " ").first })
            let help = try await Program.run(bench, ["run", "--help"], environment: ["COLUMNS": "200"]).output
            let described = help.matches(of: #/\n  ([a-z0-9-]+): /#).map(\.1)
            try #require(described.count > 10)
            #expect(measured.isSuperset(of: described))
        }
    }

    /// In the long tier alone: it starts a server, daemons and agents for each part, for a tool of developers.
    @Test(
        .enabled(if: TestTier.current == .long, "in the long tier"),
        .enabled(if: Self.hasNatsServer, "nats-server is not installed"))
    func `every part of a group is measured over a server of its own`() async throws {
        let folder = try TemporaryDirectory()
        let json = folder.file("report.json")
        let result = try await Program.run(
            BuiltPrograms.path("ghoststore-bench"),
            [
                "replication", "--samples", "5", "--seconds", "0.2", "--rounds", "1", "--messages", "300", "--json",
                json, "--daemon", BuiltPrograms.path("ghoststored"), "--agent", BuiltPrograms.path("ghoststore-sync"),
            ])
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        for header in ["save to watch", "throughput", "catch-up", "saves of a store", "saves of a store, paced"] {
            #expect(result.output.contains("\(header) "))
        }
        #expect(result.output.contains("saves of a store, pinned ") == (sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1))
        #expect(folder.read("report.json").contains("\"messagesPerSecond\""))
    }

    private static let hasNatsServer = ["/usr/sbin", "/usr/bin", "/usr/local/bin"].contains {
        access("\($0)/nats-server", X_OK) == 0
    }
}
