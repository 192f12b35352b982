import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// What one caller can do to the daemon as it is shipped.
@Suite(.oneAtATime) struct HostileDaemonTests {
    @Test func `a caller beside hostile ones keeps its connection and the daemon its memory`() async throws {
        let directory = try TemporaryDirectory()
        // The victim is another user when root runs this, and has to come through to the socket.
        try #require(chmod(directory.path, 0o711) == 0)
        let result = try await Program.run(
            try BuiltPrograms.path("ghoststore-bench"),
            [
                "hostile", "half-frames", "half-large-frames", "--seconds", "0.5", "--directory", directory.path,
                "--daemon", try BuiltPrograms.path("ghoststored"),
            ])
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        let rows = result.output.split(separator: "\n").filter { $0.hasPrefix("| half") }
        #expect(rows.count == 2)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.filter { $0 != " " } }
            try #require(cells.count == 9)
            #expect(cells[6] == "0" && cells[7] == "0", "errors or lost connections: \(row)")
            #expect(cells[8].hasSuffix("MiB"), "\(row)")
        }
    }

    /// Numbers of one run and of another are compared by what the help says of them.
    @Test func `an attack begins with as many messages as its description says`() async throws {
        let bench = try BuiltPrograms.path("ghoststore-bench")
        let help = try await Program.run(bench, ["hostile", "--help"], environment: ["COLUMNS": "200"]).output
        let described = try #require(help.firstMatch(of: /filtered-lists: \d+ connections list ([\d,]+) messages/)).1
        try await withDaemonAndClient { daemon, client in
            let result = try await Program.run(
                bench, ["hostile-caller", "filtered-lists", "--socket", daemon.socketPath, "--seconds", "0.01"])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(try await client.statistics().messageCount == Int(described.filter { $0 != "," }))
        }
    }

    @Test func `connections beyond the descriptors there are do not keep the daemon busy`() async throws {
        try await withDaemon { daemon in
            let processID = try #require(daemon.processID)
            let first = try RawConnection(daemon.socketPath)
            let limited = try await Program.run("/usr/bin/prlimit", ["--pid", "\(processID)", "--nofile=48:48"])
            try #require(limited.exitCode == 0, "\(limited.errorOutput)")
            let connections = try (0..<100).map { _ in try RawConnection(daemon.socketPath) }
            try await Task.sleep(for: .milliseconds(200))
            let before = try daemon.processorTicks
            // A part of a second, in which there are 100 ticks.
            let hundredths = TestTier.count(40, long: 100)
            try await Task.sleep(for: .milliseconds(hundredths * 10))
            #expect(try daemon.processorTicks - before < hundredths * 3 / 10)
            withExtendedLifetime((first, connections)) {}
        }
    }

    /// As long as a passphrase becomes a key, and no longer; one at a time.
    @Test func `sealing message files takes the memory of one passphrase at most`() async throws {
        try await withDaemonAndClient { daemon, client in
            _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05s"), text: "text"))
            let path = try daemon.directory.write("some long words", to: "passphrase")
            let before = daemon.residentBytes
            let sealed = try await daemon.largestGrowth {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            let secret = try SecretInput(kind: .passphrase, file: path)
                            let export = try await client.beginBlobExport(
                                of: .sessionID("05s"), seal: .passphrase(secret, lowCost: false))
                            try await client.endBlobSession(export.session)
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(sealed.bytes > 48 << 20, "the derivation was not seen: \(sealed.bytes)")
            #expect(sealed.bytes < 80 << 20, "\(sealed.bytes >> 20) MiB more")
            #expect(daemon.residentBytes - before < 24 << 20)
        }
    }
}
