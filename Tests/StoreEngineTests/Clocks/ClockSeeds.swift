import Glibc
import TestBasics

/// The seeds that `make clocks-long` asks for.
enum ClockSeeds {
    /// `CLOCK_SEEDS=2000` in the environment makes it a long run, `CLOCK_FIRST_SEED=8` begins with that one.
    ///
    /// - Parameters:
    ///   - short: how many seeds the short tier has without it.
    ///   - long: the same of the long tier.
    static func range(_ short: Int, long: Int) -> Range<Int> {
        let first = number("CLOCK_FIRST_SEED") ?? 0
        return first..<(first + (number("CLOCK_SEEDS") ?? TestTier.count(short, long: long)))
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
