/// The 128 bits of a UUID of any version (RFC 9562), and its text form.
package struct UUIDWords: Hashable, Sendable, CustomStringConvertible {
    package static let textByteCount = 36
    package static let byteCount = 16

    private let high: UInt64
    private let low: UInt64

    @inline(__always)
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns the UUID of a text in the exact form that `write` produces; `nil` for any other text.
    package init?(lowercaseText text: UnsafeRawBufferPointer) {
        let dash = UInt8(ascii: "-")
        guard text.count == Self.textByteCount,
            text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash,
            let first = Self.number(text, 0, 4), let second = Self.number(text, 9, 14),
            let third = Self.number(text, 19, 24), let fourth = Self.number(text, 28, 32)
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    /// Reads eight lower-case hexadecimal digits at once, because a search reads many ids.
    ///
    /// - Parameters:
    ///   - start: the offset of the first four digits.
    ///   - next: the offset of the last four digits.
    /// - Returns: `nil` if a byte is not a lower-case digit.
    @inline(__always)
    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ next: Int) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let digits =
            UInt64(UInt32(bigEndian: text.loadUnaligned(fromByteOffset: start, as: UInt32.self))) << 32
            | UInt64(UInt32(bigEndian: text.loadUnaligned(fromByteOffset: next, as: UInt32.self)))
        // A letter has the bit 0x40, and its low four bits are 1 for "a".
        let letters = digits >> 6 & ones
        let values = digits & (ones * 0x0f) + letters * 9
        // "0" to "9" are 0x30 and more, "a" to "f" 0x60 and more; a letter's value is ten or more, a digit's is not.
        guard digits & (ones * 0xf0) == (ones + letters) * 0x30, values & (ones * 0x10) == 0,
            (values + ones * 6) >> 4 & ones == letters
        else { return nil }
        let bytes = (values | values >> 4) & 0x00ff_00ff_00ff_00ff
        let pairs = (bytes | bytes >> 8) & 0x0000_ffff_0000_ffff
        return (pairs | pairs >> 16) & 0xffff_ffff
    }

    /// Returns one of the sixteen bytes, counted from the most significant.
    package subscript(index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - (index & 7) * 8))
    }

    /// Returns the number of equal leading bytes, up to 16.
    package func sharedByteCount(with other: UUIDWords) -> Int {
        high == other.high
            ? 8 + (low ^ other.low).leadingZeroBitCount / 8 : (high ^ other.high).leadingZeroBitCount / 8
    }

    /// Returns a UUID in which the bytes from an index on are replaced.
    ///
    /// - Parameter bytes: one byte for each replaced byte.
    package func replacingBytes(from start: Int, by bytes: UnsafeRawBufferPointer) -> UUIDWords {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<Self.byteCount {
            let byte = index < start ? self[index] : bytes[index - start]
            words = (words.high << 8 | words.low >> 56, words.low << 8 | UInt64(byte))
        }
        return UUIDWords(high: words.high, low: words.low)
    }

    /// The 16 bytes, most significant first.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// The text of 36 lower-case characters.
    package var description: String {
        String(unsafeUninitializedCapacity: Self.textByteCount) { text in
            write(to: UnsafeMutableRawBufferPointer(text), at: 0)
            return Self.textByteCount
        }
    }

    /// Writes the 36 characters of the text.
    @inline(__always)
    package func write(to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
        var position = offset
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                buffer[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = nibble < 16 ? high : low
            buffer[position] = Hexadecimal.digit(UInt8(truncatingIfNeeded: word >> UInt64(60 - (nibble & 15) * 4)))
            position += 1
        }
    }
}

/// The order of UUIDs is the order of their texts.
extension UUIDWords: Comparable {
    @inline(__always)
    package static func < (left: UUIDWords, right: UUIDWords) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
