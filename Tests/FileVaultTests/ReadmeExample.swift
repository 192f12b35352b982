import FileVault
import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileVaultReadmeTests {
    @Test func `the README's example loads the files that it saved`() async throws {
        try await withDaemonAndClient { _, store in
            let content = try await readmeExample(store: store)
            #expect(content == .string(encoding: .utf8, value: "hello"))
        }
    }

    /// The README's example, copied line by line. `ReadmeSwiftTests` compares the two.
    private func readmeExample(store: StoreClient) async throws -> FileEncodingValue {
        let vault = FileVault(client: store)
        let url = try vault.getFileURL(atPath: "notes/today.txt", withSearchPath: .directory(type: .document))
        try await vault.saveFile(
            atURL: url, withEncodingAndData: .string(encoding: .utf8, value: "hello"),
            includeIntermediateDirectories: true)
        let content = try await vault.readEntireFile(atURL: url, withEncoding: .string(encoding: .utf8))
        return content
    }
}
