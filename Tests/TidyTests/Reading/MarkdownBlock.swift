/// A part of a Markdown text: a paragraph, an item of a list, a heading, a row of a table, HTML or a line of code.
struct MarkdownBlock: Hashable {
    enum Kind { case paragraph, heading, row, html, code }

    var kind: Kind
    /// The number of the first line.
    var line: Int
    /// The lines of the block, without the white space at both ends, joined with spaces. Each line of code is a
    /// separate block and keeps its white space.
    var text: String

    /// Returns the blocks of a text. An item of a list or a quotation is a paragraph without its mark.
    static func blocks(of text: String) -> [MarkdownBlock] {
        var blocks: [MarkdownBlock] = []
        var isFenced = false
        // True if the next line can belong to the last block.
        var isOpen = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = Self.trimmed(line)
            if trimmed.hasPrefix("```") {
                isFenced.toggle()
                isOpen = false
            } else if isFenced {
                blocks.append(MarkdownBlock(kind: .code, line: index + 1, text: String(line)))
            } else if trimmed.isEmpty {
                isOpen = false
            } else if isOpen, !isBeginning(trimmed) {
                blocks[blocks.count - 1].text += " " + trimmed
            } else {
                let block = beginning(trimmed, line: index + 1)
                blocks.append(block)
                isOpen = block.kind == .paragraph || block.kind == .html
            }
        }
        return blocks
    }

    /// The cells of a row, without the white space at both ends. The row of dashes below the column heads has no cells.
    var cells: [String] {
        // An escaped bar does not end a cell.
        let inside = String(text.drop { $0 == "|" }).replacing("\\|", with: "\u{0}")
        let cells = inside.split(separator: "|", omittingEmptySubsequences: false).map {
            String(Self.trimmed($0)).replacing("\u{0}", with: "|")
        }
        let isRule = cells.allSatisfy { $0.allSatisfy { $0 == "-" || $0 == ":" } }
        return isRule ? [] : cells
    }

    private static func isBeginning(_ line: Substring) -> Bool {
        line.hasPrefix("|") || itemMark(of: line) > 0 || headingMark(of: line) > 0
    }

    private static func beginning(_ line: Substring, line number: Int) -> MarkdownBlock {
        let kind: Kind =
            if line.hasPrefix("|") { .row } else if headingMark(of: line) > 0 { .heading } else if line.hasPrefix("<") {
                .html
            } else { .paragraph }
        let text = line.dropFirst(max(itemMark(of: line), headingMark(of: line)))
        return MarkdownBlock(kind: kind, line: number, text: String(trimmed(text)))
    }

    /// Returns the length of the mark of a list item or a quotation; 0 if the line has no such mark.
    private static func itemMark(of line: Substring) -> Int {
        let digits = line.prefix { "0" <= $0 && $0 <= "9" }.count
        let mark = line.dropFirst(digits).prefix(2)
        let isMark = digits > 0 ? mark == ". " : mark.last == " " && mark.first.map { "-*+>".contains($0) } == true
        return isMark ? digits + 2 : 0
    }

    private static func headingMark(of line: Substring) -> Int {
        let signs = line.prefix { $0 == "#" }.count
        return signs > 0 && line.dropFirst(signs).first == " " ? signs + 1 : 0
    }

    private static func trimmed(_ text: some StringProtocol) -> Substring {
        let end = text.lastIndex { $0 != " " && $0 != "\t" }
        guard let end else { return "" }
        return Substring(text[...end].drop { $0 == " " || $0 == "\t" })
    }
}
