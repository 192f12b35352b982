extension MessageTimer {
    /// Creates a timer that keeps a message for a time.
    ///
    /// - Parameters:
    ///   - lifetime: 1 ms to 100 years; a part of a millisecond counts as one.
    ///   - start: the event that starts the timer.
    public init(lifetime: Duration, start: Start) {
        self.init(lifetimeMilliseconds: lifetime.wholeMilliseconds, start: start)
    }

    /// For a new message: no timer, whatever its conversation has.
    public static let never = MessageTimer(lifetime: .zero, start: .sending)
}

extension Duration {
    /// Rounded up; 0 for a negative one, and at most what 64 bits hold.
    var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard self > .zero else { return 0 }
        let (product, isLarge) = UInt64(seconds).multipliedReportingOverflow(by: 1_000)
        let (sum, isLarger) = product.addingReportingOverflow(
            (UInt64(attoseconds) + 999_999_999_999_999) / 1_000_000_000_000_000)
        return isLarge || isLarger ? .max : sum
    }
}
