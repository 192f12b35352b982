/// How long a message is kept once something has happened to it.
package struct MessageTimer: Hashable, Sendable, BitwiseCopyable {
    /// What starts the timer. The raw values are kept at rest.
    package enum Start: Int, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// An outgoing message has the status sent or delivered; one that came in is saved.
        case sending = 1
        /// The message is marked read.
        case reading = 2
    }

    package let lifetime: RetentionPeriod
    package let start: Start

    package init(lifetime: RetentionPeriod, start: Start) {
        self.lifetime = lifetime
        self.start = start
    }

    /// As one number: its lifetime in microseconds, and in what is less than a millisecond what starts it.
    var number: Int64 { lifetime.microseconds + Int64(start.rawValue) }

    /// Of one kept at rest.
    init(number: Int64) throws(StoreError) {
        guard let start = Start(rawValue: Int(number % Self.startsEnd)) else {
            throw .databaseDamaged("a timer of messages is invalid")
        }
        self.init(lifetime: try RetentionPeriod(microseconds: number - number % Self.startsEnd), start: start)
    }

    /// Behind all numbers of what starts a timer, and what lifetimes are multiples of.
    static let startsEnd: Int64 = 1_000

    /// Whether it runs for a message like this.
    func runs(isOutgoing: Bool, isRead: Bool, status: MessageStatus) -> Bool {
        switch start {
        case .sending: !isOutgoing || status == .sent || status == .delivered
        case .reading: isRead
        }
    }
}

/// A length of time in whole milliseconds: at least one, at most a hundred years.
package struct RetentionPeriod: Hashable, Sendable, BitwiseCopyable {
    package static let millisecondsMax: UInt64 = 100 * 366 * 86_400_000

    package let milliseconds: UInt64

    /// - Throws: `.invalidArgument` for 0 and for more than `millisecondsMax`.
    package init(milliseconds: UInt64) throws(StoreError) {
        guard 1...Self.millisecondsMax ~= milliseconds else {
            throw .invalidArgument(
                "the time to keep messages is \(milliseconds) ms; it must be 1 to \(Self.millisecondsMax)")
        }
        self.milliseconds = milliseconds
    }

    /// Of one kept at rest.
    init(microseconds: Int64) throws(StoreError) {
        guard microseconds >= 1_000, UInt64(microseconds) / 1_000 <= Self.millisecondsMax else {
            throw .databaseDamaged("the time to keep messages is invalid")
        }
        milliseconds = UInt64(microseconds) / 1_000
    }

    var microseconds: Int64 { Int64(milliseconds) * 1_000 }
}

/// Which timer a message is to have.
package enum TimerChoice: Hashable, Sendable {
    /// That of its conversation; a message that is there already keeps the one it has.
    case inherited
    case none
    case timer(MessageTimer)
}
