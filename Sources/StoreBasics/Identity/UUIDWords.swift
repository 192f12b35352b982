/// The 128 bits of a UUID of any version (RFC 9562) and how they are written.
package struct UUIDWords: Hashable, Sendable, CustomStringConvertible {
    package static let textByteCount = 36

    private let high: UInt64
    private let low: UInt64

    @inline(__always)
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
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
