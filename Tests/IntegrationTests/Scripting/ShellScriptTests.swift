import GhostTestSupport
import StoreClient
import Testing

/// A message that a shell saves with only socat and protoc is as durable as a client's.
@Suite(.oneAtATime) struct ShellScriptTests {
    @Test func `a message saved by the socat script survives kill -9`() async throws {
        try await withDaemon { daemon in
            let text = "from a shell: \"quoted\" and 👻"
            let result = try await Program.run(
                "\(BuiltPrograms.packageDirectory)/Examples/socat-save-and-read.sh", ["05script", text],
                environment: ["GHOSTSTORE_SOCKET": daemon.socketPath])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            try await daemon.restart()
            let client = try await daemon.connect()
            #expect(try await client.allMessages("05script").map(\.text) == [text])
            await client.close()
        }
    }
}
