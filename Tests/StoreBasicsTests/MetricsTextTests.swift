import StoreBasics
import Testing

@Suite struct MetricsTextTests {
    @Test func `labels and help texts are escaped, and OpenMetrics output has units, fractions and an end mark`() {
        func text(_ format: MetricsText.Format) -> String {
            var text = MetricsText(format)
            text.family("ghoststore_made_bytes", .counter, "A \"quoted\" \\ and\na break.")
            text.sample(1, ["path": "a\\b\"c\nd", "other": "é"])
            text.family("ghoststore_made", .histogram, "One.")
            text.amounts(HistogramCounts(.items))
            return text.finished()
        }
        let prometheus = text(.prometheus).split(separator: "\n")
        #expect(
            prometheus.prefix(3) == [
                #"# HELP ghoststore_made_bytes_total A "quoted" \\ and\na break."#,
                "# TYPE ghoststore_made_bytes_total counter",
                #"ghoststore_made_bytes_total{path="a\\b\"c\nd",other="é"} 1"#,
            ])
        #expect(prometheus.contains(#"ghoststore_made_bucket{le="1"} 0"#))
        let openMetrics = text(.openMetrics).split(separator: "\n")
        #expect(
            openMetrics.prefix(4) == [
                #"# HELP ghoststore_made_bytes A \"quoted\" \\ and\na break."#,
                "# TYPE ghoststore_made_bytes counter", "# UNIT ghoststore_made_bytes bytes",
                #"ghoststore_made_bytes_total{path="a\\b\"c\nd",other="é"} 1"#,
            ])
        #expect(openMetrics.contains(#"ghoststore_made_bucket{le="1.0"} 0"#))
        #expect(openMetrics.last == "# EOF")
    }

    @Test(
        arguments: [
            (0, "0"), (5_000, "0.000005"), (1_000_000_000, "1"), (1_500_000_000, "1.5"), (123_456_789, "0.123456789"),
        ] as [(UInt64, String)])
    func `seconds are written exactly`(_ nanoseconds: UInt64, _ text: String) {
        #expect(MetricsText.secondsText(nanoseconds) == text)
    }
}
