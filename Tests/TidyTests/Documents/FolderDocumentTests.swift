import Testing

@Suite struct FolderDocumentTests {
    /// Returns the paths of all READMEs in Sources.
    private static func documents() throws -> [String] {
        try Repository.files(below: "Sources", suffix: "README.md")
    }

    @Test func `each target and each room of the engine has a README`() throws {
        let targets = try Repository.folders(in: "Sources").map { "Sources/\($0)" }
        #expect(targets.count > 25)
        let rooms = try Repository.folders(in: "Sources/StoreEngine").map { "Sources/StoreEngine/\($0)" }
        let documents = Set(try Self.documents())
        for folder in targets + rooms {
            #expect(documents.contains(folder + "/README.md"), "\(folder) has no README.md")
        }
    }

    @Test func `a README of a folder has 10 to 30 lines and names only what exists`() throws {
        let modules = TargetGraphLaw.dependencies.values.reduce(Set(TargetGraphLaw.dependencies.keys)) { $0.union($1) }
        let rule = FolderDocumentRule(sources: try Repository.sources(), modules: modules, exists: Repository.exists)
        for path in try Self.documents() {
            let text = try Repository.text(path)
            let lines = DocumentShapeRule.lineCount(text)
            #expect(FolderDocumentRule.lineCounts.contains(lines), "\(path) has \(lines) lines")
            #expect(text.contains("**Must not know:**") && text.contains("**Start reading:**"), "\(path)")
            expectNone(rule.findings(text, path: path))
        }
    }

    /// SwiftPM warns about a file in a source folder if the manifest does not exclude the file, so the manifest must
    /// exclude each README.
    @Test func `the manifest names each folder that has a README`() throws {
        let manifest = try Repository.text("Package.swift")
        for path in try Self.documents() {
            let folders = path.split(separator: "/").dropFirst(2).dropLast()
            guard !folders.isEmpty else { continue }
            #expect(manifest.contains("\"\(folders.joined(separator: "/"))\""), "\(path) is not in documentedFolders")
        }
    }

    private static let files: Set = [
        "Sources/T/One", "Sources/T/One/Alpha.swift", "Sources/U", "docs/a.md", "Sources/T/Two", "Tests/X",
    ]

    private func findings(_ text: String) -> [Finding] {
        let source = SwiftSource(
            path: "Sources/T/One/Alpha.swift",
            text: "struct Alpha {\n    struct Inner {}\n    let part = 1\n}\nprivate enum Beta {}")
        let rule = FolderDocumentRule(sources: [source], modules: ["Module"], exists: Self.files.contains)
        return rule.findings(text, path: "Sources/T/One/README.md")
    }

    @Test(arguments: [
        "Alpha.swift", "One/Alpha.swift", "One/Alpha", "T/One/Alpha", "Sources/U", "docs/a.md", "Two", "Tests/X",
        "Alpha", "Alpha.part", "Alpha.Inner", "Module", "SELECT", "some words", "value", "Bet a",
    ])
    func `a name that exists, or that is neither path nor type, is accepted`(name: String) {
        #expect(findings("text `\(name)`").isEmpty)
    }

    @Test(arguments: [
        "Beta.swift", "One/Beta", "docs/b.md", "Missing", "Alpha.absent", "Beta", "Inner.part", "Two.part",
    ])
    func `a name that does not exist is found`(name: String) {
        #expect(findings("first\ntext `Alpha` and `\(name)`").map(\.line) == [2])
    }
}
