internal import StoreProtocol

/// The text exposition format 0.0.4
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>).
struct PrometheusText {
    private(set) var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ value: UInt64, labels: String = "") {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    mutating func single(_ name: String, _ type: String, _ help: String, _ value: UInt64) {
        family(name, type, help)
        sample(name, value)
    }

    /// - Parameter nanoseconds: written as seconds, exactly.
    mutating func seconds(_ name: String, nanoseconds: UInt64, labels: String) {
        text += "\(name){\(labels)} \(Self.secondsText(nanoseconds))\n"
    }

    mutating func histogram(_ name: String, _ histogram: LatencyHistogram, labels: String) {
        var cumulative: UInt64 = 0
        for (bound, count) in zip(LatencyHistogram.boundsNanoseconds, histogram.counts) {
            cumulative += count
            sample("\(name)_bucket", cumulative, labels: "\(labels),le=\"\(Self.secondsText(bound))\"")
        }
        sample("\(name)_bucket", histogram.count, labels: "\(labels),le=\"+Inf\"")
        seconds("\(name)_sum", nanoseconds: histogram.sumNanoseconds, labels: labels)
        sample("\(name)_count", histogram.count, labels: labels)
    }

    /// Seconds with up to nine decimals, without trailing zeros.
    static func secondsText(_ nanoseconds: UInt64) -> String {
        let whole = nanoseconds / 1_000_000_000
        let fraction = nanoseconds % 1_000_000_000
        guard fraction > 0 else {
            return "\(whole)"
        }
        var digits = "\(fraction)"
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.last == "0" {
            digits.removeLast()
        }
        return "\(whole).\(digits)"
    }
}
