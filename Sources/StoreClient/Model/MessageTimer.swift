extension MessageTimer {
    /// Creates a timer that deletes a message after a time.
    ///
    /// - Parameters:
    ///   - lifetime: 1 ms to 100 years; a fraction of a millisecond is rounded up.
    ///   - start: The event that starts the timer.
    public init(lifetime: Duration, start: Start) {
        self.init(lifetimeMilliseconds: lifetime.wholeMilliseconds, start: start)
    }

    /// No timer for a new message, even if its conversation has a default one.
    public static let never = MessageTimer(lifetime: .zero, start: .sending)
}

extension Duration {
    /// The duration in milliseconds, rounded up; 0 if it is negative, and at most the largest 64-bit number.
    var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard self > .zero else { return 0 }
        let (product, isLarge) = UInt64(seconds).multipliedReportingOverflow(by: 1_000)
        let (sum, isLarger) = product.addingReportingOverflow(
            (UInt64(attoseconds) + 999_999_999_999_999) / 1_000_000_000_000_000)
        return isLarge || isLarger ? .max : sum
    }
}
