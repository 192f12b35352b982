/// The first eight bytes of a term as a number, which is enough to order most terms. Shorter terms are padded with
/// zeros, which no term contains.
struct TermPrefix: Hashable, Comparable {
    static let byteCount = 8

    private let number: UInt64

    init(_ term: some Collection<UInt8>) {
        var number: UInt64 = 0
        var count = 0
        for byte in term.prefix(Self.byteCount) {
            number = number << 8 | UInt64(byte)
            count += 1
        }
        self.number = count == 0 ? 0 : number << UInt64(8 * (Self.byteCount - count))
    }

    static func < (left: TermPrefix, right: TermPrefix) -> Bool { left.number < right.number }
}
