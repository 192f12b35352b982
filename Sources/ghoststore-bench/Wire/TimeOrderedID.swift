/// A UUIDv7 (RFC 9562, section 5.7) computed from a number, so that the ids of ten million messages need no memory.
/// Ids of greater numbers sort later.
struct TimeOrderedID: Equatable {
    static let textByteCount = 36

    private let high: UInt64
    private let low: UInt64

    /// - Parameters:
    ///   - number: 0 or more; 4,096 numbers share a millisecond.
    ///   - seed: tells the ids of one run from those of another.
    @inline(__always)
    init(number: Int, startMilliseconds: UInt64, seed: UInt64) {
        let number = UInt64(number)
        high = (startMilliseconds + number >> 12) << 16 | 0x7000 | number & 0xfff
        low = SplitMix.mix(seed ^ number) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    }

    /// Writes the 36 characters.
    @inline(__always)
    func write(to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
        var position = offset
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                buffer[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = nibble < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - (nibble & 15) * 4)) & 15
            buffer[position] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            position += 1
        }
    }

    var text: String {
        withUnsafeTemporaryAllocation(byteCount: Self.textByteCount, alignment: 1) { buffer in
            write(to: buffer, at: 0)
            return String(decoding: buffer, as: UTF8.self)
        }
    }
}

/// SplitMix64: a small, fast, seedable generator (Steele, Lea, Flood 2014). Not for secrets.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    @inline(__always)
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.finish(state)
    }

    /// One value of a number, without a sequence.
    @inline(__always)
    static func mix(_ value: UInt64) -> UInt64 {
        finish(value &+ 0x9e37_79b9_7f4a_7c15)
    }

    @inline(__always)
    private static func finish(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
