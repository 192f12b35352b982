import FoundationEssentials
import Glibc

/// What `make replication-long` and `make replication-faults` ask for.
enum LongRuns {
    /// 0 without it.
    static let rounds = ProcessInfo.processInfo.environment["REPLICATION_ROUNDS"].flatMap { Int($0) } ?? 0
    static let seed =
        ProcessInfo.processInfo.environment["REPLICATION_SEED"].flatMap { UInt64($0) }
        ?? UInt64.random(in: 0..<1_000_000_000)

    /// The faults that are tried, by their names with commas between; empty: all.
    static let faults = Set(
        (ProcessInfo.processInfo.environment["REPLICATION_FAULTS"] ?? "").split(separator: ",").map(String.init))

    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}
