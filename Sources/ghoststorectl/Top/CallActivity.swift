/// The activity of a call between two readings of the daemon's metrics.
struct CallActivity {
    let name: String
    /// The number of requests since the daemon's start.
    let total: UInt64
    let failed: UInt64
    let perSecond: Double
    /// The mean duration; `nil` if no request was answered between the two readings, or if the daemon was restarted.
    let meanMicroseconds: UInt64?
    /// The durations that at most half of the requests exceeded (median) and that at most one in a hundred exceeded
    /// (high). `nil` if no request was answered between the two readings, if the daemon was restarted, or if the
    /// duration is above the highest bound of the daemon's histogram.
    let medianMicroseconds: UInt64?
    let highMicroseconds: UInt64?

    init(_ name: String, _ now: MetricsSnapshot.Call, since before: MetricsSnapshot.Call, seconds: Double) {
        self.name = name
        total = UInt64(saturating: now.answered)
        failed = UInt64(saturating: now.failed)
        // A restarted daemon counts from 0.
        let answered = now.answered >= before.answered ? now.answered - before.answered : now.answered
        let rate = answered / seconds
        // Counts that are too large for a Double give an infinite rate, which is shown as 0.
        perSecond = rate.isFinite ? rate : 0
        guard answered > 0, now.answered >= before.answered else {
            (meanMicroseconds, medianMicroseconds, highMicroseconds) = (nil, nil, nil)
            return
        }
        let sum = max(0, now.durationSecondsSum - before.durationSecondsSum)
        meanMicroseconds = UInt64(saturating: sum / answered * 1e6)
        let counts = now.countsByBound.map { (bound: $0.key, count: $0.value - (before.countsByBound[$0.key] ?? 0)) }
            .sorted { $0.bound < $1.bound }
        medianMicroseconds = Self.bound(counts, part: 0.5)
        highMicroseconds = Self.bound(counts, part: 0.99)
    }

    /// Returns the first bound that at least the given part of the requests did not exceed.
    private static func bound(_ counts: [(bound: Double, count: Double)], part: Double) -> UInt64? {
        guard let all = counts.last?.count, all > 0,
            let first = counts.first(where: { $0.count >= all * part }), first.bound.isFinite
        else { return nil }
        return UInt64(saturating: first.bound * 1e6)
    }
}

extension CallActivity: Tabular, Described {
    static let description = JSONFields<CallActivity>(
        name: "call",
        [
            .field("call", \.name), .field("total", \.total), .field("failed", \.failed),
            .field("requests_per_second") { DecimalText($0.perSecond) },
            .field("mean_microseconds", ifPresent: \.meanMicroseconds),
            .field("median_microseconds_max", ifPresent: \.medianMicroseconds),
            .field("percentile_99_microseconds_max", ifPresent: \.highMicroseconds),
        ])

    static let table: [TableColumn<CallActivity>] = [
        .init(.text("call", columnsMin: 12, worth: 9), \.name),
        .init(.number("per second", worth: 8)) { Quantity.tenths($0.perSecond) },
        .init(.number("mean", worth: 7)) { $0.meanMicroseconds.map(Quantity.milliseconds) },
        .init(.number("median", worth: 5)) { $0.medianMicroseconds.map { "<\(Quantity.milliseconds($0))" } },
        .init(.number("99 %", worth: 6)) { $0.highMicroseconds.map { "<\(Quantity.milliseconds($0))" } },
        .init(.number("total", worth: 4), \.total),
        .init(.number("failed", worth: 3)) { Table.Cell("\($0.failed)", $0.failed > 0 ? .red : nil) },
    ]
}

extension Quantity {
    /// Returns a number with one decimal: `12.3`.
    static func tenths(_ number: Double) -> String {
        let tenths = UInt64(saturating: (min(number, 1e15) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns a duration: `0.3 ms`.
    static func milliseconds(_ microseconds: UInt64) -> String {
        "\(tenths(Double(microseconds) / 1_000)) ms"
    }
}
