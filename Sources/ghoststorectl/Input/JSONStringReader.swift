/// Reads a JSON string with its quotes (RFC 8259, section 7).
enum JSONStringReader {
    /// - Parameter position: The position of the opening quote. Afterwards, the position after the closing quote or of
    ///   the fault.
    /// - Returns: `nil` for a control character, an invalid escape, a lone surrogate, invalid UTF-8 or a missing end.
    static func read(_ bytes: [UInt8], at position: inout Int) -> String? {
        position += 1
        let start = position
        while position < bytes.count, isPlain(bytes[position]) {
            position += 1
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            position += 1
            return String(validating: bytes[start..<position - 1], as: UTF8.self)
        }
        var content = Array(bytes[start..<position])
        return readEscaped(bytes, at: &position, into: &content)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func readEscaped(_ bytes: [UInt8], at position: inout Int, into content: inout [UInt8]) -> String? {
        while position < bytes.count {
            let byte = bytes[position]
            if isPlain(byte) {
                content.append(byte)
                position += 1
            } else if byte == UInt8(ascii: "\"") {
                position += 1
                return String(validating: content, as: UTF8.self)
            } else {
                guard byte == UInt8(ascii: "\\"), let scalar = escape(bytes, at: &position) else { return nil }
                content.append(contentsOf: String(Character(scalar)).utf8)
            }
        }
        return nil
    }

    private static func escape(_ bytes: [UInt8], at position: inout Int) -> Unicode.Scalar? {
        guard position + 1 < bytes.count else { return nil }
        let letter = bytes[position + 1]
        if letter == UInt8(ascii: "u") {
            return unicodeEscape(bytes, at: &position)
        }
        guard let scalar = simpleEscape(letter) else { return nil }
        position += 2
        return scalar
    }

    private static func simpleEscape(_ letter: UInt8) -> Unicode.Scalar? {
        switch Unicode.Scalar(letter) {
        case "\"": "\""
        case "\\": "\\"
        case "/": "/"
        case "b": "\u{08}"
        case "f": "\u{0C}"
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        default: nil
        }
    }

    /// Reads `\uXXXX`, or two of them that form a surrogate pair.
    private static func unicodeEscape(_ bytes: [UInt8], at position: inout Int) -> Unicode.Scalar? {
        guard let first = codeUnit(bytes, at: position) else { return nil }
        if let scalar = Unicode.Scalar(UInt32(first)) {
            position += 6
            return scalar
        }
        guard UTF16.isLeadSurrogate(first), let second = codeUnit(bytes, at: position + 6),
            UTF16.isTrailSurrogate(second)
        else { return nil }
        position += 12
        return Unicode.Scalar(0x10000 + ((UInt32(first) - 0xD800) << 10) + (UInt32(second) - 0xDC00))
    }

    private static func codeUnit(_ bytes: [UInt8], at position: Int) -> UInt16? {
        guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt16 = 0
        for byte in bytes[position + 2..<position + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
