import Testing

@Suite struct DialectTests {
    private func lines(_ rule: (SwiftSource) -> [Finding], _ text: String) -> [Int] {
        rule(SwiftSource(path: "x.swift", text: text)).map(\.line)
    }

    @Test func `sources and tests follow the rules of the dialect`() throws {
        expectNone(try (Repository.sources() + Repository.tests()).flatMap(DialectRules.all))
    }

    @Test(arguments: [
        "@Test(\"a name\") func `a name`() {}", "@Test(\n    \"a name\", arguments: [1])\nfunc a(b: Int) {}",
        "@Test func camelCase() {}", "@Test func fields() {}", "@Test(arguments: [1])\nfunc camelCase(a: Int) {}",
        "@Suite(\"A name\") struct A {}", "@Suite(#\"A name\"#)\nstruct A {}",
    ])
    func `a display name and a test function not named in words are found`(text: String) {
        #expect(lines(DialectRules.testNames, text) == [1])
    }

    @Test(arguments: [
        "@Test func `a log is full`() {}", "@Test(arguments: [\"a\", \"b\"])\nfunc `a text`(text: String) {}",
        "@Suite struct ATests {}", "@Suite(.serialized) struct ATests {}", "// @Test(\"x\") func camelCase()",
        "let a = \"@Test func camelCase()\"", "func camelCase() {}",
        "@Test(.enabled(if: a, \"reason\")) func `a b`() {}",
    ])
    func `a test function named in words is not found`(text: String) {
        #expect(lines(DialectRules.testNames, text).isEmpty)
    }

    @Test func `an import that says internal is found`() {
        let text =
            "import A\ninternal import B\n@preconcurrency internal import C\npackage import D\n// internal import E"
        #expect(lines(DialectRules.imports, text) == [2, 3])
    }

    @Test func `a mark with a dash is found`() {
        let text = ["// MARK: ", "// MARK: - ", "let a = \"// MARK: - \""].joined(separator: "Calls\n")
        #expect(lines(DialectRules.marks, text) == [2])
    }

    @Test(arguments: [
        "    guard a else {\n        return\n    }", "guard let a,\n    let b\nelse {\n    throw .failed(\"{\")\n}",
    ])
    func `a guard on three lines is found`(text: String) {
        #expect(lines(DialectRules.guards, text).count == 1)
    }

    @Test func `a guard that does not fit its line, or does more, is not found`() {
        let long = String(repeating: "a", count: 100)
        for text in [
            "guard a else { return }", "guard \(long) else {\n    return false\n}",
            "guard a else {\n    b()\n    return\n}", "guard a else {\n    // Why.\n    return\n}",
            "guard a else {\n    return  // Why.\n}",
            "guard a else {\n    return b {\n    }\n}", "if a {\n} else {\n    b()\n}", "if a { } else {\n    b()\n}",
        ] {
            #expect(lines(DialectRules.guards, text).isEmpty, "\(text)")
        }
    }

    @Test func `a guard that just fits is found`() {
        let condition = String(repeating: "a", count: LengthRules.lineColumnsMax - "guard  else { return }".count)
        #expect(lines(DialectRules.guards, "guard \(condition) else {\n    return\n}") == [1])
        #expect(lines(DialectRules.guards, "guard a\(condition) else {\n    return\n}").isEmpty)
    }

    @Test func `nil without backticks is found in doc comments`() {
        let text = [
            "/// The value, or nil.", "/// The value; `nil` when there is none.", "// nil in a plain comment",
            "/// `a` is nil, `b` not", "/// vanilla, nil-like, `a == nil`", "/// ```", "/// let a = nil", "/// ```",
            "///     let a = nil",
        ]
        #expect(lines(DialectRules.bareNil, text.joined(separator: "\n")) == [1, 4])
    }
}
