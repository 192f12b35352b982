/// Content that people wrote, made safe for a terminal: one line, and nothing in it that a terminal obeys.
///
/// Control characters would let a stored message move the cursor, set the window's title or answer for the person
/// (ECMA-48 escape sequences); directional overrides would let it reorder what stands beside it (Unicode TR9).
enum DisplayText {
    static func neutralized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else {
            return text
        }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(isUnsafe(scalar) ? replacement(for: scalar) : scalar)
        }
        return String(result)
    }

    /// The same for text that keeps its line breaks.
    static func neutralizedLines(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
            .map { neutralized(String($0)) }
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

    /// C0 controls have pictures of their own (U+2400 and on); all else becomes the replacement character.
    private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x09: " "
        case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        default: "\u{FFFD}"
        }
    }
}
