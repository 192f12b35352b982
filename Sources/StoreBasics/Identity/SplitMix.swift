/// SplitMix64: a small, fast random number generator that gives the same numbers for the same seed (Steele, Lea, Flood
/// 2014, https://doi.org/10.1145/2660193.2660195). Not for secrets.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    @inline(__always)
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.finish(state)
    }

    /// Returns a pseudorandom value that depends only on the given number.
    @inline(__always)
    package static func mix(_ value: UInt64) -> UInt64 {
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
