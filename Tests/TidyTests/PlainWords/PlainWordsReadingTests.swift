import Testing

/// Tests that documents and sources are split into the sentences that a person reads.
@Suite struct PlainWordsReadingTests {
    @Test func `a document is split into the sentences of its paragraphs, items and cells`() {
        let text = """
            # A heading of four words

            The first line goes
            on here. And a second sentence; a part of it. No more.
            - an item that is
              continued on another line
            1. the first of two
            2. and the second one

            | a head of words | b |
            |---|:-:|
            | a cell \\| with words | `code` is also text |

            <picture>
            <img alt="a text that is not counted">
            </picture>
            ```
            code that is not read at all
            ```
            """
        let sentences = Sentence.sentences(ofMarkdown: text)
        #expect(
            sentences.map { "\($0.line) \($0.text)" } == [
                "3 The first line goes on here.", "3 And a second sentence;", "3 a part of it.",
                "5 an item that is continued on another line", "7 the first of two", "8 and the second one",
                "10 a head of words", "12 a cell | with words", "12 `code` is also text",
            ])
    }

    private func texts(_ source: String) -> [String] {
        UserText.texts(in: SwiftSource(path: "Sources/A/x.swift", text: source)).map {
            "\($0.kind) \($0.line) \($0.text)"
        }
    }

    @Test func `texts of the sources have a kind, a line and the words that people see`() {
        let source = #"""
            @Option(help: ArgumentHelp("A \"file\".", valueName: "file")) var file = "none"
            static let configuration = CommandConfiguration(
                commandName: "a", abstract: "List \(count("all")) of them, "
                    + "or none.\n")
            // a comment with "words"
            func run() {
                server.logger.info("it was \(made)", metadata: ["count": "\(count)"])
                throw StoreError(.busy, "the store is " + (isOpen ? "open" : "closed"))
                let raw = #"a "raw" \n"#, lines = """
                    one \
                    two
                    """
                database.run("SELECT a FROM b")
            }
            """#
        #expect(
            texts(source) == [
                "help 1 A \"file\".", "help 1 file", "message 1 none", "message 3 a",
                "help 3 List X of them, or none.\n", "message 3 all", "logLine 7 it was X", "message 7 count",
                "message 7 X", "message 8 the store is ", "message 8 open", "message 8 closed",
                "message 9 a \"raw\" \\n",
                "message 9 \n        one         two\n        ",
            ])
    }

    @Test func `texts in a folder Metrics are descriptions of metrics`() {
        let source = SwiftSource(path: "Sources/A/Metrics/x.swift", text: "text.family(\"a\", .gauge, \"Open now.\")")
        #expect(UserText.texts(in: source).map(\.kind) == [.metric, .metric])
    }

    @Test func `consecutive comment lines are one block, and comments beside code are left out`() {
        let text = """
            /// Returns the size.
            ///
            /// In bytes.
            func size() -> Int { // beside code
                // inside
                1
            }
            let text = \"\"\"
                // no comment
                \"\"\"
            //
            """
        let blocks = CommentBlock.blocks(of: SwiftSource(path: "Sources/A/x.swift", text: text))
        #expect(
            blocks == [
                CommentBlock(line: 1, text: "Returns the size.  In bytes."), CommentBlock(line: 5, text: "inside"),
                CommentBlock(line: 11, text: ""),
            ])
    }
}
