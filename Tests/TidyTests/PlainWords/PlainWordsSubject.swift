/// A kind of text whose share of hard sentences has a limit.
enum PlainWordsSubject: CaseIterable {
    case documents, help, messages, logLines, metrics, comments

    func count() throws -> PlainWordsCount {
        switch self {
        case .documents: try Self.countOfDocuments()
        case .help: try Self.count(of: .help)
        case .messages: try Self.count(of: .message)
        case .logLines: try Self.count(of: .logLine)
        case .metrics: try Self.count(of: .metric)
        case .comments: try Self.countOfComments()
        }
    }

    private static func countOfDocuments() throws -> PlainWordsCount {
        var count = PlainWordsCount()
        for path in try Repository.documents() where path != "CHANGELOG.md" {
            for sentence in Sentence.sentences(ofMarkdown: try Repository.text(path)) {
                count.add(sentence.text, path: path, line: sentence.line)
            }
        }
        return count
    }

    private static let texts = Result {
        try Repository.sources().flatMap { source in UserText.texts(in: source).map { (path: source.path, text: $0) } }
    }

    private static func count(of kind: UserText.Kind) throws -> PlainWordsCount {
        var count = PlainWordsCount()
        for (path, text) in try texts.get() where text.kind == kind {
            for sentence in Sentence.sentences(ofMarkdown: text.text) {
                count.add(sentence.text, path: path, line: text.line + sentence.line - 1)
            }
        }
        return count
    }

    private static func countOfComments() throws -> PlainWordsCount {
        var count = PlainWordsCount()
        for source in try Repository.sources() {
            for block in CommentBlock.blocks(of: source) { count.add(block.text, path: source.path, line: block.line) }
        }
        return count
    }
}

/// Consecutive lines that contain only comments. The words of such a block are counted as one sentence.
struct CommentBlock: Hashable {
    /// The number of the first line.
    var line: Int
    var text: String

    static func blocks(of source: SwiftSource) -> [CommentBlock] {
        var blocks: [CommentBlock] = []
        var next = 0
        for (index, line) in source.commentLines.enumerated() {
            guard line.holds("//"), source.codeLines[index].allSatisfy({ $0 == " " }) else { continue }
            let marked = line.drop { $0 == " " }
            guard marked.hasPrefix("//") else { continue }
            let text = marked.dropFirst(marked.hasPrefix("///") ? 3 : 2).trimmingPrefix(" ")
            if index == next, !blocks.isEmpty {
                blocks[blocks.count - 1].text += " " + text
            } else {
                blocks.append(CommentBlock(line: index + 1, text: String(text)))
            }
            next = index + 1
        }
        return blocks
    }
}
