/// The bounds that keep a document readable: cells, paragraphs and lines, and some documents as a whole.
enum DocumentShapeRule {
    static let cellWordsMax = 20
    static let paragraphSentencesMax = 5
    static let lineCharactersMax = 200
    static let readmeLinesMax = 120
    static let contributingWordsMax = 900
    static let architectureWordsMax = 1_200
    static let unreleasedLinesMax = 80

    /// Returns a finding for each cell of a table that has too many words. Words in backquotes are not counted, because
    /// readers search a list of names for one name and do not read all of the list.
    static func longCells(_ text: String, path: String) -> [Finding] {
        MarkdownBlock.blocks(of: text).filter { $0.kind == .row }.flatMap { row in
            row.cells.compactMap { cell in
                let words = cell.replacing(/`[^`]*`/, with: " ").split(separator: " ")
                    .count { $0.contains { $0.isLetter || $0.isNumber } }
                guard words > cellWordsMax else { return nil }
                return Finding(
                    path: path, line: row.line, message: "a cell of \(words) words; write prose: \(cell.prefix(60))")
            }
        }
    }

    /// Returns a finding for each paragraph or item of a list that is too long.
    static func longParagraphs(_ text: String, path: String) -> [Finding] {
        MarkdownBlock.blocks(of: text).filter { $0.kind == .paragraph }.compactMap { paragraph in
            let sentences = Sentence.count(in: paragraph.text)
            guard sentences > paragraphSentencesMax else { return nil }
            return Finding(
                path: path, line: paragraph.line,
                message: "a paragraph of \(sentences) sentences; split it: \(paragraph.text.prefix(60))")
        }
    }

    /// Returns a finding for each line that is too long. Rows of tables and lines of code cannot be wrapped.
    static func longLines(_ text: String, path: String) -> [Finding] {
        let exempt = Set(MarkdownBlock.blocks(of: text).filter { $0.kind == .row || $0.kind == .code }.map(\.line))
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.utf8.count > lineCharactersMax, line.count > lineCharactersMax, !exempt.contains(index + 1)
            else { return nil }
            return Finding(path: path, line: index + 1, message: "\(line.count) characters; wrap the line")
        }
    }

    static func lineCount(_ text: String) -> Int {
        text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
    }

    /// Returns the number of words as `wc -w` counts them: everything between white space.
    static func wordCount(_ text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).count
    }

    /// Returns the number of lines in the unreleased section of the change log, including its heading; `nil` if there
    /// is no such section.
    static func unreleasedLineCount(_ text: String) -> Int? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("## [Unreleased]") }) else { return nil }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        return lines[start..<end].reversed().drop(while: \.isEmpty).count
    }
}
