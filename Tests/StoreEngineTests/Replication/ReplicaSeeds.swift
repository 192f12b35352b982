import Glibc
import TestBasics

/// What `make replica-long` asks for.
enum ReplicaSeeds {
    static let isLongRun = number("REPLICA_SEEDS") != nil

    /// `REPLICA_SEEDS=1000` in the environment makes it a long run, `REPLICA_FIRST_SEED=8` begins with that one.
    ///
    /// - Parameters:
    ///   - short: The number of seeds in the short tier.
    ///   - long: The number of seeds in the long tier.
    static func range(_ short: Int, long: Int) -> Range<Int> {
        let first = number("REPLICA_FIRST_SEED") ?? 0
        return first..<(first + (number("REPLICA_SEEDS") ?? TestTier.count(short, long: long)))
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
