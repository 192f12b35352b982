/// Hexadecimal text with two lower-case digits for each byte.
package enum Hexadecimal {
    /// Returns the digit of the lower four bits.
    @inline(__always)
    package static func digit(_ nibble: UInt8) -> UInt8 {
        let nibble = nibble & 0xf
        return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
    }

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        // Read contiguous bytes from memory directly, without a call of the collection for each.
        bytes.withContiguousStorageIfAvailable { encode(each: $0) } ?? encode(each: bytes)
    }

    @inline(__always)
    private static func encode(each bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            var position = 0
            for byte in bytes {
                text[position] = digit(byte >> 4)
                text[position + 1] = digit(byte)
                position += 2
            }
            return position
        }
    }

    /// Returns the bytes that a text of hexadecimal digits stands for.
    ///
    /// - Parameter text: digits in upper or lower case.
    /// - Returns: `nil` unless `text` consists of whole pairs of digits.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            guard let nibble = nibble(character) else { return nil }
            if let whole = high {
                bytes.append(whole << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return high == nil ? bytes : nil
    }

    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
