import Testing

@testable import ghoststorectl

/// The numbers that `top` computes from metrics, including inconsistent ones.
@Suite struct TopNumberTests {
    private func call(_ name: String, answered: String, sum: String, bucket: String = "") -> String {
        """
        ghoststore_requests_total{call="\(name)",outcome="success"} \(answered)
        ghoststore_request_duration_seconds_sum{call="\(name)"} \(sum)
        \(bucket)

        """
    }

    private func activity(_ before: String, _ now: String, seconds: Double = 1) throws -> CallActivity {
        let snapshots = (MetricsSnapshot(before), MetricsSnapshot(now))
        let call = try #require(snapshots.1.calls["x"])
        return CallActivity("x", call, since: snapshots.0.calls["x"] ?? MetricsSnapshot.Call(), seconds: seconds)
    }

    @Test func `a rate, a mean and bounds are computed from the requests between two moments`() throws {
        func bucket(_ bound: String, _ count: Int) -> String {
            "ghoststore_request_duration_seconds_bucket{call=\"x\",le=\"\(bound)\"} \(count)\n"
        }
        let before = call(
            "x", answered: "10", sum: "1", bucket: ["0.001", "0.01", "+Inf"].map { bucket($0, 10) }.joined())
        let after = call(
            "x", answered: "20", sum: "1.02",
            bucket: bucket("0.001", 15) + bucket("0.01", 19) + bucket("+Inf", 20))
        let found = try activity(before, after, seconds: 2)
        #expect(found.perSecond == 5 && found.total == 20)
        #expect(found.meanMicroseconds.map { (1_999...2_000).contains($0) } == true)
        // One call in ten took longer than the highest bound, so the high percentile is unknown.
        #expect(found.medianMicroseconds == 1_000 && found.highMicroseconds == nil)
    }

    @Test func `a restarted daemon and a daemon without calls have no mean`() throws {
        let anew = try activity(call("x", answered: "10", sum: "1"), call("x", answered: "4", sum: "1"))
        #expect(anew.perSecond == 4 && anew.meanMicroseconds == nil)
        let idle = try activity(call("x", answered: "10", sum: "1"), call("x", answered: "10", sum: "1"))
        #expect(idle.perSecond == 0 && idle.meanMicroseconds == nil && idle.medianMicroseconds == nil)
        #expect(try activity("", call("x", answered: "0", sum: "0"), seconds: 0).perSecond == 0)
    }

    @Test func `extreme and invalid numbers do not trap, and the JSON contains only finite numbers`() throws {
        let numbers = [
            "NaN", "+Inf", "-Inf", "-1", "1e308", "1.7976931348623157e308", "1e-320", "18446744073709551616", "x", "",
            "0x1p3",
        ]
        let buckets = ["NaN", "+Inf", "-Inf", "-1", "1e308", "x"].map {
            "ghoststore_request_duration_seconds_bucket{call=\"x\",le=\"\($0)\"} 1e308"
        }.joined(separator: "\n")
        for answered in numbers {
            for sum in numbers {
                let failed = "ghoststore_requests_total{call=\"x\",outcome=\"failure\"} 1.7976931348623157e308\n"
                let text = call("x", answered: answered, sum: sum, bucket: buckets) + failed
                for (before, seconds) in [("", 1.0), (call("x", answered: sum, sum: answered), 0), (text, 1e-300)] {
                    let found = try activity(before, text, seconds: seconds)
                    #expect(found.perSecond.isFinite && found.cells.count == CallActivity.columns.count)
                    let json = found.json.closed.lowercased()
                    #expect(!json.contains("inf") && !json.contains("nan"), "\(json)")
                }
            }
        }
    }

    @Test func `lines that are no samples are skipped`() {
        let lines = [
            "", " ", "{", "}", "a{", "a} 1", "{} 1", "a{b=\"} 1", "a{b=\"\\\"} 1", "a{=\"\"} 1", "# x 1", "a 1 2 3",
        ]
        for line in lines {
            for sample in MetricSample.samples(of: line) {
                #expect(!sample.json.closed.isEmpty)
            }
            #expect(MetricsSnapshot(line).calls.isEmpty)
        }
        #expect(MetricsSnapshot("ghoststore_watches NaN").bytes("ghoststore_watches") == 0)
        #expect(MetricsSnapshot("ghoststore_watches 1e300").bytes("ghoststore_watches") == .max)
        #expect(MetricsSnapshot("").value("ghoststore_watches") == 0)
    }
}
