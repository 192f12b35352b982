/// An identifier that sorts by the time it was made: RFC 9562, section 5.7. Ids in time order are the cheapest for the
/// store: each lands at the end of every index on it.
public struct UUIDv7: Hashable, Sendable, CustomStringConvertible {
    /// How long `description` is, in bytes.
    package static let textByteCount = UUIDWords.textByteCount

    private let words: UUIDWords

    /// A new one. Greater, by its bytes and by its text, than all that this process made before, also when the wall
    /// clock stands still or goes back.
    public init() {
        let tick = TimeOrder.next(atLeastMilliseconds: UInt64(max(0, Timestamp.now.microseconds)) / 1_000)
        self.init(milliseconds: tick.milliseconds, order: tick.counter, random: .random(in: .min ... .max))
    }

    /// The id of its parts.
    ///
    /// - Parameters:
    ///   - milliseconds: since 1970-01-01T00:00:00Z; the lower 48 bits are used.
    ///   - order: what orders the ids of one millisecond; the lower 12 bits are used.
    ///   - random: the lower 62 bits are used.
    @inline(__always)
    package init(milliseconds: UInt64, order: UInt64, random: UInt64) {
        words = UUIDWords(
            high: (milliseconds & 0xffff_ffff_ffff) << 16 | 0x7000 | order & 0xfff,
            low: random & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    /// 16 bytes, most significant first.
    public var bytes: [UInt8] {
        words.bytes
    }

    /// 36 characters in lower case: `019ab3c4-5d6e-7f80-9abc-def012345678`.
    public var description: String {
        words.description
    }

    /// Writes the 36 characters.
    @inline(__always)
    package func write(to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
        words.write(to: buffer, at: offset)
    }
}
