/// The text of a program's metrics for a collector such as Prometheus. A family is a metric with all its samples.
package struct MetricsText {
    package enum Format: Hashable, Sendable {
        /// The text exposition format 0.0.4
        /// (<https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format>).
        case prometheus
        /// OpenMetrics 1.0 (<https://prometheus.io/docs/specs/om/open_metrics_spec/>).
        case openMetrics
    }

    package enum Kind: String {
        case counter, gauge, histogram
    }

    /// The labels of a sample, in the given order: `["call": "ping", "outcome": "success"]`.
    package struct Labels: Hashable, Comparable, Sendable, ExpressibleByDictionaryLiteral {
        /// The text between the braces.
        fileprivate let text: String

        package init(dictionaryLiteral labels: (String, String)...) {
            text = labels.map { "\($0)=\"\(MetricsText.escaped($1, quotes: true))\"" }
                .joined(separator: ",")
        }

        package static func < (left: Labels, right: Labels) -> Bool {
            left.text < right.text
        }
    }

    /// The unit of values. The name of a metric ends with its unit.
    private enum Unit: String, CaseIterable {
        case seconds, bytes
    }

    private let format: Format
    private var lines = ""
    private var name = ""
    private var kind = Kind.gauge

    package init(_ format: Format) {
        self.format = format
    }

    /// Returns the complete text, with the end mark that OpenMetrics requires.
    package consuming func finished() -> String {
        format == .openMetrics ? lines + "# EOF\n" : lines
    }

    /// Begins a family. All following samples belong to it.
    ///
    /// - Parameter name: the name of the metric. For a counter, this is the name without the suffix `_total`.
    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        let family = format == .prometheus ? sampleName : name
        lines += "# HELP \(family) \(Self.escaped(help, quotes: format == .openMetrics))\n"
        lines += "# TYPE \(family) \(kind.rawValue)\n"
        if format == .openMetrics, let unit = Unit.allCases.first(where: { name.hasSuffix("_\($0.rawValue)") }) {
            lines += "# UNIT \(family) \(unit.rawValue)\n"
        }
    }

    package mutating func sample(_ value: UInt64, _ labels: Labels = [:]) {
        line(sampleName, labels, "\(value)")
    }

    package mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: UInt64) {
        family(name, kind, help)
        sample(value)
    }

    /// Adds a histogram of nanoseconds, written in seconds.
    package mutating func durations(_ counts: HistogramCounts, _ labels: Labels = [:]) {
        buckets(counts, labels, Self.secondsText)
    }

    /// Adds a histogram of numbers without conversion.
    package mutating func amounts(_ counts: HistogramCounts, _ labels: Labels = [:]) {
        buckets(counts, labels) { "\($0)" }
    }

    private mutating func buckets(_ counts: HistogramCounts, _ labels: Labels, _ number: (UInt64) -> String) {
        var cumulative: UInt64 = 0
        for (end, count) in zip(counts.scale.ends, counts.counts) {
            cumulative &+= count
            line("\(name)_bucket", labels, "\(cumulative)", bound: fractional(number(end)))
        }
        line("\(name)_bucket", labels, "\(counts.count)", bound: "+Inf")
        line("\(name)_sum", labels, number(counts.sum))
        line("\(name)_count", labels, "\(counts.count)")
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String, bound: String? = nil) {
        let texts = [labels.text, bound.map { "le=\"\($0)\"" } ?? ""].filter { !$0.isEmpty }
        lines += texts.isEmpty ? "\(name) \(value)\n" : "\(name){\(texts.joined(separator: ","))} \(value)\n"
    }

    private var sampleName: String { kind == .counter ? name + "_total" : name }

    /// Returns a bucket's bound. OpenMetrics compares bounds as texts and requires a fraction.
    private func fractional(_ number: String) -> String {
        format == .prometheus || number.contains(".") ? number : number + ".0"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Returns seconds with up to nine decimals, without trailing zeros.
    package static func secondsText(_ nanoseconds: UInt64) -> String {
        let whole = nanoseconds / 1_000_000_000
        let fraction = nanoseconds % 1_000_000_000
        guard fraction > 0 else { return "\(whole)" }
        var digits = "\(fraction)"
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.last == "0" {
            digits.removeLast()
        }
        return "\(whole).\(digits)"
    }
}
