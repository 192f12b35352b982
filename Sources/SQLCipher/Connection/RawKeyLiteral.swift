/// SQLCipher's literal for a key that needs no derivation: `x'` + hexadecimal digits + `'`.
enum RawKeyLiteral {
    /// 32 key bytes, or 32 key bytes and 16 salt bytes.
    static let digitCounts = [64, 96]

    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard digitCounts.contains(bytes.count - 3), bytes.first == UInt8(ascii: "x"),
            bytes[1] == UInt8(ascii: "'"), bytes.last == UInt8(ascii: "'")
        else {
            return false
        }
        return bytes[2..<(bytes.count - 1)].allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default:
                false
            }
        }
    }
}
