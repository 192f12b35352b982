/// A number in a scene. It is written as a text that is read back as the same number, bit for bit.
protocol SceneNumber: BinaryFloatingPoint, LosslessStringConvertible {
    associatedtype Bits: FixedWidthInteger & UnsignedInteger

    var bitPattern: Bits { get }

    init(bitPattern: Bits)
}

extension Float: SceneNumber {}

extension Double: SceneNumber {}

extension SceneNumber {
    /// The shortest decimal text, or `inf`, `-inf` or `nan`. A NaN with other bits than the usual one is written as
    /// `nan:` and its bits in hexadecimal digits.
    var sceneText: String {
        guard isNaN, bitPattern != Self.nan.bitPattern else { return isNaN ? "nan" : description }
        return "\(nanPrefix)\(bitPattern, width: Bits.bitWidth / 4, radix: 16)"
    }

    /// Reads any text of a number that the type can hold, and every text that `sceneText` returns.
    init(sceneText text: String) throws(JSONError) {
        if let number = Self.special(text) {
            self = number
        } else if let number = Self(text), number.isNaN || (number.isInfinite && text.lowercased().contains("inf")) {
            self = number
        } else {
            self = try Self(finiteText: text)
        }
    }

    /// Reads a decimal or hexadecimal number. Rejects a number that would become infinite, and a number other than 0
    /// that would become 0.
    init(finiteText text: String) throws(JSONError) {
        guard let number = Self(text) else { throw JSONError("a number, inf, -inf or nan is expected") }
        let isHexadecimal = text.contains { "xX".contains($0) }
        let mantissa = text.prefix { !(isHexadecimal ? "pP" : "eE").contains($0) }
        let isZero = !mantissa.contains { $0.isHexDigit && $0 != "0" }
        guard number.isFinite, number.isZero == isZero else {
            throw JSONError("the number is out of the range of its type")
        }
        self = number
    }

    /// Reads `inf`, `-inf`, `nan`, or the bits of another NaN.
    private static func special(_ text: String) -> Self? {
        switch text {
        case "inf": return .infinity
        case "-inf": return -.infinity
        case "nan": return .nan
        default:
            guard text.hasPrefix(nanPrefix), text.utf8.count == nanPrefix.utf8.count + Bits.bitWidth / 4,
                let bits = Bits(text.dropFirst(nanPrefix.count), radix: 16)
            else { return nil }
            let number = Self(bitPattern: bits)
            return number.isNaN ? number : nil
        }
    }
}

private let nanPrefix = "nan:"
