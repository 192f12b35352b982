/// An identifier that sorts by its creation time: RFC 9562, section 5.7. Ids in time order are the cheapest for the
/// store, because each is added at the end of every index.
public struct UUIDv7: Hashable, Sendable, CustomStringConvertible {
    /// The size of `description` in bytes.
    package static let textByteCount = UUIDWords.textByteCount

    private let words: UUIDWords

    /// Creates a new id. It is greater, by its bytes and by its text, than all ids that this process created before,
    /// even if the wall clock stands still or is set back.
    public init() {
        let tick = TimeOrder.next(atLeastMilliseconds: UInt64(max(0, Timestamp.now.microseconds)) / 1_000)
        self.init(milliseconds: tick.milliseconds, order: tick.counter, random: .random(in: .min ... .max))
    }

    /// Creates an id from its parts.
    ///
    /// - Parameters:
    ///   - milliseconds: the time since 1970-01-01T00:00:00Z; the lower 48 bits are used.
    ///   - order: a number that orders the ids of one millisecond; the lower 12 bits are used.
    ///   - random: the lower 62 bits are used.
    @inline(__always)
    package init(milliseconds: UInt64, order: UInt64, random: UInt64) {
        words = UUIDWords(
            high: (milliseconds & 0xffff_ffff_ffff) << 16 | 0x7000 | order & 0xfff,
            low: random & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000)
    }

    /// The 16 bytes, most significant first.
    public var bytes: [UInt8] {
        words.bytes
    }

    /// The text of 36 lower-case characters: `019ab3c4-5d6e-7f80-9abc-def012345678`.
    public var description: String {
        words.description
    }

    /// Writes the 36 characters of the text.
    @inline(__always)
    package func write(to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
        words.write(to: buffer, at: offset)
    }
}
