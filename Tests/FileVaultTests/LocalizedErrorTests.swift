import FileVault
import Foundation
import GhostTestSupport
import StoreClient
import Testing

@Suite struct LocalizedErrorTests {
    /// The test converts each error to `any Error`, the type of the error in a `catch` without a pattern.
    @Test func `localizedDescription equals description`() {
        let inner = StoreClientError(code: .unavailable, reason: .storeBusy, message: "busy", isRetryable: true)
        #expect((inner as any Error).localizedDescription == inner.description)
        let errors: [FileVaultError] = [
            .notEmpty, .alreadyExists, .missingParentFolder, .fileNotFound(atPath: "p"),
            .directoryNotFound(atPath: "p"), .cantCreateURL(forPath: "p"), .cantDecodeData(usingEncoding: .ascii),
            .cantEncodeData(usingEncoding: .utf8), .notAbleToReadFile, .failed(inner),
        ]
        for error in errors {
            #expect((error as any Error).localizedDescription == error.description)
        }
    }

    @Test func `every public error of the libraries is a LocalizedError`() throws {
        var names: Set<String> = []
        for library in ["StoreClient", "FileVault", "ConversationStorage", "AppendLog", "BlobStorage", "SceneStorage"] {
            let folder = "\(BuiltPrograms.packageDirectory)/Sources/\(library)"
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
                let source = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
                for match in source.matches(of: /public (?:enum|struct|final class) (\w+): (?:\w+, )*Error\b/) {
                    names.insert(String(match.1))
                    #expect(
                        source.contains("extension \(match.1): CustomStringConvertible, LocalizedError"), "\(match.1)")
                }
            }
        }
        #expect(names == ["StoreClientError", "FileVaultError", "StorageError", "AppendLogError"])
    }
}
