import FoundationEssentials
import GhostTestSupport
import Testing

/// Checks the public names of all libraries together (docs/decisions/2026-11-22-names-of-the-libraries.md).
@Suite(.timeLimit(.minutes(2))) struct ProductNameTests {
    private static let libraries = [
        "StoreClient", "StoreClientTesting", "ConversationStorage", "AppendLog", "BlobStorage", "FileVault",
        "SceneStorage",
    ]

    /// Returns the lines of every source file of the libraries and of `StoreBasics`, which StoreClient exports.
    private static func lines() throws -> [Substring] {
        try (libraries + ["StoreBasics"]).flatMap { library in
            let folder = "Sources/\(library)"
            let files = try FileManager.default.subpathsOfDirectory(
                atPath: "\(BuiltPrograms.packageDirectory)/\(folder)")
            return try files.filter { $0.hasSuffix(".swift") }.sorted().flatMap { file in
                try Document.text("\(folder)/\(file)").split(separator: "\n")
            }
        }
    }

    @Test func `a file that imports all libraries and Foundation needs no qualified type names`() async throws {
        let names = try Self.lines().compactMap { line in
            line.firstMatch(of: /^public (?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/)?.1
        }
        #expect(names.count > 60 && names.contains("Message"), "the names are not found any more")
        let imports = (Self.libraries + ["Foundation"]).map { "import \($0)\n" }.joined()
        let uses = names.enumerated().map { number, name in "typealias Use\(number) = \(name)\n" }.joined()
        let (isCompiled, said) = try await LibraryUser().compile(imports + uses)
        #expect(isCompiled, "\(said.prefix(4000))")
    }

    @Test func `every count is an Int`() throws {
        let counts = try Self.lines().compactMap { line in
            line.firstMatch(of: /^ *public (?:var|let) (\w*[cC]ount): (?:FieldUpdate<)?(\w+)/)
        }
        #expect(counts.count > 10, "the counts are not found any more")
        for count in counts {
            #expect(count.2 == "Int", "\(count.1) is a \(count.2)")
        }
    }
}
