struct SourceLiteral: Hashable, Sendable {
    /// The offsets in bytes of the first quote, or of the `#` before it, and of the byte after the literal.
    var start: Int
    var end: Int
    /// The content as a reader sees it: escapes are replaced, and each interpolated expression becomes an X.
    var text: String

    /// Returns the content that an escape represents: nothing for a backslash at the end of a line, and a space for
    /// invisible characters.
    static func unescaped(_ byte: UInt8?) -> [UInt8] {
        switch byte {
        case nil, UInt8(ascii: "\n"): []
        case UInt8(ascii: "n"): [UInt8(ascii: "\n")]
        case UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "0"), UInt8(ascii: "u"): [UInt8(ascii: " ")]
        case .some(let byte): [byte]
        }
    }
}
