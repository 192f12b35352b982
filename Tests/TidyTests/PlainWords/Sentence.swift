/// Sentences, as the rule of plain words counts them.
enum Sentence {
    /// Sentences and clauses of fewer words are not counted: most are names and values.
    static let wordsMin = 4

    struct Place: Hashable {
        var line: Int
        var text: String
    }

    /// Returns the sentences of a Markdown text, of paragraphs, list items and cells. Headings and code have none.
    static func sentences(ofMarkdown text: String) -> [Place] {
        MarkdownBlock.blocks(of: text).flatMap { block -> [Place] in
            let texts =
                switch block.kind {
                case .paragraph: [block.text]
                case .row: block.cells
                case .heading, .html, .code: [String]()
                }
            return texts.flatMap(sentences).map { Place(line: block.line, text: $0) }
        }
    }

    /// Splits a text after each full stop, mark, colon or semicolon before white space.
    static func sentences(of text: String) -> [String] {
        var sentences: [[Substring]] = [[]]
        for word in text.split(whereSeparator: \.isWhitespace) {
            sentences[sentences.count - 1].append(word)
            if let last = word.last, ".!?:;".contains(last) { sentences.append([]) }
        }
        return sentences.filter { $0.count >= wordsMin }.map { $0.joined(separator: " ") }
    }

    /// Returns the number of sentences of a paragraph. A bold beginning is its heading.
    static func count(in paragraph: String) -> Int {
        let text = paragraph.replacing(/^\*\*[^*]+\*\*/, with: "", maxReplacements: 1)
        return text.split(whereSeparator: \.isWhitespace).count {
            $0.reversed().first { !")\"*_`".contains($0) }.map { ".!?".contains($0) } ?? false
        }
    }
}
