/// The first bytes of a term as a number, by which most terms can be put in order. Shorter ones end in zeros, which no
/// term holds.
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
