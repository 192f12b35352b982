import StoreProtocol
import Testing

@testable import StoreServer

@Suite struct MemoryBudgetTests {
    @Test func `reservations beyond the budget are refused until some is released`() {
        let budget = MemoryBudget(bytesMax: 100)
        #expect(budget.reserve(60))
        #expect(!budget.reserve(41))
        #expect(budget.reserve(40))
        budget.release(60)
        #expect(budget.reserve(60))
        #expect(budget.usedBytes == 100)
    }
}

@Suite struct ConnectionRegistryTests {
    @Test func `connections are bounded in all and per user`() throws {
        let registry = ConnectionRegistry(connectionsMax: 3, connectionsPerUserMax: 2)
        try registry.add(uid: 1)
        try registry.add(uid: 1)
        #expect(throws: RequestFailure.self) { try registry.add(uid: 1) }
        try registry.add(uid: 2)
        #expect(throws: RequestFailure.self) { try registry.add(uid: 3) }
        registry.remove(uid: 1)
        try registry.add(uid: 3)
        #expect(registry.total == 3)
    }
}

@Suite struct MetricsTests {
    @Test func `durations fall into the bucket that holds them`() {
        var histogram = LatencyHistogram()
        histogram.record(5_000)
        histogram.record(5_001)
        histogram.record(.max / 2)
        #expect(histogram.counts[0] == 1)
        #expect(histogram.counts[1] == 1)
        #expect(histogram.counts.last == 1)
        #expect(histogram.count == 3)
    }

    @Test(
        arguments: [
            (0, "0"), (5_000, "0.000005"), (1_000_000_000, "1"), (1_500_000_000, "1.5"), (123_456_789, "0.123456789"),
        ] as [(UInt64, String)])
    func `seconds are exact`(_ nanoseconds: UInt64, _ text: String) {
        #expect(PrometheusText.secondsText(nanoseconds) == text)
    }

    @Test func `a report counts what was recorded`() {
        let metrics = ServerMetrics()
        metrics.recordRequest(.getMessage, failure: nil, nanoseconds: 7_000)
        metrics.recordRequest(.getMessage, failure: .messageNotFound, nanoseconds: 3_000)
        metrics.recordError(.frameEmpty)
        metrics.recordTraffic(receivedBytes: 10, sentBytes: 20)
        let text = MetricsReport(totals: metrics.snapshot).text
        let lines = Set(text.split(separator: "\n").map(String.init))
        for line in [
            "ghoststore_requests_total{call=\"get_message\",outcome=\"success\"} 1",
            "ghoststore_requests_total{call=\"get_message\",outcome=\"failure\"} 1",
            "ghoststore_request_duration_seconds_bucket{call=\"get_message\",le=\"0.000005\"} 1",
            "ghoststore_request_duration_seconds_bucket{call=\"get_message\",le=\"0.00001\"} 2",
            "ghoststore_request_duration_seconds_bucket{call=\"get_message\",le=\"+Inf\"} 2",
            "ghoststore_request_duration_seconds_sum{call=\"get_message\"} 0.00001",
            "ghoststore_request_duration_seconds_count{call=\"get_message\"} 2",
            "ghoststore_errors_total{reason=\"MESSAGE_NOT_FOUND\"} 1",
            "ghoststore_errors_total{reason=\"FRAME_EMPTY\"} 1",
            "ghoststore_received_bytes_total 10",
            "ghoststore_sent_bytes_total 20",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `every sample has a family with a type and each family is declared once`() {
        let metrics = ServerMetrics()
        for kind in CallKind.allCases {
            metrics.recordRequest(kind, failure: nil, nanoseconds: 1)
        }
        let lines = MetricsReport(totals: metrics.snapshot).text.split(separator: "\n")
        let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ")[2] }
        #expect(Set(types).count == types.count)
        for line in lines where !line.hasPrefix("#") {
            let name = line.prefix { $0 != " " && $0 != "{" }
            let family = ["_bucket", "_sum", "_count"].reduce(name) { name, suffix in
                types.contains(name) || !name.hasSuffix(suffix) ? name : name.dropLast(suffix.count)
            }
            #expect(types.contains(family), "\(line)")
        }
    }

    @Test func `resident memory is plausible`() {
        #expect(ProcessMemory.residentBytes > 1 << 20)
    }
}
