import Testing

@Suite struct DocumentTests {
    static let required = [
        "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "Makefile", ".ci/run",
        "docs/ARCHITECTURE.md", "docs/operations.md", "docs/cli.md", "docs/ghoststored.md", "docs/performance.md",
        "docs/tutorial.md", "docs/comparison.md", "docs/alarms.md", "docs/upgrading.md", "docs/README.md",
        "docs/how-it-works.md", "docs/how-to-lose-data.md", "docs/troubleshooting.md", "docs/faq.md",
        "docs/glossary.md", "docs/libraries.md", "docs/testing.md", "docs/replication.md",
        "proto-docs/PROTOCOL.md", "proto-docs/ERRORS.md", "proto-docs/VECTORS.md", "proto-docs/KEYRING.md",
        "proto-docs/BACKUP.md", "proto-docs/STORE.md", "proto-docs/JOURNAL.md", "proto-docs/BLOBS.md",
        "proto-docs/SCRIPTING.md", "proto-docs/REPLICATION.md",
    ]

    static func all() throws -> [MarkdownFile] {
        let atRoot = required.filter { $0.hasSuffix(".md") && !$0.contains("/") }
        let below = try ["docs", "proto-docs", "Examples"].flatMap { try Repository.files(below: $0, suffix: ".md") }
        return try (atRoot + below).map { MarkdownFile(path: $0, text: try Repository.text($0)) }
    }

    @Test(arguments: required) func `every required document exists`(_ path: String) {
        #expect(Repository.exists(path))
    }

    @Test func `every relative link leads to a file and a heading`() throws {
        let findings = try Self.all().flatMap { file in
            try LinkRule.findings(file, exists: Repository.exists) { path in
                MarkdownFile(path: path, text: try Repository.text(path)).anchors
            }
        }
        expectNone(findings)
    }

    @Test func `every decision has a date in its name and is in the index`() throws {
        let index = try Repository.text("docs/decisions/README.md")
        let decisions = try Repository.files(below: "docs/decisions", suffix: ".md").filter {
            !$0.hasSuffix("README.md")
        }
        #expect(decisions.count > 5)
        for path in decisions {
            let name = String(path.dropFirst("docs/decisions/".count))
            #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\d-[a-z0-9-]+\.md/) != nil, "\(name) has no date")
            #expect(index.contains("(\(name))"), "\(name) is not in the index")
        }
    }

    @Test func `every make target that a document names exists`() throws {
        let makefile = try Repository.text("Makefile")
        let targets = Set(makefile.matches(of: /(?m)^([a-z-]+):/).map { String($0.1) })
        for file in try Self.all() where !file.path.hasPrefix("docs/decisions") {
            for match in try Repository.text(file.path).matches(of: /`make ([a-z-]+)/) {
                #expect(targets.contains(String(match.1)), "\(file.path) names `make \(match.1)`")
            }
        }
        #expect(targets.isSuperset(of: ["run", "test", "help"]))
    }

    @Test func `make help describes every target`() throws {
        let lines = try Repository.text("Makefile").split(separator: "\n").map(String.init)
        let targets = lines.compactMap { $0.firstMatch(of: /^\.PHONY: (.+)$/).map { String($0.1) } }
        #expect(targets.count > 15)
        for target in targets {
            let rule = lines.first { $0.hasPrefix(target + ":") }
            #expect(rule?.contains(" ## ") == true, "make \(target) is not explained")
        }
    }

    @Test func `a broken link and a missing heading are found, and a good link is not`() throws {
        let file = MarkdownFile(
            path: "docs/a.md",
            text: """
                [good](../README.md#quick-start) [gone](b.md) [no heading](../README.md#nowhere)
                [outside](https://example.org/x) `[code](c.md)`
                ```
                [fenced](d.md)
                ```
                """)
        let findings = LinkRule.findings(file, exists: { $0 == "README.md" }, anchors: { _ in ["quick-start"] })
        #expect(findings.map(\.message) == ["b.md does not exist", "../README.md#nowhere names no heading"])
    }

    @Test func `anchors are those that GitHub creates`() {
        let file = MarkdownFile(path: "a.md", text: "# Quick start\n## `make run`, twice\n```\n# not one\n```\n")
        #expect(file.anchors == ["quick-start", "make-run-twice"])
    }

    @Test func `fenced blocks are read by language`() {
        let file = MarkdownFile(path: "a.md", text: "```sh\na\nb\n```\ntext\n```swift\nc\n```\n```sh\nd\n```\n")
        #expect(file.blocks("sh") == ["a\nb\n", "d\n"])
        #expect(file.blocks("swift") == ["c\n"])
    }
}
