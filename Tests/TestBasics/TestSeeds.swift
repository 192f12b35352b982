import FoundationEssentials
import Glibc
package import StoreBasics

/// The seeds of tests that try random cases. The short tier takes the same seeds each time; the long tier draws new
/// ones and prints the first of them, with which `TEST_SEED` repeats the run.
package enum TestSeeds {
    package static let first: UInt64 = {
        let given = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) }
        guard let seed = given ?? (TestTier.current == .long ? UInt64.random(in: 1...999_999_999) : nil)
        else { return 0 }
        print("TEST_SEED=\(seed)")
        // Not lost where a test ends the process.
        fflush(nil)
        return seed
    }()

    /// Returns one seed after the other.
    package static func range(_ short: Int, long: Int) -> Range<UInt64> {
        first..<(first + UInt64(TestTier.count(short, long: long)))
    }

    /// Returns the generator of a test that takes one seed.
    ///
    /// - Parameter seed: the seed of the short tier, where `TEST_SEED` does not move it.
    package static func generator(_ seed: UInt64) -> SplitMix {
        SplitMix(seed: first &+ seed)
    }
}
