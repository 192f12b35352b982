/// Makes text that people wrote safe for a terminal: the result is one line without characters that control the
/// terminal.
///
/// Control characters would let a stored message move the cursor, set the window's title or send answers in the
/// person's name (ECMA-48 escape sequences). Directional overrides would let a message reorder the text beside it
/// (Unicode TR9).
enum DisplayText {
    static func neutralized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isUnsafe(scalar) ? replacement(for: scalar) : scalar)
        }
        return String(result)
    }

    /// Makes each line of a text safe.
    static func neutralizedLines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
            .map { neutralized(String($0)) }
    }

    /// Returns right-to-left text in a directional isolate (Unicode TR9), so that the text beside it keeps its order.
    static func isolated(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: runsFromRight) else { return text }
        return "\(isolateStart)\(text)\u{2069}"
    }

    static let isolateStart: Unicode.Scalar = "\u{2068}"

    /// Returns true for scripts that are written from right to left (Hebrew, Arabic and similar ones), and for U+200F,
    /// an invisible mark that counts as such a letter.
    private static func runsFromRight(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x2028, 0x2029: true
        case 0x202A...0x202E, 0x2066...0x2069: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }

    /// Returns the replacement of an unsafe character: a space for a tab, the picture (U+2400 to U+2421) of another C0
    /// control or of U+007F, and otherwise the replacement character.
    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09: " "
        case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        default: "\u{FFFD}"
        }
    }
}

/// Computes the number of terminal columns that a text takes. No standard defines it. Like terminals with wcwidth(3),
/// it counts no column for marks and joiners, two for East Asian wide characters and emoji, and one for others.
enum DisplayWidth {
    static func columns(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.count
        }
        return text.reduce(into: 0) { $0 += columns($1) }
    }

    static func columns(_ character: Character) -> Int {
        let widths = character.unicodeScalars.map(columns)
        // A terminal draws a joined emoji (a family, a profession) as one emoji.
        let isJoined = character.unicodeScalars.contains("\u{200D}")
        return isJoined ? (widths.max() ?? 0) : widths.reduce(0, +)
    }

    /// Returns the text cut to at most the given columns, with an ellipsis if something is missing.
    static func truncated(_ text: String, toColumns limit: Int) -> String {
        guard columns(text) > limit else { return text }
        var result = ""
        var used = 0
        for character in text {
            let width = columns(character)
            guard used + width <= limit - 1 else { break }
            result.append(character)
            used += width
        }
        return limit > 0 ? result + "…" : ""
    }

    /// Returns the text cut in the middle: about a third of the columns show its beginning, the others its end.
    static func truncatedInMiddle(_ text: String, toColumns limit: Int) -> String {
        guard columns(text) > limit else { return text }
        guard limit > 2 else { return truncated(text, toColumns: limit) }
        let frontMax = (limit - 1) / 3
        var front = ""
        var used = 0
        for character in text {
            guard used + columns(character) <= frontMax else { break }
            front.append(character)
            used += columns(character)
        }
        var back: [Character] = []
        used += 1
        for character in text.reversed() {
            guard used + columns(character) <= limit else { break }
            back.append(character)
            used += columns(character)
        }
        return front + "…" + String(back.reversed())
    }

    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 {
            return scalar.value == 0xAD ? 0 : 1
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format:
            return 0
        default:
            // Hangul vowels and final consonants are drawn into the first letter of the syllable.
            let isJoiningJamo = (0x1160...0x11FF).contains(scalar.value)
            return isJoiningJamo ? 0 : WideScalars.contains(scalar.value) ? 2 : 1
        }
    }
}

/// Scalars that take two terminal columns: East_Asian_Width W and F (Unicode TR11, version 14.0.0), sorted.
enum WideScalars {
    static func contains(_ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < ranges.count && ranges[low].contains(value)
    }

    private static let ranges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
        0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
        0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
        0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x3029,
        0x302E...0x303E, 0x3041...0x3096, 0x309B...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAD9, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x16FE3, 0x16FF0...0x1B2FB, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E,
        0x1F191...0x1F19A, 0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393,
        0x1F3A0...0x1F3CA, 0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E,
        0x1F440...0x1F440, 0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567,
        0x1F57A...0x1F57A, 0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5,
        0x1F6CC...0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
        0x1F7E0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FAF6,
        0x20000...0x3FFFD,
    ]
}
