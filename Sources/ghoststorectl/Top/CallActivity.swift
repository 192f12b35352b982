/// What a call did between two moments.
struct CallActivity {
    let name: String
    /// Since the daemon's start.
    let total: UInt64
    let failed: UInt64
    let perSecond: Double
    /// `nil` where none was answered in between, and behind a start of the daemon.
    let meanMicroseconds: UInt64?
    /// No more than half of the requests, and one in a hundred, took longer; `nil` where none was answered, and where
    /// that is above the last bound that the daemon counts by.
    let medianMicroseconds: UInt64?
    let highMicroseconds: UInt64?

    init(_ name: String, _ now: MetricsSnapshot.Call, since before: MetricsSnapshot.Call, seconds: Double) {
        self.name = name
        total = UInt64(saturating: now.answered)
        failed = UInt64(saturating: now.failed)
        // A daemon that was started anew counts from 0.
        let answered = now.answered >= before.answered ? now.answered - before.answered : now.answered
        let rate = answered / seconds
        // Counts that a double cannot hold have no rate.
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

    /// The first bound below which so large a part of the requests stayed.
    private static func bound(_ counts: [(bound: Double, count: Double)], part: Double) -> UInt64? {
        guard let all = counts.last?.count, all > 0,
            let first = counts.first(where: { $0.count >= all * part }), first.bound.isFinite
        else { return nil }
        return UInt64(saturating: first.bound * 1e6)
    }
}

extension CallActivity: JSONRepresentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("call", name)
        object.add("total", total)
        object.add("failed", failed)
        object.add("requests_per_second", DecimalText(perSecond))
        object.add("mean_microseconds", ifPresent: meanMicroseconds)
        object.add("median_microseconds_max", ifPresent: medianMicroseconds)
        object.add("percentile_99_microseconds_max", ifPresent: highMicroseconds)
        return object
    }

    static var columns: [Table.Column] {
        [
            .text("call", columnsMin: 12, worth: 9), .number("per second", worth: 8), .number("mean", worth: 7),
            .number("median", worth: 5), .number("99 %", worth: 6), .number("total", worth: 4),
            .number("failed", worth: 3),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(name), Table.Cell(Quantity.tenths(perSecond)),
            Table.Cell(meanMicroseconds.map(Quantity.milliseconds) ?? ""),
            Table.Cell(medianMicroseconds.map { "<\(Quantity.milliseconds($0))" } ?? ""),
            Table.Cell(highMicroseconds.map { "<\(Quantity.milliseconds($0))" } ?? ""), "\(total)",
            Table.Cell("\(failed)", failed > 0 ? .red : nil),
        ]
    }
}

extension Quantity {
    /// `12.3`.
    static func tenths(_ number: Double) -> String {
        let tenths = UInt64(saturating: (min(number, 1e15) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// `0.3 ms`.
    static func milliseconds(_ microseconds: UInt64) -> String {
        "\(tenths(Double(microseconds) / 1_000)) ms"
    }
}
