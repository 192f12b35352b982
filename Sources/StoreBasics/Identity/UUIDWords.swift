/// The 128 bits of a UUID of any version (RFC 9562) and how they are written.
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

    /// The UUID of a text exactly as `write` makes it; `nil` for any other text.
    package init?(lowercaseText text: UnsafeRawBufferPointer) {
        guard text.count == Self.textByteCount else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for position in 0..<Self.textByteCount {
            let byte = text[position]
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let nibble: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): nibble = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): nibble = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            words = (words.high << 4 | words.low >> 60, words.low << 4 | UInt64(nibble))
        }
        self.init(high: words.high, low: words.low)
    }

    /// A byte of the sixteen, the most significant first.
    package subscript(index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - (index & 7) * 8))
    }

    /// Returns how many leading bytes are the same, up to 16.
    package func sharedByteCount(with other: UUIDWords) -> Int {
        high == other.high
            ? 8 + (low ^ other.low).leadingZeroBitCount / 8 : (high ^ other.high).leadingZeroBitCount / 8
    }

    /// Returns a UUID with other bytes from an index on.
    ///
    /// - Parameter bytes: as many as there are from there to the end.
    package func replacingBytes(from start: Int, by bytes: UnsafeRawBufferPointer) -> UUIDWords {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for index in 0..<Self.byteCount {
            let byte = index < start ? self[index] : bytes[index - start]
            words = (words.high << 8 | words.low >> 56, words.low << 8 | UInt64(byte))
        }
        return UUIDWords(high: words.high, low: words.low)
    }

    /// 16 bytes, most significant first.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// 36 characters in lower case.
    package var description: String {
        String(unsafeUninitializedCapacity: Self.textByteCount) { text in
            write(to: UnsafeMutableRawBufferPointer(text), at: 0)
            return Self.textByteCount
        }
    }

    /// Writes the 36 characters.
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

/// As their texts are ordered.
extension UUIDWords: Comparable {
    @inline(__always)
    package static func < (left: UUIDWords, right: UUIDWords) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
