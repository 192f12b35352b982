/// A line while it is typed: its text and where in it the cursor stands. Pure: keys in, text out.
struct EditedLine {
    enum Key: Hashable {
        case text(Character)
        /// With the newlines that are in it.
        case paste(String)
        /// So much that nothing of it is kept.
        case overlongPaste
        case left, right, home, end
        case wordLeft, wordRight
        case backspace, delete
        case deleteToEnd, deleteToStart, deleteWord
        /// What was deleted last by one of these three.
        case putBack
        case up, down
        case tab, enter, clearScreen, interrupt, stop, endOfInput
    }

    private(set) var characters: [Character] = []
    private(set) var cursor = 0
    private var deleted: [Character] = []

    var text: String {
        String(characters)
    }

    /// Up to the cursor.
    var front: String {
        String(characters[..<cursor])
    }

    /// Another text in its place, the cursor at its end.
    mutating func replace(with text: String) {
        characters = Array(text)
        cursor = characters.count
    }

    /// A mark becomes one character with the letter that it is typed behind.
    mutating func insert(_ text: String) {
        let front = front + text
        characters = Array(front + String(characters[cursor...]))
        var bytes = 0
        cursor =
            characters.firstIndex { character in
                defer { bytes += character.utf8.count }
                return bytes >= front.utf8.count
            } ?? characters.count
    }

    /// Does what a key does within the line; the others are for who asked for it.
    mutating func take(_ key: Key) {
        switch key {
        case .text(let character): insert(String(character))
        case .paste(let text): insert(Self.withoutControls(text))
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .backspace: characters.removeSubrange(moveCursor(to: max(0, cursor - 1)))
        case .delete: characters.removeSubrange(cursor..<min(characters.count, cursor + 1))
        case .deleteToEnd: take(away: cursor..<characters.count)
        case .deleteToStart: take(away: moveCursor(to: 0))
        case .deleteWord: take(away: moveCursor(to: wordStart))
        case .putBack: insert(String(deleted))
        case .overlongPaste, .up, .down, .tab, .enter, .clearScreen, .interrupt, .stop, .endOfInput: break
        }
    }

    /// - Returns: what lies between both places.
    private mutating func moveCursor(to place: Int) -> Range<Int> {
        defer { cursor = place }
        return place..<cursor
    }

    private mutating func take(away range: Range<Int>) {
        deleted = Array(characters[range])
        characters.removeSubrange(range)
    }

    /// Newlines as they are in files, tabs as spaces, and no other control.
    private static func withoutControls(_ text: String) -> String {
        let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: " ")
        return String(
            String.UnicodeScalarView(
                lines.unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control }))
    }

    /// Of the word before the cursor.
    private var wordStart: Int {
        var place = cursor
        while place > 0, characters[place - 1] == " " { place -= 1 }
        while place > 0, characters[place - 1] != " " { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, characters[place] == " " { place += 1 }
        while place < characters.count, characters[place] != " " { place += 1 }
        return place
    }

    /// What of the line fits so many columns of a terminal, and the column of the cursor within it: as much as
    /// possible of what stands before the cursor. A side where something is missing ends with an ellipsis.
    func window(columns: Int) -> (text: String, cursorColumn: Int) {
        let room = columns - 2
        var (start, used) = (cursor, 0)
        while start > 0, used + Self.width(characters[start - 1]) < room {
            start -= 1
            used += Self.width(characters[start])
        }
        let mark = start > 0 ? "…" : ""
        // Of all of it: what is shown for two characters may be drawn as one.
        let cursorColumn = DisplayWidth.columns(mark + characters[start..<cursor].map(Self.shown).joined())
        var end = cursor
        while end < characters.count, used + Self.width(characters[end]) < room {
            used += Self.width(characters[end])
            end += 1
        }
        let text = characters[start..<end].map(Self.shown).joined()
        return (mark + text + (end < characters.count ? "…" : ""), cursorColumn)
    }

    private static func width(_ character: Character) -> Int {
        DisplayWidth.columns(shown(character))
    }

    private static func shown(_ character: Character) -> String {
        DisplayText.neutralized(String(character))
    }
}
