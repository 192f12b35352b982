import Glibc

/// What `make replica-long` asks for.
enum ReplicaSeeds {
    static let isLongRun = number("REPLICA_SEEDS") != nil

    /// `REPLICA_SEEDS=1000` in the environment makes it a long run, `REPLICA_FIRST_SEED=8` begins with that one.
    ///
    /// - Parameter count: how many there are without it.
    static func range(_ count: Int) -> Range<Int> {
        let first = number("REPLICA_FIRST_SEED") ?? 0
        return first..<(first + (number("REPLICA_SEEDS") ?? count))
    }

    private static func number(_ name: String) -> Int? {
        getenv(name).flatMap { Int(String(cString: $0)) }
    }
}
