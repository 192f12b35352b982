/// How ``StoreClient/metrics(as:)`` writes numbers down.
public enum MetricsFormat: String, Hashable, Sendable, CaseIterable, Codable {
    /// The text exposition format 0.0.4, which node exporter's textfile collector reads.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics
}
