import StoreClient

extension UInt64 {
    /// Rounds the number down. A negative number or NaN gives 0; a number that is too large gives `UInt64.max`.
    init(saturating number: Double) {
        self = number > 0 ? UInt64(exactly: number.rounded(.down)) ?? .max : 0
    }
}

/// The metrics of the daemon at one moment, as far as `top` shows them.
struct MetricsSnapshot {
    /// The figures of one call since the daemon's start.
    struct Call {
        var succeeded: Double = 0
        var failed: Double = 0
        var durationSecondsSum: Double = 0
        /// For each bound in seconds, the number of requests that took at most that long.
        var countsByBound: [Double: Double] = [:]

        var answered: Double { succeeded + failed }
    }

    let takenAt = ContinuousClock.now
    private(set) var calls: [String: Call] = [:]
    /// The samples without labels, by name.
    private var singles: [String: Double] = [:]

    init(_ text: String) {
        for sample in MetricSample.samples(of: text) {
            guard let value = Double(sample.value), value.isFinite, value >= 0 else { continue }
            guard let name = sample.labels.first(where: { $0.name == "call" })?.value else {
                if sample.labels.isEmpty {
                    singles[sample.name] = value
                }
                continue
            }
            add(sample, value, to: &calls[name, default: Call()])
        }
    }

    private func add(_ sample: MetricSample, _ value: Double, to call: inout Call) {
        switch sample.name {
        case "ghoststore_requests_total":
            let isSuccess = sample.labels.contains { $0 == ("outcome", "success") }
            call.succeeded += isSuccess ? value : 0
            call.failed += isSuccess ? 0 : value
        case "ghoststore_request_duration_seconds_sum":
            call.durationSecondsSum = value
        case "ghoststore_request_duration_seconds_bucket":
            let bound = sample.labels.first { $0.name == "le" }.flatMap { Double($0.value) } ?? .infinity
            guard !bound.isNaN else { return }
            call.countsByBound[bound] = value
        default: break
        }
    }

    /// Returns the value of a metric; 0 if an older daemon does not have it.
    func value(_ name: String) -> Double {
        singles[name] ?? 0
    }

    func bytes(_ name: String) -> UInt64 {
        UInt64(saturating: value(name))
    }
}
