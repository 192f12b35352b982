/// Makes a message go some time after something has happened to it.
public struct MessageTimer: Hashable, Sendable, Codable {
    /// What starts a timer.
    public enum Start: String, Hashable, Sendable, CaseIterable, Codable {
        /// An outgoing message has the status sent or delivered; one that came in is saved. That of one which is saved
        /// later than its timestamp says has run since then.
        case sending
        /// The message is marked read.
        case reading
    }

    /// How long the message is kept once the timer runs: 1 to 3,162,240,000,000 (100 years).
    public var lifetimeMilliseconds: UInt64
    /// What starts it.
    public var start: Start

    /// - Parameters:
    ///   - lifetime: 1 ms to 100 years; a part of a millisecond counts as one.
    ///   - start: what starts it.
    public init(lifetime: Duration, start: Start) {
        lifetimeMilliseconds = lifetime.wholeMilliseconds
        self.start = start
    }

    /// For a new message: none, whatever its conversation has.
    public static let never = MessageTimer(lifetime: .zero, start: .sending)
}

/// How long a conversation keeps its messages; each of the three may be absent.
public struct ConversationRetention: Hashable, Sendable, Codable {
    /// What messages get that are saved without a timer.
    public var messageTimer: MessageTimer?
    /// Messages whose timestamp is as long ago are deleted: 1 to 3,162,240,000,000.
    public var keepForMilliseconds: UInt64?
    /// The newest so many are kept.
    public var keepCount: Int?

    /// For tests and previews: the calls of a client make their own.
    public init(messageTimer: MessageTimer? = nil, keepForMilliseconds: UInt64? = nil, keepCount: Int? = nil) {
        self.messageTimer = messageTimer
        self.keepForMilliseconds = keepForMilliseconds
        self.keepCount = keepCount
    }
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
