public import FoundationEssentials

extension Timestamp {
    /// The instant of a date, rounded to the microsecond; dates outside of the range are its ends, and what is no
    /// number is 1970-01-01.
    public init(_ date: Date) {
        let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
        self.init(microseconds: Int64(exactly: microseconds) ?? (microseconds > 0 ? .max : microseconds < 0 ? .min : 0))
    }

    /// The instant as a date, which keeps microseconds of the centuries around this one exactly enough to come back.
    public var date: Date {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
