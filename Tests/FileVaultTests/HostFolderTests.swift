import FileVault
import Foundation
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Paths of the vault are data: whatever they are called, the daemon touches nothing but its own files.
@Suite(.timeLimit(.minutes(1))) struct HostFolderTests {
    private static let strace = "/usr/bin/strace"
    private static let mark = "marked-by-the-test"

    /// Each holds `mark`, and comes back from a directory as it was.
    private static let names = [
        "~\(mark)", "\(mark)\\..\\x", "CON\(mark)", "\(mark).lnk", "\(mark):stream", "-\(mark)", "$(\(mark))",
        "\(mark)\n", "\(mark) ", "\(mark).", "\u{202e}\(mark)", "é\(mark)", "e\u{301}\(mark)", mark.uppercased(), mark,
        "...\(mark)", "\(mark)%2e%2e", "\(mark)*?", "\u{301}\(mark)", mark + String(repeating: "n", count: 200),
    ]
    /// What leads out of the vault, or to nowhere.
    private static let refused = [
        "../\(mark)", "a/../../\(mark)", "\(mark)/../../../../../../etc/passwd", "\(mark)\u{0}",
    ]

    @Test func `every name is its own and comes back, and what leads out is refused`() async throws {
        try await withDaemonAndClient { _, client in
            try await Self.useEveryName(FileVault(client: client))
        }
    }

    @Test(.enabled(if: access(strace, X_OK) == 0, "strace is not there; hint: apt-get install strace"))
    func `no system call of the daemon names a path of the vault`() async throws {
        try await withDaemonAndClient { daemon, client in
            let trace = daemon.directory.file("trace")
            let process = try #require(daemon.processID)
            let tracing = try RunningProgram(
                Self.strace, ["-f", "-e", "trace=%file", "-s", "4096", "-o", trace, "-p", "\(process)"])
            try await eventually("strace is attached") { tracing.errorOutput.contains("attached") }
            try await Self.useEveryName(FileVault(client: client))
            // Something that is in the trace, so that an empty one is told from a quiet daemon.
            _ = try await client.createBackup()
            tracing.signal(SIGINT)
            _ = try await tracing.wait()
            let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
            #expect(calls.contains { $0.contains("backups") }, "the trace shows nothing")
            #expect(calls.filter { $0.lowercased().contains(Self.mark) } == [])
        }
    }

    private static func useEveryName(_ vault: FileVault) async throws {
        for type in DirectoryType.allCases {
            let place = FileSearchPath.directory(type: type)
            let top = try vault.getFileURL(atPath: "", withSearchPath: place)
            for name in names {
                let url = try vault.getFileURL(atPath: name, withSearchPath: place)
                try await vault.saveFile(
                    atURL: url, withEncodingAndData: .string(encoding: .utf8, value: name),
                    includeIntermediateDirectories: false)
                let read = try await vault.readEntireFile(atURL: url, withEncoding: .string(encoding: .utf8))
                #expect(read == .string(encoding: .utf8, value: name))
            }
            #expect(try await vault.listDirectory(atURL: top).count == names.count)
            for path in refused {
                #expect(throws: FileVaultError.cantCreateURL(forPath: path)) {
                    _ = try vault.getFileURL(atPath: path, withSearchPath: place)
                }
            }
            for path in [String(repeating: "n", count: 256), String(repeating: "d/", count: 129)] {
                let url = try vault.getFileURL(atPath: mark + "d/" + path, withSearchPath: place)
                let error = await #expect(throws: FileVaultError.self) {
                    try await vault.createDirectory(atURL: url, includeIntermediateDirectories: true)
                }
                #expect(error?.storeError?.reason == .invalidArgument)
            }
            let deep = try vault.getFileURL(
                atPath: mark + "/" + String(repeating: "d/", count: 127), withSearchPath: place)
            try await vault.deleteFile(atURL: vault.getFileURL(atPath: mark, withSearchPath: place))
            try await vault.createDirectory(atURL: deep, includeIntermediateDirectories: true)
            #expect(try await vault.getItemAttributes(atURL: deep).type == .directory)
        }
    }
}
