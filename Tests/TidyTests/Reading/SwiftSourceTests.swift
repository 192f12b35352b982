import Testing

@Suite struct SwiftSourceTests {
    @Test func `comments and string contents are not code`() {
        let source = SwiftSource(
            path: "x.swift",
            text: #"""
                let a = "// try! not a comment" // try! one
                /* try! /* nested */ still */ let b = 2
                let c = "x \(d ?? "inner") y"
                """#)
        #expect(source.codeLines[0].contains("let a = \""))
        #expect(!source.codeLines.joined().contains("try!"))
        #expect(source.commentLines[0].contains("// try! one"))
        #expect(source.codeLines[1].hasSuffix("let b = 2"))
        #expect(source.codeLines[2].contains("(d ?? \""))
        #expect(!source.codeLines[2].contains("inner"))
    }

    @Test func `raw and multi-line strings end where Swift ends them`() {
        let text = "let a = #\"quote \" inside\"#\nlet b = \"\"\"\n  try! \"x\"\n  \"\"\"\nlet c = 3"
        let source = SwiftSource(path: "x.swift", text: text)
        #expect(source.lines.count == source.codeLines.count)
        #expect(!source.codeLines.joined().contains("inside"))
        #expect(!source.codeLines.joined().contains("try!"))
        #expect(source.codeLines[4] == "let c = 3")
    }

    @Test func `the target is the folder below Sources or Tests`() {
        #expect(SwiftSource(path: "Sources/StoreEngine/Areas/Model/Message.swift", text: "").target == "StoreEngine")
        let bench = "Benchmarks/Sources/ghoststore-bench/Wire/FrameConnection.swift"
        #expect(SwiftSource(path: bench, text: "").target == "ghoststore-bench")
    }

    @Test func `words in backticks are not code, and a single backtick hides nothing`() {
        let source = SwiftSource(
            path: "a.swift", text: "func `a public try! name`() {}\nlet pattern = /`/\npublic let b = 2")
        #expect(source.codeLines[0] == "func `                  `() {}")
        #expect(source.codeLines[2] == "public let b = 2")
    }
}
