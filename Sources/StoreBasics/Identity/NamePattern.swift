/// A pattern for names, such as the names of scenes: letters, digits, `.`, `_`, `-`, `/`, and `*` for any run of
/// characters.
package struct NamePattern: Sendable, Hashable {
    package static let textBytesMax = 256

    package let text: String

    /// Creates a pattern; returns `nil` if the text is empty, is too long or contains another character.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.textBytesMax, text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    /// Returns true if the whole name matches. The time is bounded by the product of both lengths.
    package func matches(_ name: String) -> Bool {
        let pattern = Array(text.utf8)
        let name = Array(name.utf8)
        var patternIndex = 0
        var nameIndex = 0
        // The position to resume at if a later literal does not fit: after the last star, one byte further into the
        // name.
        var resume: (pattern: Int, name: Int)?
        while nameIndex < name.count {
            if patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "*") {
                patternIndex += 1
                resume = (patternIndex, nameIndex)
            } else if patternIndex < pattern.count, pattern[patternIndex] == name[nameIndex] {
                patternIndex += 1
                nameIndex += 1
            } else if let (afterStar, start) = resume {
                patternIndex = afterStar
                nameIndex = start + 1
                resume = (afterStar, start + 1)
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "/"), UInt8(ascii: "*"):
            true
        default:
            false
        }
    }
}
