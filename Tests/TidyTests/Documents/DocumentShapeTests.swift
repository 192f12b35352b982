import Testing

@Suite struct DocumentShapeTests {
    private func findings(_ rule: (String, String) -> [Finding]) throws -> [Finding] {
        try Repository.documents().flatMap {
            rule(try Repository.text($0), $0)
        }
    }

    @Test func `no cell of a table has more than 20 words`() throws {
        expectNone(try findings { DocumentShapeRule.longCells($0, path: $1) })
    }

    @Test func `no paragraph has more than five sentences`() throws {
        expectNone(try findings { DocumentShapeRule.longParagraphs($0, path: $1) })
    }

    @Test func `no line of a document has more than 200 characters`() throws {
        expectNone(try findings { DocumentShapeRule.longLines($0, path: $1) })
    }

    @Test func `documents for newcomers and the unreleased changes are short`() throws {
        let readme = DocumentShapeRule.lineCount(try Repository.text("README.md"))
        #expect(readme <= DocumentShapeRule.readmeLinesMax, "README.md has \(readme) lines")
        let contributing = DocumentShapeRule.wordCount(try Repository.text("CONTRIBUTING.md"))
        #expect(contributing <= DocumentShapeRule.contributingWordsMax, "CONTRIBUTING.md has \(contributing) words")
        let architecture = DocumentShapeRule.wordCount(try Repository.text("docs/ARCHITECTURE.md"))
        #expect(
            architecture <= DocumentShapeRule.architectureWordsMax, "docs/ARCHITECTURE.md has \(architecture) words")
        let unreleased = DocumentShapeRule.unreleasedLineCount(try Repository.text("CHANGELOG.md")) ?? 0
        #expect(
            unreleased <= DocumentShapeRule.unreleasedLinesMax, "the unreleased changes have \(unreleased) lines")
    }

    @Test func `all documents are found, and nothing that a build writes`() throws {
        let documents = try Repository.documents()
        for path in ["README.md", "docs/cli.md", "docs/decisions/README.md", "systemd/README.md"] {
            #expect(documents.contains(path), "\(path)")
        }
        #expect(documents.allSatisfy { !$0.contains("/.") && !$0.hasPrefix(".") }, "\(documents)")
    }

    private static let twenty = Array(repeating: "word", count: 20).joined(separator: " ")

    @Test func `a cell of 21 words is found, and code in it is not counted`() {
        func lines(_ cell: String) -> [Int] {
            let table = "| a | b |\n|---|---|\n| x | \(cell) |\n"
            return DocumentShapeRule.longCells(table, path: "a.md").map(\.line)
        }
        #expect(lines(Self.twenty).isEmpty)
        #expect(lines(Self.twenty + " more") == [3])
        #expect(lines(Self.twenty + " \\| again") == [3])
        #expect(lines(Self.twenty + ", `more`, `words of code` – …").isEmpty)
    }

    @Test func `a paragraph of six sentences is found, alone or in a list`() {
        func lines(_ text: String) -> [Int] {
            DocumentShapeRule.longParagraphs(text, path: "a.md").map(\.line)
        }
        let five = "One is 1.5. Two!\nThree? **Four.** (Five.)"
        #expect(lines("# Head\n\n\(five)\n\nSix.\n").isEmpty)
        #expect(lines("# Head\n\n\(five)\nSix.\n") == [3])
        #expect(lines("- \(five)\n- Six.\n").isEmpty)
        #expect(lines("1. \(five)\n   Six.\n") == [1])
        #expect(lines("**Head.** \(five)\n").isEmpty)
        #expect(lines("```\n\(five)\nSix.\n```\n").isEmpty)
    }

    @Test func `a line of 201 characters is found, except in tables and code`() {
        func lines(_ text: String) -> [Int] { DocumentShapeRule.longLines(text, path: "a.md").map(\.line) }
        let long = String(repeating: "ä", count: 201)
        #expect(lines("\(long.dropLast())\n").isEmpty)
        #expect(lines("text\n\(long)\n") == [2])
        #expect(lines("|\(long)|\n\n```\n\(long)\n```\n\n    \(long)\n") == [7])
    }

    @Test func `lines, words and unreleased changes are counted`() {
        #expect(DocumentShapeRule.lineCount("a\n\nb\n") == 3 && DocumentShapeRule.lineCount("a\nb") == 2)
        #expect(DocumentShapeRule.wordCount("# A `b c`\n\n- d\n") == 6)
        let log = "# Changes\n\n## [Unreleased]\n\n- a\n### b\n- c\n\n## [0.1.0]\n- d\n"
        #expect(DocumentShapeRule.unreleasedLineCount(log) == 5)
        #expect(DocumentShapeRule.unreleasedLineCount("# Changes\n") == nil)
    }
}
