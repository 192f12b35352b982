import FoundationEssentials
import StoreClient
import StoreClientTesting
import Testing

@testable import ghoststore_bench

/// Tests the attacks of `ghoststore-bench hostile` on the daemon with its default configuration.
@Suite(.serialized) struct HostileCommandTests {
    @Test func `hostile callers neither disconnect a normal caller nor exhaust the daemon's memory`() throws {
        try withTestFolder { folder in
            let output = try BenchProgram.run([
                "hostile", "half-frames", "half-large-frames", "--seconds", "0.5", "--directory", folder, "--daemon",
                BenchProgram.measured("ghoststored"),
            ])
            let rows = output.split(separator: "\n").filter { $0.hasPrefix("| half") }
            #expect(rows.count == 2)
            for row in rows {
                let cells = row.split(separator: "|").map { $0.filter { $0 != " " } }
                try #require(cells.count == 9)
                #expect(cells[6] == "0" && cells[7] == "0", "errors or lost connections: \(row)")
                #expect(cells[8].hasSuffix("MiB"), "\(row)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty, "a store is left there")
        }
    }

    /// People decide by the descriptions in the help which results can be compared, so the descriptions must be true.
    @Test func `an attack begins with as many messages as its description says`() async throws {
        let help = try BenchProgram.run(["hostile", "--help"])
        let described = try #require(help.firstMatch(of: /filtered-lists: \d+ connections list ([\d,]+) messages/)).1
        try await withTemporaryStore(daemonPath: BenchProgram.measured("ghoststored")) { store in
            _ = try BenchProgram.run([
                "hostile-caller", "filtered-lists", "--socket", store.socketPath, "--seconds", "0.01",
            ])
            #expect(try await store.client.statistics().messageCount == Int(described.filter { $0 != "," }))
        }
    }
}
