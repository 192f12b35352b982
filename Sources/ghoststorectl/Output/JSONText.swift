/// Text as a JSON string. Escaped is what RFC 8259 demands, and the control characters past it (U+007F to U+009F), so
/// that a line of JSON is safe to look at on a terminal; all else stands as it is, in UTF-8.
enum JSONText {
    static func append(_ value: String, to text: inout String) {
        text += "\""
        if value.utf8.contains(where: mayNeedEscape) {
            for scalar in value.unicodeScalars {
                appendEscaped(scalar, to: &text)
            }
        } else {
            text += value
        }
        text += "\""
    }

    /// 0xC2 starts U+0080 to U+00BF.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0xC2
    }

    private static func appendEscaped(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\u{08}": text += "\\b"
        case "\u{0C}": text += "\\f"
        case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}":
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
    }
}
