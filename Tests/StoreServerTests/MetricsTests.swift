import StoreBasics
import StoreProtocol
import TestBasics
import Testing

@testable import StoreEngine
@testable import StoreServer

@Suite struct MetricsTests {
    @Test func `a value is counted in the bucket that contains it`() {
        let histogram = DoublingHistogram(.nanoseconds)
        let ends = DoublingScale.nanoseconds.ends
        #expect(ends.first == 4_096 && ends.last == 8_589_934_592)
        for value in [0, 1, 4_096, 4_097, 8_192, 8_193, 8_589_934_592, 8_589_934_593, .max / 2] as [UInt64] {
            histogram.record(value)
        }
        let counts = histogram.snapshot
        #expect(counts.counts.prefix(3) == [3, 2, 1])
        #expect(counts.counts.suffix(2) == [1, 2])
        #expect(counts.count == 9)
        let items = DoublingHistogram(.items)
        for value in 0...4 as ClosedRange<UInt64> {
            items.record(value)
        }
        #expect(items.snapshot.counts.prefix(4) == [2, 1, 2, 0])
        #expect(items.snapshot.sum == 10)
    }

    @Test func `concurrent threads lose no count`() async throws {
        let metrics = ServerMetrics()
        let count = UInt64(TestTier.count(2_000, long: 10_000))
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await onThread {
                        for step in 0..<count {
                            metrics.recordRequest(
                                .getMessage, failure: step % 4 == 0 ? .messageNotFound : nil, nanoseconds: step)
                            metrics.recordSent(bytes: 3)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let totals = metrics.snapshot
        #expect(totals.calls.count == 1)
        #expect(totals.calls[.getMessage]?.succeeded == 3 * count && totals.calls[.getMessage]?.failed == count)
        #expect(totals.calls[.getMessage]?.latency.count == 4 * count)
        #expect(totals.errors == [.messageNotFound: count])
        #expect(totals.sentBytes == 12 * count)
    }

    @Test func `the position of each call and each reason is its index`() {
        #expect(CallKind.allCases.map(\.position) == Array(CallKind.allCases.indices))
        #expect(ErrorReason.allCases.map(\.position) == Array(ErrorReason.allCases.indices))
    }

    @Test func `a report counts what was recorded`() {
        let metrics = ServerMetrics()
        metrics.recordRequest(.getMessage, failure: nil, nanoseconds: 7_000)
        metrics.recordRequest(.getMessage, failure: .messageNotFound, nanoseconds: 3_000)
        metrics.recordError(.frameEmpty)
        metrics.recordReceived(bytes: 10)
        metrics.recordSent(bytes: 20)
        let text = MetricsReport(totals: metrics.snapshot).text(.prometheus)
        let lines = Set(text.split(separator: "\n").map(String.init))
        for line in [
            "ghoststore_requests_total{call=\"get_message\",outcome=\"success\"} 1",
            "ghoststore_requests_total{call=\"get_message\",outcome=\"failure\"} 1",
            "ghoststore_request_duration_seconds_bucket{call=\"get_message\",le=\"0.000004096\"} 1",
            "ghoststore_request_duration_seconds_bucket{call=\"get_message\",le=\"0.000008192\"} 2",
            "ghoststore_request_duration_seconds_bucket{call=\"get_message\",le=\"+Inf\"} 2",
            "ghoststore_request_duration_seconds_sum{call=\"get_message\"} 0.00001",
            "ghoststore_request_duration_seconds_count{call=\"get_message\"} 2",
            "ghoststore_errors_total{reason=\"MESSAGE_NOT_FOUND\"} 1",
            "ghoststore_errors_total{reason=\"FRAME_EMPTY\"} 1",
            "ghoststore_received_bytes_total 10",
            "ghoststore_sent_bytes_total 20",
            "ghoststore_group_requests_bucket{le=\"+Inf\"} 0",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `a report has the usage of each area, and its limit if it has one`() {
        var report = MetricsReport()
        report.status.fileAreas = [
            FileAreaUsage(
                area: .cache, usage: FileUsage(fileCount: 2, directoryCount: 1, byteCount: 10), byteCountMax: 1_000),
            FileAreaUsage(
                area: .document, usage: FileUsage(fileCount: 3, directoryCount: 0, byteCount: 20), byteCountMax: 0),
        ]
        let lines = report.text(.prometheus).split(separator: "\n").filter { $0.hasPrefix("ghoststore_file") }
        #expect(
            lines == [
                "ghoststore_files{area=\"cache\"} 2", "ghoststore_files{area=\"document\"} 3",
                "ghoststore_file_bytes{area=\"cache\"} 10", "ghoststore_file_bytes{area=\"document\"} 20",
                "ghoststore_file_limit_bytes{area=\"cache\"} 1000",
            ])
    }

    /// Every user of a machine can read the metrics file that the timer writes (docs/operations.md), so labels must not
    /// contain texts that users choose.
    @Test func `labels are fixed words and never texts of users`() {
        var report = MetricsReport()
        let usage = FileUsage(fileCount: 1, directoryCount: 0, byteCount: 1)
        report.status.fileAreas = [FileAreaUsage(area: .cache, usage: usage, byteCountMax: 1)]
        let metrics = ServerMetrics()
        metrics.recordRequest(.getMessage, failure: .messageNotFound, nanoseconds: 1)
        report.totals = metrics.snapshot
        let labels = report.text(.openMetrics).matches(of: /[{,](\w+)=/).map { String($0.1) }
        let versions: Set = ["version", "sqlcipher", "sqlite", "libsodium"]
        #expect(Set(labels) == versions.union(["call", "outcome", "reason", "state", "area", "le"]))
    }

    @Test func `the budget reports its used, peak and total bytes and the number of waits`() {
        let peers = MemoryPeers(bytesMax: 1_000)
        peers.budget.add(600, uid: 1)
        peers.budget.release(500, uid: 1)
        #expect(
            peers.budget.figures
                == MemoryBudget.Figures(usedBytes: 100, peakBytes: 600, totalBytes: 1_000, waitCount: 0))
        let isTaken = (1...3 as ClosedRange<ConnectionID>).map { id in
            peers.budget.acquire(400, for: peers.account(id, uid: 2), isAlone: false)
        }
        #expect(isTaken == [true, false, false])
        #expect(
            peers.budget.figures
                == MemoryBudget.Figures(usedBytes: 500, peakBytes: 600, totalBytes: 1_000, waitCount: 2))
    }

    @Test func `resident memory is plausible`() {
        #expect(ProcessMemory.residentBytes > 1 << 20)
    }
}

@Suite struct MetricsReportTextTests {
    private static func everything(_ format: MetricsText.Format) -> [Substring] {
        let metrics = ServerMetrics()
        for kind in CallKind.allCases {
            metrics.recordRequest(kind, failure: nil, nanoseconds: 1)
        }
        return MetricsReport(totals: metrics.snapshot).text(format).split(separator: "\n")
    }

    @Test(arguments: [MetricsText.Format.prometheus, .openMetrics])
    func `each metric is declared once before its samples and begins with ghoststore`(format: MetricsText.Format) {
        var declared: Set<Substring> = []
        var type = (name: Substring(), kind: Substring())
        for line in Self.everything(format) where line != "# EOF" {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# HELP ") {
                #expect(declared.insert(words[2]).inserted && words[2].hasPrefix("ghoststore_"), "\(line)")
                #expect(words[3].hasSuffix("."))
            } else if line.hasPrefix("# TYPE ") {
                type = (words[2], words[3])
                #expect(declared.contains(type.name))
            } else if line.hasPrefix("# UNIT ") {
                #expect(format == .openMetrics && type.name.hasSuffix("_\(words[3])"))
            } else {
                let name = line.prefix { $0 != " " && $0 != "{" }
                let endings =
                    switch type.kind {
                    case "histogram": ["_bucket", "_sum", "_count"]
                    case "counter" where format == .openMetrics: ["_total"]
                    default: [""]
                    }
                #expect(endings.contains { name == type.name + $0 }, "\(line)")
                #expect(type.kind != "counter" || name.hasSuffix("_total"), "\(line)")
            }
        }
        #expect(declared.count > 30)
    }
}
