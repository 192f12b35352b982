/// Fills lines with words, so that they fit a terminal.
enum TextFill {
    /// Returns the lines. A word that is longer than a line is cut into pieces.
    ///
    /// - Parameter indent: The columns left free at the start of every line except the first.
    static func lines(_ words: [String], columns: Int, indent: Int = 0) -> [String] {
        let room = max(1, columns - indent)
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in words.flatMap({ pieces($0, columns: room) }) {
            let width = DisplayWidth.columns(word)
            let isFirst = line.allSatisfy { $0 == " " }
            if !isFirst, used + 1 + width > columns {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
                used = indent + width
            } else {
                line += (isFirst ? "" : " ") + word
                used += (isFirst ? 0 : 1) + width
            }
        }
        return lines + [line]
    }

    private static func pieces(_ word: String, columns: Int) -> [String] {
        guard DisplayWidth.columns(word) > columns else { return [word] }
        var pieces = [""]
        var used = 0
        for character in word {
            let width = DisplayWidth.columns(character)
            if used > 0, used + width > columns {
                pieces.append("")
                used = 0
            }
            pieces[pieces.count - 1].append(character)
            used += width
        }
        return pieces
    }
}
