import Glibc

/// The result of one run of one scenario.
struct Measurement: Codable, Sendable {
    var scenario: String
    var clients: Int
    /// The measured time, without the warm-up.
    var seconds: Double
    var requests: UInt64
    var requestsPerSecond: Double
    /// The mean size of a response's payload.
    var responseBytesMean: Double
    var latencyMicroseconds: LatencySummary
    /// The latencies by kind of request, for scenarios that mix several kinds.
    var latencyMicrosecondsByKind: [String: LatencySummary]?
}

/// The percentiles of a latency, in microseconds.
struct LatencySummary: Codable, Sendable {
    var count: UInt64
    var mean: Double
    var p50: Double
    var p90: Double
    var p99: Double
    var p999: Double
    var max: Double
}

extension Collection<Double> {
    /// The middle value, or the mean of the two middle values if the count is even. The collection must not be empty.
    var median: Double {
        precondition(!isEmpty)
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}

struct Machine: Codable, Sendable {
    var processor: String
    var coreCount: Int
    var memoryMebibytes: Int
    var kernel: String
    var system: String
    /// The time of the measurement in seconds since 1970.
    var measuredAtSeconds: Int

    static func describe() -> Machine {
        var name = utsname()
        uname(&name)
        let kernel = withUnsafeBytes(of: &name.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return Machine(
            processor: value(of: "model name", in: "/proc/cpuinfo") ?? "unknown",
            coreCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)),
            memoryMebibytes: sysconf(Int32(_SC_PHYS_PAGES)) / 1_024 * sysconf(Int32(_SC_PAGESIZE)) / 1_024,
            kernel: kernel,
            system: value(of: "PRETTY_NAME", in: "/etc/os-release") ?? "unknown",
            measuredAtSeconds: time(nil))
    }

    /// Returns the first value of `key: value` or `key="value"` in a file.
    private static func value(of key: String, in path: String) -> String? {
        guard let text = try? TextFile.read(path) else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix(key) {
            if let separator = line.firstIndex(where: { $0 == ":" || $0 == "=" }) {
                let value = line[line.index(after: separator)...]
                return String(value.filter { $0 != "\"" && $0 != "\t" }.drop { $0 == " " })
            }
        }
        return nil
    }
}
