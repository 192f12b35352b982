import FoundationEssentials
import GhostTestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct DocumentCommandTests {
    @Test(arguments: DocumentRun.all) func `every command of the document runs`(_ document: DocumentRun) async throws {
        try await withDaemon(.uninitialized) { daemon in
            let result = try await document.run(on: daemon)
            #expect(result.exitCode == 0, "\(result.errorOutput.suffix(2000))\n\(result.output.suffix(2000))")
            // protoc prints this when the response is an error.
            #expect(!result.output.contains("error {"), "\(result.output)")
        }
    }

    @Test func `every document with commands is run by a test`() throws {
        let root = BuiltPrograms.packageDirectory
        let folders = [
            "docs", "proto-docs", "systemd", "clients/python", "Examples", "Sources", "Tests", "Benchmarks", "debian",
            "config", "scripts",
        ]
        let below = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").map { "\(folder)/\($0)" }
        }
        let documents = try (below + FileManager.default.contentsOfDirectory(atPath: root)).filter { path in
            try path.hasSuffix(".md") && !Document.blocks("sh", of: path).isEmpty
        }
        #expect(documents.count > 10)
        let run = DocumentRun.all.map(\.path) + DocumentRun.runElsewhere.keys
        #expect(Set(documents) == Set(run))
    }

    private static let wrongCalls = [
        "make nothing", "make bench ARGUMENTS='save --nothing 1'", "apt install .build/deb/nothing_*.deb",
        "apt purge ghoststored", "sudo systemctl enable --now nothing.socket", "systemctl mask ghoststored.service",
        "systemd-tmpfiles --remove", "usermod --append --groups nobody alice", "gpasswd -a alice nobody",
        "journalctl -u ghoststored NOTHING=1", "journalctl MESSAGE_ID=00000000000000000000000000000000",
        "systemd-creds encrypt --name=nothing one two", "pip install ./nothing",
    ]

    @Test func `a command that names a missing target, package, unit, group or field fails`() async throws {
        let programs = String(try BuiltPrograms.path("ghoststored").dropLast("/ghoststored".count))
        let calls = Self.wrongCalls.map { call in
            "(\(call)) 2>/dev/null && echo \"passed: \(call)\""
        }
        let result = try await Program.run(
            "/bin/bash", ["-c", ([HostCommands.functions] + calls + ["echo end"]).joined(separator: "\n")],
            environment: ["REPO": BuiltPrograms.packageDirectory, "BIN": programs])
        #expect(result.output == "end\n", "\(result)")
    }
}
