extension Duration {
    /// Whole nanoseconds, at least 0 and at most what an Int64 holds (292 years).
    var nanosecondsClamped: Int64 {
        guard self > .zero else {
            return 0
        }
        let (seconds, attoseconds) = components
        let (whole, isLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isLarger) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isLarge || isLarger ? .max : sum
    }
}
