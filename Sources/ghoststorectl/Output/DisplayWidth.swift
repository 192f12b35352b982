/// How many columns of a terminal text takes. There is no standard for it; this follows what terminals do with
/// wcwidth(3): marks and joiners take none, East Asian wide characters and emoji two, all else one.
enum DisplayWidth {
    static func columns(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.count
        }
        return text.reduce(into: 0) { $0 += columns($1) }
    }

    static func columns(_ character: Character) -> Int {
        let widths = character.unicodeScalars.map(columns)
        // A joined emoji (a family, a profession) is drawn as one.
        let isJoined = character.unicodeScalars.contains("\u{200D}")
        return isJoined ? (widths.max() ?? 0) : widths.reduce(0, +)
    }

    /// The text cut so that it takes at most so many columns, with an ellipsis where something is missing.
    static func truncated(_ text: String, toColumns limit: Int) -> String {
        guard columns(text) > limit else {
            return text
        }
        var result = ""
        var used = 0
        for character in text {
            let width = columns(character)
            guard used + width <= limit - 1 else {
                break
            }
            result.append(character)
            used += width
        }
        return limit > 0 ? result + "…" : ""
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 {
            return scalar.value == 0xAD ? 0 : 1
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format:
            return 0
        default:
            // Hangul vowels and finals are drawn into the syllable's first letter.
            let isJoiningJamo = (0x1160...0x11FF).contains(scalar.value)
            return isJoiningJamo ? 0 : WideScalars.contains(scalar.value) ? 2 : 1
        }
    }
}
