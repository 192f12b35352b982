package import StoreBasics

extension SplitMix {
    /// As many bytes, the same for the same seed.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
