import StoreProtocol
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

@Suite struct ConnectionRegistryTests {
    @Test func `users share the places and root keeps some`() throws {
        let registry = ConnectionRegistry(connectionsMax: 64)
        var counts: [Int] = []
        for uid in 1...8 as ClosedRange<UInt32> {
            var count = 0
            while (try? registry.add(uid: uid, hasReserve: false)) != nil {
                count += 1
            }
            counts.append(count)
        }
        #expect(counts.prefix(3) == [31, 16, 8])
        #expect(registry.total == 62)
        try registry.add(uid: 0, hasReserve: true)
        try registry.add(uid: 0, hasReserve: true)
        #expect(throws: RequestFailure.self) { try registry.add(uid: 0, hasReserve: true) }
        registry.remove(uid: 1)
        try registry.add(uid: 0, hasReserve: true)
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

    @Test func `a report has what areas of the vault hold, and the bounds that there are`() {
        var report = MetricsReport()
        report.status.fileAreas = [
            FileAreaUsage(
                area: .cache, usage: FileUsage(fileCount: 2, directoryCount: 1, byteCount: 10), byteCountMax: 1_000),
            FileAreaUsage(
                area: .document, usage: FileUsage(fileCount: 3, directoryCount: 0, byteCount: 20), byteCountMax: 0),
        ]
        let lines = report.text.split(separator: "\n").filter { $0.hasPrefix("ghoststore_file") }
        #expect(
            lines == [
                "ghoststore_files{area=\"cache\"} 2", "ghoststore_files{area=\"document\"} 3",
                "ghoststore_file_bytes{area=\"cache\"} 10", "ghoststore_file_bytes{area=\"document\"} 20",
                "ghoststore_file_bytes_max{area=\"cache\"} 1000",
            ])
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
