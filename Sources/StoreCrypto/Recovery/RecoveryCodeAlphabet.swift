/// Crockford's base 32: digits and upper-case letters without I, L, O and U.
///
/// https://www.crockford.com/base32.html
enum RecoveryCodeAlphabet {
    private static let characters: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    /// The character of a value from 0 to 31.
    static func character(of value: UInt8) -> UInt8 {
        precondition(value < 32, "a symbol has five bits")
        return characters.utf8Start[Int(value)]
    }

    /// The value of a character as a person may type it; nil when it is none.
    static func value(of character: UInt8) -> UInt8? {
        let upperCase =
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): character - 32
            default: character
            }
        switch upperCase {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: break
        }
        return (0..<32).first { characters.utf8Start[Int($0)] == upperCase }
    }

    /// Hyphen, space, tab and line ends.
    static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}
