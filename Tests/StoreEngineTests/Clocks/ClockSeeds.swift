import Glibc
import TestBasics

/// The seeds of the clock tests. `make clocks-long` chooses them with environment variables.
enum ClockSeeds {
    /// Returns the seeds. `CLOCK_SEEDS=2000` sets their number, and `CLOCK_FIRST_SEED=8` the first one.
    ///
    /// - Parameters:
    ///   - short: the number of seeds in the short tier.
    ///   - long: the number of seeds in the long tier.
    static func range(_ short: Int, long: Int) -> Range<Int> {
        let first = number("CLOCK_FIRST_SEED") ?? 0
        return first..<(first + (number("CLOCK_SEEDS") ?? TestTier.count(short, long: long)))
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
