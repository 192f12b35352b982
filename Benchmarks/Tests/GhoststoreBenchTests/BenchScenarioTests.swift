import Glibc
import StoreBasics
import StoreClientTesting
import Testing

@testable import ghoststore_bench

/// Tests the scenarios of `ghoststore-bench run` and the parts of `ghoststore-bench replication`.
@Suite(.serialized) struct BenchScenarioTests {
    @Test func `every scenario runs to its end with the requested numbers of clients`() async throws {
        let help = try BenchProgram.run(["run", "--help"])
        let described = help.matches(of: #/\n  ([a-z0-9-]+): /#).map(\.1)
        try #require(described.count > 10)
        try await withTemporaryStore(daemonPath: BenchProgram.measured("ghoststored")) { store in
            let output = try BenchProgram.run([
                "run", "--socket", store.socketPath, "--clients", "1,64", "--seconds", "0.3", "--warm-up", "0",
                "--messages", "2000", "--conversations", "10",
            ])
            let measured = Set(output.split(separator: "\n").compactMap { $0.split(separator: " ").first })
            #expect(measured.isSuperset(of: described))
        }
    }

    @Test(.enabled(if: Self.hasNatsServer, "nats-server is not installed"))
    func `every part of a replication measurement runs`() throws {
        try withTestFolder { folder in
            let json = "\(folder)/report.json"
            let output = try BenchProgram.run([
                "replication", "--samples", "5", "--seconds", "0.2", "--rounds", "1", "--messages", "300", "--json",
                json, "--daemon", BenchProgram.measured("ghoststored"), "--agent",
                BenchProgram.measured("ghoststore-sync"),
            ])
            for header in ["save to watch", "throughput", "catch-up", "saves of a store", "saves of a store, paced"] {
                #expect(output.contains("\(header) "))
            }
            #expect(output.contains("saves of a store, pinned ") == Processors.areEnough)
            #expect(try TextFile.read(json).contains("\"messagesPerSecond\""))
        }
    }

    @Test func `the program has the version of the daemon`() throws {
        #expect(try BenchProgram.run(["--version"]) == "ghoststore-bench \(ProjectVersion.text)\n")
    }

    private static let hasNatsServer = ["/usr/sbin", "/usr/bin", "/usr/local/bin"].contains {
        access("\($0)/nats-server", X_OK) == 0
    }
}
