/// The time for which a message is kept after a certain event.
package struct MessageTimer: Hashable, Sendable, BitwiseCopyable {
    /// The event that starts the timer. The raw values are stored on disk.
    package enum Start: Int, CaseIterable, Hashable, Sendable, BitwiseCopyable {
        /// An outgoing message gets the status sent or delivered, or an incoming one is saved.
        case sending = 1
        /// The message is marked as read.
        case reading = 2
    }

    package let lifetime: RetentionPeriod
    package let start: Start

    package init(lifetime: RetentionPeriod, start: Start) {
        self.lifetime = lifetime
        self.start = start
    }

    /// The timer as one number: the lifetime in microseconds, plus the raw value of `start`, which is less than a
    /// millisecond.
    var number: Int64 { lifetime.microseconds + Int64(start.rawValue) }

    /// - Throws: `.databaseDamaged` if `number` is not the `number` of a timer.
    init(number: Int64) throws(StoreError) {
        guard let start = Start(rawValue: Int(number % Self.startsEnd)) else {
            throw .databaseDamaged("a timer of messages is invalid")
        }
        self.init(lifetime: try RetentionPeriod(microseconds: number - number % Self.startsEnd), start: start)
    }

    /// The factor of the encoding: greater than all raw values of `start`, and a divisor of all lifetimes.
    static let startsEnd: Int64 = 1_000

    /// Returns whether the timer runs for a message with these properties.
    func runs(isOutgoing: Bool, isRead: Bool, status: MessageStatus) -> Bool {
        switch start {
        case .sending: !isOutgoing || status == .sent || status == .delivered
        case .reading: isRead
        }
    }
}

/// A period of whole milliseconds: at least one, at most a hundred years.
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

    /// - Throws: `.databaseDamaged` if the number is not a valid period.
    init(microseconds: Int64) throws(StoreError) {
        guard microseconds >= 1_000, UInt64(microseconds) / 1_000 <= Self.millisecondsMax else {
            throw .databaseDamaged("the time to keep messages is invalid")
        }
        milliseconds = UInt64(microseconds) / 1_000
    }

    var microseconds: Int64 { Int64(milliseconds) * 1_000 }
}

/// The timer that a save gives to a message.
package enum TimerChoice: Hashable, Sendable {
    /// The timer of the conversation. An existing message keeps its own.
    case inherited
    case none
    case timer(MessageTimer)
}
