import Glibc

/// The seeds that `make clocks-long` asks for.
enum ClockSeeds {
    /// `CLOCK_SEEDS=2000` in the environment makes it a long run, `CLOCK_FIRST_SEED=8` begins with that one.
    ///
    /// - Parameter count: how many there are without it.
    static func range(_ count: Int) -> Range<Int> {
        let first = number("CLOCK_FIRST_SEED") ?? 0
        return first..<(first + (number("CLOCK_SEEDS") ?? count))
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
