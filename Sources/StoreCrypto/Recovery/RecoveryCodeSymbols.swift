/// Crockford's base 32: digits and upper-case letters without I, L, O and U.
///
/// https://www.crockford.com/base32.html
enum RecoveryCodeAlphabet {
    private static let characters: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

    /// Returns the character of a value from 0 to 31.
    static func character(of value: UInt8) -> UInt8 {
        precondition(value < 32, "a symbol must have five bits")
        return characters.utf8Start[Int(value)]
    }

    /// Returns the value of a character that a person may type; `nil` if the character is not allowed.
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

    /// Returns true for a hyphen, space, tab or line end.
    static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
        default: false
        }
    }
}

/// The checksum of Bech32m (BIP 350) over five-bit symbols, without a human-readable part. It detects every error in up
/// to four symbols. It misses an error in more symbols with a probability of one in 2³⁰.
///
/// https://github.com/bitcoin/bips/blob/master/bip-0350.mediawiki
enum RecoveryCodeChecksum {
    static let symbols = 6

    private static let generators: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    private static let finalConstant: UInt32 = 0x2bc8_30a3

    static func isValid(_ values: UnsafeRawBufferPointer) -> Bool {
        remainder(of: values) == finalConstant
    }

    /// Writes the checksum into the last six values.
    static func write(into values: UnsafeMutableRawBufferPointer) {
        let start = values.count - symbols
        precondition(start > 0, "a code must be longer than its checksum")
        for index in start..<values.count {
            values[index] = 0
        }
        let checksum = remainder(of: UnsafeRawBufferPointer(values)) ^ finalConstant
        for index in 0..<symbols {
            values[start + index] = UInt8((checksum >> UInt32(5 * (symbols - 1 - index))) & 31)
        }
    }

    private static func remainder(of values: UnsafeRawBufferPointer) -> UInt32 {
        var remainder: UInt32 = 1
        for value in values {
            let top = remainder >> 25
            remainder = ((remainder & 0x1ff_ffff) << 5) ^ UInt32(value)
            for (bit, generator) in generators.enumerated() where (top >> UInt32(bit)) & 1 == 1 {
                remainder ^= generator
            }
        }
        return remainder
    }
}
