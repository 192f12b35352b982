import FileVault
import Foundation
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Names of files in the vault are data: whatever names clients use, the daemon touches only its own files.
@Suite(.timeLimit(.minutes(1))) struct HostFolderTests {
    private static let strace = "/usr/bin/strace"
    private static let mark = "marked-by-the-test"

    /// Valid names. Each contains `mark`, and a directory lists it unchanged.
    private static let names = [
        "~\(mark)", "\(mark)\\..\\x", "CON\(mark)", "\(mark).lnk", "\(mark):stream", "-\(mark)", "$(\(mark))",
        "\(mark)\n", "\(mark) ", "\(mark).", "\u{202e}\(mark)", "é\(mark)", "e\u{301}\(mark)", mark.uppercased(), mark,
        "...\(mark)", "\(mark)%2e%2e", "\(mark)*?", "\u{301}\(mark)", mark + String(repeating: "n", count: 200),
    ]
    /// Names that would lead outside the vault, or that no path can contain.
    private static let refused = [
        "../\(mark)", "a/../../\(mark)", "\(mark)/../../../../../../etc/passwd", "\(mark)\u{0}",
    ]

    @Test func `every valid name is listed unchanged, and a name that leads outside is rejected`() async throws {
        try await withDaemonAndClient { _, client in
            try await Self.useEveryName(FileVault(client: client))
        }
    }

    /// A client that speaks the protocol directly can send paths that `FileVault` would not send.
    @Test func `an invalid path is rejected by every call, and creates nothing`() async throws {
        try await withDaemonAndClient { _, client in
            try await Self.useEveryBadPath(client)
            for area in VaultArea.allCases {
                #expect(try await client.vaultItems(in: VaultPath(area)).collect().map(\.name) == ["there"])
            }
        }
    }

    @Test(
        .enabled(
            if: access(strace, X_OK) == 0 && geteuid() == 0,
            "strace is not there or this user may not attach it; hint: apt-get install strace, as root"))
    func `no system call of the daemon contains a name from the vault or a path outside`() async throws {
        try await withDaemonAndClient { daemon, client in
            let trace = daemon.directory.file("trace")
            let process = try #require(daemon.processID)
            let tracing = try RunningProgram(
                Self.strace, ["-f", "-y", "-e", "trace=%file", "-s", "4096", "-o", trace, "-p", "\(process)"])
            try await eventually("strace is attached") { tracing.errorOutput.contains("attached") }
            try await Self.useEveryName(FileVault(client: client))
            try await Self.useEveryBadPath(client)
            try await Self.useOtherNames(client)
            // Creates an entry in the trace. Without it, an empty trace could also mean that strace recorded nothing.
            _ = try await client.createBackup()
            tracing.signal(SIGINT)
            _ = try await tracing.wait()
            let calls = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(calls.contains { $0.contains("backups") }, "the trace shows nothing")
            #expect(calls.filter { $0.lowercased().contains(Self.mark) } == [])
            let touched = calls.filter { $0.contains("(") && !$0.contains(" resumed>") }
            #expect(touched.filter { !Self.staysInside($0, daemon.stateDirectory) } == [])
        }
    }

    /// Returns whether all paths of a system call, and the folders that relative paths start in, are in the state
    /// directory. A relative path that starts in an open folder has neither a slash nor `..`.
    private static func staysInside(_ call: String, _ stateDirectory: String) -> Bool {
        let arguments = call[(call.firstIndex(of: "(") ?? call.startIndex)...]
        let parts = arguments.split(separator: "\"", omittingEmptySubsequences: false)
        let paths = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        let folders = parts.joined().matches(of: #/[(\s]\d+<([^>]*)>/#).map(\.output.1)
        func isInside(_ path: Substring) -> Bool {
            guard !path.hasSuffix("/..") else { return path.hasPrefix(stateDirectory + "/") }
            return path == stateDirectory || path.hasPrefix(stateDirectory + "/")
        }
        return folders.allSatisfy(isInside)
            && paths.allSatisfy { path in
                guard !path.hasPrefix("/") else { return isInside(path) }
                return !folders.isEmpty && !path.contains("/") && !path.hasPrefix(".")
            }
    }

    private static func useEveryBadPath(_ client: StoreClient) async throws {
        let paths = [
            "..", ".", "../\(mark)", "\(mark)/..", "\(mark)/../\(mark)", "./\(mark)", "\(mark)/./x", "\(mark)\u{0}",
            "\u{0}",
            String(repeating: "\(mark)/", count: 200), mark + String(repeating: "n", count: 300),
            "\(mark)/" + String(repeating: "x", count: 5_000),
        ]
        for area in VaultArea.allCases {
            let there = VaultPath(area, "there")
            try await client.saveFile([1], at: there)
            for path in paths.map({ VaultPath(area, $0) }) {
                await expectRefused(path.subpath) { try await client.saveFile([1], at: path, createsParents: true) }
                await expectRefused(path.subpath) { try await client.appendFile([1], at: path, createsParents: true) }
                await expectRefused(path.subpath) {
                    _ = try await client.beginFileWrite(at: path, createsParents: true)
                }
                await expectRefused(path.subpath) { _ = try await client.readFile(at: path) }
                await expectRefused(path.subpath) { try await client.deleteFile(at: path) }
                await expectRefused(path.subpath) { try await client.moveFile(from: there, to: path) }
                await expectRefused(path.subpath) { try await client.moveFile(from: path, to: there) }
                await expectRefused(path.subpath) { try await client.copyFile(from: there, to: path) }
                await expectRefused(path.subpath) { try await client.copyFile(from: path, to: there) }
                await expectRefused(path.subpath) { try await client.createDirectory(at: path, createsParents: true) }
                await expectRefused(path.subpath) { try await client.removeDirectory(at: path, withChildren: true) }
                await expectRefused(path.subpath) { _ = try await client.vaultItemPage(in: path) }
                await expectRefused(path.subpath) { _ = try await client.vaultItem(at: path) }
            }
        }
    }

    private static func expectRefused(_ what: String, _ body: () async throws -> Void) async {
        let error = await #expect(throws: StoreClientError.self, "\(what)") { try await body() }
        #expect(error?.reason == .invalidArgument, "\(what)")
    }

    /// Uses names in the calls for backups, logs, scenes, contacts, messages and attachments.
    private static func useOtherNames(_ client: StoreClient) async throws {
        for name in ["/etc/\(mark)", "../../\(mark)", "\(mark)/../../x", mark, "\(mark)\u{0}"] {
            for use in [
                { try await client.deleteBackup(name) }, { _ = try await client.verifyBackup(name) },
                { _ = try await client.readBackup(name, offset: 0, length: 10) },
            ] as [() async throws -> Void] {
                await #expect(throws: StoreClientError.self, "\(name)") { try await use() }
            }
            _ = try? await client.openLog(name, LogConfiguration(maximumBytes: 1_000, overwritesOldest: true))
            _ = try? await client.setSceneValues(name, [.set(name, .string(name))])
            _ = try? await client.saveContact(ContactUpdate(sessionID: name, displayName: .set(name)))
            let attachment = NewAttachment(
                .bytes([UInt8](repeating: 7, count: 70_000)), name: name, mimeType: "image/\(mark)", source: name)
            _ = try? await client.saveMessage(
                NewMessage(
                    conversation: .sessionID(name), text: name, attachmentURL: "file:///etc/\(mark)",
                    attachments: [attachment]))
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
