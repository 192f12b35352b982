import FoundationEssentials
import Glibc

/// The environment variables that `make replication-long` and `make replication-faults` set.
enum LongRuns {
    /// The number of rounds, or 0 if the variable is not set.
    static let rounds = ProcessInfo.processInfo.environment["REPLICATION_ROUNDS"].flatMap { Int($0) } ?? 0
    static let seed =
        ProcessInfo.processInfo.environment["REPLICATION_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0..<1_000_000_000)

    /// The names of the faults to try, separated by commas in the variable. An empty set means all faults.
    static let faults = Set(
        (ProcessInfo.processInfo.environment["REPLICATION_FAULTS"] ?? "").split(separator: ",").map(String.init))

    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
