import FoundationEssentials
import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Links to the state directory, created by systemd from version 254 on or by operators.
@Suite(.oneAtATime) struct StateDirectoryLinkTests {
    /// Each case has the folder of the store and the links that lead to it. A link has its path and its target.
    @Test(arguments: [
        // systemd 254 and later creates this link if the folder of an earlier version exists.
        ([".config/state"], [("state", ".config/state")]),
        (
            [".config/ghoststore"],
            [(".local/state/ghoststore", "../../.config/ghoststore"), ("state", ".local/state/ghoststore")]
        ),
        // Links that an operator made to a folder on another disk, in one case through a second link.
        (["disk/store"], [("state", "/DIRECTORY/disk/./store/")]),
        (["disk/store"], [("link", "disk"), ("state", "link/../link//store")]),
    ])
    func `a link of the daemon's own user is followed and kept`(
        folders: [String], links: [(String, String)]
    ) async throws {
        let daemon = try TestDaemon.prepare()
        let store = daemon.directory.file(try #require(folders.first))
        try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
        try Array("log_level: info\n".utf8).withUnsafeBytes { bytes in
            let written = FileManager.default.createFile(atPath: store + "/ghoststored.yaml", contents: Data(bytes))
            try #require(written)
        }
        for (place, target) in links {
            let path = daemon.directory.file(place)
            let folder = path[..<(try #require(path.lastIndex(of: "/")))]
            try FileManager.default.createDirectory(atPath: String(folder), withIntermediateDirectories: true)
            let own = target.replacing("/DIRECTORY", with: daemon.directory.path)
            try #require(symlink(own, path) == 0)
        }
        for round in 1...2 {
            try await daemon.startAgain()
            let client = try await daemon.connect()
            _ = try await client.saveMessage(NewMessage(conversation: .sessionID("05one"), text: "round \(round)"))
            #expect(try await client.statistics().messageCount == round)
            await client.close()
            try await daemon.terminate()
        }
        #expect(FileManager.default.fileExists(atPath: store + "/store.db"))
        #expect(FileManager.default.fileExists(atPath: store + "/ghoststored.yaml"))
        var status = stat()
        #expect(lstat(daemon.stateDirectory, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(stat(store, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    /// Each case is a shell command that prepares the path of the state directory in the daemon's folder, and the
    /// expected error message.
    @Test(
        .enabled(if: geteuid() == 0, "gives links to another user"),
        arguments: [
            ("mkdir store; ln -s store state; chown -h 65534 state", "a link that belongs to another user"),
            (
                "mkdir -p store/state; ln -s store way; chown -h 65534 way; ln -s way/state state",
                "a link that belongs to another user"
            ),
            (
                "mkdir store; chown 65534 store; ln -s store state",
                "belongs to user 65534, but the daemon runs as user 0"
            ),
            ("touch store; ln -s store state", "the state directory is not a folder"),
            ("ln -s store state", "a link to a missing folder"),
            ("ln -s state state", "more than 40 links"),
        ])
    func `any other link is refused with an explanation, and nothing is created`(script: String, words: String)
        async throws
    {
        let daemon = try TestDaemon.prepare()
        let result = try await Program.shell("cd '\(daemon.directory.path)' && { \(script); }")
        try #require(result.exitCode == 0, "\(result.errorOutput)")
        let child = try daemon.launch()
        #expect(try await child.wait() == .exited(73))
        #expect(daemon.log.contains(words), "\(daemon.log)")
        #expect(daemon.log.contains("\(daemon.stateDirectory): "), "\(daemon.log)")
        #expect(
            try await Program.shell("find '\(daemon.directory.path)' -name 'store.db*' -o -name keyring").output == "")
    }

    @Test(arguments: [true, false])
    func `a state directory is created beyond a link in its path, unless another user owns the link`(isOwn: Bool)
        async throws
    {
        guard isOwn || geteuid() == 0 else { return }
        let daemon = try TestDaemon.prepare()
        let place = daemon.directory.path
        let owner = isOwn ? "true" : "chown -h 65534 '\(place)/way'"
        _ = try await Program.shell("mkdir '\(place)/disk'; ln -s disk '\(place)/way'; \(owner)")
        var options = TestDaemonOptions()
        options.moreArguments = ["--state-directory", place + "/way/store"]
        if isOwn {
            try await daemon.startAgain(options)
            try await daemon.terminate()
        } else {
            #expect(try await daemon.launch(options).wait() == .exited(73))
            #expect(daemon.log.contains("a link that belongs to another user"), "\(daemon.log)")
        }
        #expect(FileManager.default.fileExists(atPath: place + "/disk/store/store.db") == isOwn)
    }

    @Test func `links inside the state directory are refused`() async throws {
        try await withDaemonAndClient { daemon, client in
            let elsewhere = daemon.directory.file("elsewhere")
            try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
            try #require(symlink(elsewhere, daemon.stateDirectory + "/backups") == 0)
            let refused = await #expect(throws: StoreClientError.self) { _ = try await client.createBackup() }
            #expect(refused?.reason.rawValue == "STORAGE_FAILED")
            #expect(refused?.message.contains("is a link") == true, "\(String(describing: refused))")
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
        }
    }
}
