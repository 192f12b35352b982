#if canImport(Glibc)
import Glibc
#endif

/// An identifier that sorts by the time it was made: RFC 9562, section 5.7, with the twelve bits after the version
/// holding the fraction of the millisecond (section 6.2, method 3). Ids in time order are the cheapest for the store.
public struct UUIDv7: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes, most significant first.
    public let bytes: [UInt8]

    /// A new one, from the wall clock and the system's random source.
    public init() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var randomness = SystemRandomNumberGenerator()
        self.init(
            nanosecondsSinceEpoch: UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_nsec)),
            random: randomness.next())
    }

    /// The id of an instant and 62 random bits (the two highest of `random` are not used).
    init(nanosecondsSinceEpoch: UInt64, random: UInt64) {
        let milliseconds = nanosecondsSinceEpoch / 1_000_000
        let fraction = (nanosecondsSinceEpoch % 1_000_000) * 4_096 / 1_000_000
        let high = milliseconds << 16 | 0x7000 | fraction
        let low = random & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        bytes = [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// 36 characters in lower case: `019ab3c4-5d6e-7f80-9abc-def012345678`.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    text[position] = UInt8(ascii: "-")
                    position += 1
                }
                text[position] = digits[Int(byte >> 4)]
                text[position + 1] = digits[Int(byte & 15)]
                position += 2
            }
            return position
        }
    }
}
