import FoundationEssentials
import Glibc
package import StoreBasics

/// The seeds of tests that try random cases. The short tier uses the same seeds in each run. The long tier draws new
/// ones and prints `TEST_SEED=` with the first one. A run with this variable in its environment uses the same seeds
/// again.
package enum TestSeeds {
    package static let first: UInt64 = {
        let given = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) }
        guard let seed = given ?? (TestTier.current == .long ? UInt64.random(in: 1...999_999_999) : nil)
        else { return 0 }
        print("TEST_SEED=\(seed)")
        // The line is written out now, because a failing test may end the process.
        fflush(nil)
        return seed
    }()

    /// Returns consecutive seeds, as many as the current tier tries.
    package static func range(_ short: Int, long: Int) -> Range<UInt64> {
        first..<(first + UInt64(TestTier.count(short, long: long)))
    }

    /// Returns the generator of a test that needs one seed.
    ///
    /// - Parameter seed: the seed in the short tier. In the long tier and with `TEST_SEED`, the generator gets another
    ///   seed, because `first` is added and is then not 0.
    package static func generator(_ seed: UInt64) -> SplitMix {
        SplitMix(seed: first &+ seed)
    }
}
