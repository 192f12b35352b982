import GhostTestSupport
import StoreClient
import TestBasics
import Testing

/// Tests that need socat, protoc and xxd, which `make test` installs.
@Suite struct ShellExampleTests {
    @Test func `a script that uses only socat and protoc saves a message and reads it back`() async throws {
        try await withDaemonAndClient { daemon, client in
            let text = "it's \"quoted\", back\\slashed, über 👻\tand ends"
            let result = try await Program.run(
                "\(BuiltPrograms.packageDirectory)/Examples/socat-save-and-read.sh", ["05shell", text],
                environment: ["GHOSTSTORE_SOCKET": daemon.socketPath])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(result.output.contains("message {"))
            let page = try await client.messagePage(MessageQuery(conversation: .sessionID("05shell")))
            #expect(page.messages.map(\.text) == [text])
        }
    }

    @Test func `the script fails if the daemon returns an error`() async throws {
        try await withDaemon(.uninitialized) { daemon in
            let result = try await Program.run(
                "\(BuiltPrograms.packageDirectory)/Examples/socat-save-and-read.sh",
                environment: ["GHOSTSTORE_SOCKET": daemon.socketPath])
            #expect(result.exitCode == 1)
            #expect(result.errorOutput.contains("STORE_ABSENT"))
        }
    }

    @Test func `every block of the scripting cookbook runs in a POSIX shell as documented`() async throws {
        let blocks = try Document.blocks("sh", of: "proto-docs/SCRIPTING.md").filter { !$0.hasPrefix("export ") }
        #expect(blocks.count > 8)
        let script = (["set -eu", "cd '\(BuiltPrograms.packageDirectory)'"] + blocks).joined(separator: "\n")
        try await withDaemonAndClient { daemon, client in
            let path = try daemon.directory.write(Array(script.utf8), to: "cookbook.sh")
            let result = try await Program.run(
                "/bin/sh", [path], environment: ["GHOSTSTORE_SOCKET": daemon.socketPath])
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            let promised = [
                "store_state: STORE_STATE_OPEN", "hello from a shell", "is_replayed: true", "statistics {",
                "conversations {", "a \"quote\", 100% über", "text: \"mended\"", "deleted_count: 1",
                "watch_event {", "reason: \"MESSAGE_NOT_FOUND\"",
            ]
            for text in promised {
                #expect(result.output.contains(text), "no '\(text)' in: \(result.output)")
            }
            let once = try await client.messagePage(MessageQuery(conversation: .sessionID("05bob")))
            #expect(once.messages.map(\.text) == ["once"])
        }
    }

    @Test
    func `the demonstration of make run succeeds twice on the same store`() async throws {
        let place = try TemporaryDirectory()
        let programs = try BuiltPrograms.path("ghoststored").dropLast("/ghoststored".count)
        for _ in 1...2 {
            let result = try await Program.run(
                "\(BuiltPrograms.packageDirectory)/scripts/run-demo",
                environment: ["BIN": String(programs), "PLACE": place.path], within: .seconds(120))
            #expect(result.exitCode == 0, "\(result.errorOutput)")
            #expect(result.output.contains("stopping the daemon"))
            #expect(result.output.contains("message {"))
        }
    }
}
