import Glibc
import TestBasics

/// The seeds of the replication tests. `make replica-long` chooses them with environment variables.
enum ReplicaSeeds {
    static let isLongRun = number("REPLICA_SEEDS") != nil

    /// Returns the seeds. `REPLICA_SEEDS=1000` sets their number and makes it a long run. `REPLICA_FIRST_SEED=8` sets
    /// the first one.
    ///
    /// - Parameters:
    ///   - short: the number of seeds in the short tier.
    ///   - long: the number of seeds in the long tier.
    static func range(_ short: Int, long: Int) -> Range<Int> {
        let first = number("REPLICA_FIRST_SEED") ?? 0
        return first..<(first + (number("REPLICA_SEEDS") ?? TestTier.count(short, long: long)))
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
