import GhostTestSupport
import Glibc
import StoreClient
import TestBasics
import Testing

/// Only one daemon at a time may use a state directory.
@Suite(.oneAtATime) struct SecondDaemonTests {
    @Test(arguments: [false, true])
    func `a second daemon on the same store exits with 69 and a reason, and the first one continues`(
        lockIsDeleted: Bool
    ) async throws {
        try await withDaemonAndClient { daemon, client in
            if lockIsDeleted {
                #expect(unlink("\(daemon.stateDirectory)/lock") == 0)
            }
            let second = try await Program.run(
                BuiltPrograms.path("ghoststored"),
                [
                    "--state-directory", daemon.stateDirectory, "--socket", daemon.directory.file("other"),
                    "--key-file", daemon.keyFilePath,
                ])
            #expect(second.exitCode == 69)
            #expect(second.errorOutput.contains("another"), "\(second.errorOutput)")
            let saved = try await client.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "a"))
            #expect(saved.createdCount >= 1)
        }
    }

    @Test func `a second daemon on a socket in use exits with 69 and does not replace the socket`() async throws {
        try await withDaemonAndClient { daemon, client in
            let second = try await Program.run(
                BuiltPrograms.path("ghoststored"),
                [
                    "--state-directory", daemon.directory.file("state2"), "--socket", daemon.socketPath,
                    "--key-file", daemon.keyFilePath, "--create",
                ])
            #expect(second.exitCode == 69)
            #expect(!second.errorOutput.isEmpty)
            let another = try await daemon.connect()
            #expect(try await another.status().processID == Int(daemon.processID ?? 0))
            await another.close()
            try await client.ping()
        }
    }
}
