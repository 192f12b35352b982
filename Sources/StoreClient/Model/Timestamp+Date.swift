public import FoundationEssentials

extension Timestamp {
    /// Creates the instant of a date, rounded to the microsecond. A date outside the range becomes the nearest end of
    /// the range, and NaN becomes 1970-01-01.
    public init(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        self.init(microseconds: Int64(exactly: microseconds) ?? (microseconds > 0 ? .max : microseconds < 0 ? .min : 0))
    }

    /// The instant as a date. For dates within some centuries of today, converting it back gives the same microsecond.
    public var date: Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
