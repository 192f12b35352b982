import GhostTestSupport
import StoreClient
import Testing

@Suite struct ReadmeSwiftTests {
    @Test func `the example saves a message and reads it back`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await readmeExample(socketPath: daemon.socketPath)
            let page = try await client.messagePage(MessageQuery(conversation: .sessionID("05alice")))
            #expect(page.messages.map(\.text) == ["hello"])
        }
    }

    /// The documents with Swift code. For each block, the file at the same position compiles and runs a copy of the
    /// block.
    private static let examples = [
        "README.md": ["Tests/ExampleTests/ReadmeExample.swift"],
        "docs/libraries.md": [
            "Tests/ExampleTests/TemporaryStoreExample.swift",
            "Tests/ConversationStorageTests/ConversationExampleTests.swift",
            "Tests/SceneStorageMacrosTests/Example/DocumentedExample.swift",
            "Tests/AppendLogTests/ReadmeExample.swift",
            "Tests/BlobStorageTests/ReadmeExample.swift",
            "Tests/FileVaultTests/ReadmeExample.swift",
        ],
    ]

    @Test(arguments: ["README.md", "docs/libraries.md"])
    func `every block of Swift is compiled, line by line`(_ document: String) throws {
        let blocks = try Document.blocks("swift", of: document)
        let files = try #require(Self.examples[document])
        #expect(blocks.count == files.count)
        for (block, path) in zip(blocks, files) {
            let shown = Self.lines(
                block.replacing("withStoreClient {", with: "withStoreClient(to: socketPath) {")
                    .replacing("StorageManager()", with: "StorageManager(socketPath: daemon.socketPath)"))
            let compiled = Self.lines(try Document.text(path))
            let imports = Set(compiled.filter { $0.hasPrefix("import ") })
            var rest = compiled[...]
            for line in shown {
                if line.hasPrefix("import ") {
                    #expect(imports.contains(line), "\(path) lacks '\(line)'")
                } else {
                    let place = try #require(rest.firstIndex(of: line), "\(path) lacks '\(line)', or has it earlier")
                    rest = rest[(place + 1)...]
                }
            }
            #expect(shown.count >= 4)
        }
    }

    /// Returns the lines of `text` without indentation, comments and empty lines.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
            String(line.drop { $0 == " " }.replacing(/\s*\/\/.*$/, with: ""))
        }.filter { !$0.isEmpty }
    }
}
