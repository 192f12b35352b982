import FoundationEssentials
import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// The start of the daemon: what the service manager passes to it, and what it logs.
@Suite(.oneAtATime) struct StartTests {
    @Test func `a daemon without a folder for its socket creates no state directory`() async throws {
        let folder = try TemporaryDirectory()
        let ended = try await Program.run(
            BuiltPrograms.path("ghoststored"),
            ["--state-directory", folder.file("state"), "--socket", folder.file("none/socket")])
        #expect(ended.exitCode == 73 && ended.errorOutput.contains("the socket's folder"), "\(ended)")
        #expect(try folder.names().isEmpty)
    }

    @Test func `a credential of the service manager creates the store and opens it later`() async throws {
        let daemon = try TestDaemon.prepare()
        try FileManager.default.createDirectory(
            atPath: daemon.directory.file("credentials"), withIntermediateDirectories: false)
        try daemon.directory.write([UInt8](repeating: 9, count: 32), to: "credentials/ghoststore-key")
        var options = TestDaemonOptions()
        options.usesKeyFile = false
        options.environment["CREDENTIALS_DIRECTORY"] = daemon.directory.file("credentials")
        try await daemon.startAgain(options)
        var client = try await daemon.connect()
        _ = try await client.saveMessage(NewMessage(id: "one", conversation: .sessionID("05one"), text: "one"))
        #expect(try await client.keySlots().map(\.kind) == [.credential])
        await client.close()
        try await daemon.terminate()

        options.createsStore = false
        try await daemon.startAgain(options)
        client = try await daemon.connect()
        #expect(try await client.message("one").text == "one")
        await client.close()
        try await daemon.terminate()

        options.environment = [:]
        try await daemon.startAgain(options)
        client = try await daemon.connect()
        #expect(try await client.status().storeState == .locked)
        await client.close()
        try await daemon.kill9()
    }

    @Test func `the log of a start contains the versions that status reports`() async throws {
        try await withDaemonAndClient { daemon, client in
            let status = try await client.status()
            for version in [
                status.serverVersion, status.sqlCipherVersion, status.sqliteVersion, status.libsodiumVersion,
            ] {
                #expect(!version.isEmpty && daemon.log.contains(version), "\(version) is not in the log")
            }
        }
    }
}
