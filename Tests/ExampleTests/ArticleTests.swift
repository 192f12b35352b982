import FoundationEssentials
import GhostTestSupport
import Testing

/// Compiles the Swift code in the articles of the libraries' documentation, in one file that imports all libraries and
/// Foundation. `make test` skips the articles with macros, because only `make test-macros` builds the macros.
@Suite(.timeLimit(.minutes(2))) struct ArticleTests {
    @Test func `the Swift of every article compiles`() async throws {
        let user = try LibraryUser()
        let articles = try Self.articles().filter { try user.hasMacros || !Self.hasMacros($0) }
        #expect(articles.count >= (user.hasMacros ? 18 : 16))
        var imports: Set<String> = []
        var functions = ""
        for path in articles {
            let body = try Self.code(of: path, imports: &imports)
            functions += "func article\(functions.utf8.count)(store: StoreClient) async throws {\n\(body)}\n"
        }
        #expect(imports.contains("import Foundation") && imports.count == (user.hasMacros ? 9 : 7))
        let source = imports.sorted().joined(separator: "\n") + "\n" + functions
        let (isCompiled, said) = try await user.compile(source)
        #expect(isCompiled, "\(said.prefix(4000))")
    }

    private static func hasMacros(_ article: String) throws -> Bool {
        try Document.text(article).contains("import SceneStorageMacros")
    }

    /// Returns the path of every page of every documentation catalog, relative to the repository.
    private static func articles() throws -> [String] {
        let sources = "\(BuiltPrograms.packageDirectory)/Sources"
        return try FileManager.default.contentsOfDirectory(atPath: sources).sorted().flatMap { target in
            let catalog = "Sources/\(target)/\(target).docc"
            let files = try? FileManager.default.contentsOfDirectory(
                atPath: "\(BuiltPrograms.packageDirectory)/\(catalog)")
            return (files ?? []).sorted().map { "\(catalog)/\($0)" }
        }
    }

    /// Returns the Swift code of a page without its imports. Line markers make the compiler report the page and its
    /// lines.
    private static func code(of path: String, imports: inout Set<String>) throws -> String {
        var code = ""
        var isInside = false
        let lines = try Document.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if isInside, line.hasPrefix("import ") {
                imports.insert(String(line))
            } else if line == "```swift" {
                isInside = true
                code += "#sourceLocation(file: \"\(path)\", line: \(index + 2))\n"
            } else if line == "```" {
                isInside = false
            } else if isInside {
                code += line + "\n"
            }
        }
        return code
    }
}
