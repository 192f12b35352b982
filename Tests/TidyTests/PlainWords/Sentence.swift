/// Functions that split texts into the sentences and clauses which the rule of plain words counts.
enum Sentence {
    /// The smallest number of words of a counted sentence. Shorter ones are mostly names and values.
    static let wordsMin = 4

    struct Place: Hashable {
        var line: Int
        var text: String
    }

    /// Returns the sentences of the paragraphs, list items and cells of a Markdown text. Headings and code are left
    /// out.
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

    /// Splits a text at white space after a full stop, an exclamation or question mark, a colon or a semicolon.
    static func sentences(of text: String) -> [String] {
        var sentences: [[Substring]] = [[]]
        for word in text.split(whereSeparator: \.isWhitespace) {
            sentences[sentences.count - 1].append(word)
            if let last = word.last, ".!?:;".contains(last) { sentences.append([]) }
        }
        return sentences.filter { $0.count >= wordsMin }.map { $0.joined(separator: " ") }
    }

    /// Returns the number of sentences in a paragraph. A bold beginning does not count, because it is a heading.
    static func count(in paragraph: String) -> Int {
        let text = paragraph.replacing(/^\*\*[^*]+\*\*/, with: "", maxReplacements: 1)
        return text.split(whereSeparator: \.isWhitespace).count {
            $0.reversed().first { !")\"*_`".contains($0) }.map { ".!?".contains($0) } ?? false
        }
    }
}
