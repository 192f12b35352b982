/// A string literal of a Swift file.
struct SourceLiteral: Hashable, Sendable {
    /// Offsets in bytes of the first quote, or the `#` before it, and of the byte after the last one.
    var start: Int
    var end: Int
    /// The content, with X for each interpolated expression. Escapes are replaced by what they mean to a reader.
    var text: String

    /// Returns the content that an escape stands for: nothing for a backslash at the end of a line, and a space for the
    /// characters that cannot be seen.
    static func unescaped(_ byte: UInt8?) -> [UInt8] {
        switch byte {
        case nil, UInt8(ascii: "\n"): []
        case UInt8(ascii: "n"): [UInt8(ascii: "\n")]
        case UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "0"), UInt8(ascii: "u"): [UInt8(ascii: " ")]
        case .some(let byte): [byte]
        }
    }
}
