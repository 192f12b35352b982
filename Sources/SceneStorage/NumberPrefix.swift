/// Parsing of the number at the beginning of a text, like `integerValue`, `doubleValue` and `boolValue` of `NSString`
/// (<https://developer.apple.com/documentation/foundation/nsstring>): leading white space is skipped, and text after
/// the number is ignored.
enum NumberPrefix {
    /// Returns the number, clamped to the range of `Int`; 0 if there is no number.
    static func integer(of text: String) -> Int {
        let (isNegative, rest) = sign(of: withoutSpace(text))
        var value = 0
        for digit in rest.prefix(while: isDigit) {
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let digit = Int(digit - UInt8(ascii: "0"))
            let (sum, overflowedAgain) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflowed, !overflowedAgain else { return isNegative ? .min : .max }
            value = sum
        }
        return value
    }

    /// Returns the number; 0 if there is no number.
    static func double(of text: String) -> Double {
        let body = withoutSpace(text)
        let (isNegative, unsigned) = sign(of: body)
        var end = unsigned.startIndex
        skipDigits(unsigned, &end)
        if end < unsigned.endIndex, unsigned[end] == UInt8(ascii: ".") {
            end += 1
            skipDigits(unsigned, &end)
        }
        let mantissa = unsigned[..<end]
        guard mantissa.contains(where: isDigit) else { return 0 }
        let literal = String(decoding: mantissa, as: UTF8.self) + exponent(unsigned[end...])
        let magnitude = Double(literal) ?? 0
        return isNegative ? -magnitude : magnitude
    }

    /// Returns true for `Y`, `y`, `T`, `t` and for a number that is not 0, after an optional sign and zeros.
    static func truth(of text: String) -> Bool {
        let (_, rest) = sign(of: withoutSpace(text))
        guard let first = rest.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
        switch first {
        case UInt8(ascii: "Y"), UInt8(ascii: "y"), UInt8(ascii: "T"), UInt8(ascii: "t"): return true
        default: return isDigit(first)
        }
    }

    private static func withoutSpace(_ text: String) -> ArraySlice<UInt8> {
        Array(text.utf8).drop { $0 == UInt8(ascii: " ") || (0x09...0x0D).contains($0) }
    }

    private static func sign(of text: ArraySlice<UInt8>) -> (isNegative: Bool, rest: ArraySlice<UInt8>) {
        switch text.first {
        case UInt8(ascii: "-"): (true, text.dropFirst())
        case UInt8(ascii: "+"): (false, text.dropFirst())
        default: (false, text)
        }
    }

    private static func exponent(_ text: ArraySlice<UInt8>) -> String {
        guard let mark = text.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return "" }
        let (isNegative, rest) = sign(of: text.dropFirst())
        let digits = rest.prefix(while: isDigit)
        return digits.isEmpty ? "" : "e" + (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }

    private static func skipDigits(_ text: ArraySlice<UInt8>, _ index: inout Int) {
        while index < text.endIndex, isDigit(text[index]) {
            index += 1
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
