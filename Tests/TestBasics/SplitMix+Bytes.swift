package import StoreBasics

extension SplitMix {
    /// Returns `count` random bytes. The same seed gives the same bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
