import GhostTestSupport
import StoreClient
import Testing

@Suite("The README's Swift")
struct ReadmeSwiftTests {
    @Test("the example saves a message and reads it back")
    func exampleRuns() async throws {
        try await withDaemonAndClient { daemon, client in
            try await readmeExample(socketPath: daemon.socketPath)
            let page = try await client.messages(MessageQuery(conversation: .sessionID("05alice")))
            #expect(page.messages.map(\.text) == ["hello"])
        }
    }

    @Test("what runs here is what the README shows")
    func exampleIsTheReadmes() throws {
        let block = try #require(try Document.blocks("swift", of: "README.md").first)
        let shown = block.replacing("\"/run/ghoststore/socket\"", with: "socketPath")
            .split(separator: "\n").map { "    " + $0 }
        let compiled = try Document.text("Tests/ExampleTests/ReadmeExample.swift").split(separator: "\n").map(
            String.init)
        #expect(shown.count >= 5)
        #expect(compiled.contains { $0 == shown.first })
        let start = compiled.firstIndex { $0 == shown.first } ?? 0
        #expect(Array(compiled[start...].prefix(shown.count)) == shown)
    }
}
