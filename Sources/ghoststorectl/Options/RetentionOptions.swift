import ArgumentParser
import StoreClient

/// A value to set, or the word `off`, which removes the stored value.
enum Removable<Value: Hashable & Sendable>: Hashable, Sendable {
    case value(Value)
    case off

    static var word: String { "off" }

    var update: FieldUpdate<Value> {
        switch self {
        case .value(let value): .set(value)
        case .off: .remove
        }
    }
}

/// A retention period on the command line: a whole number above 0 with a unit, or `off` for none.
struct PeriodOption: ExpressibleByArgument {
    static let help = "90s, 15m, 12h, 7d, 4w, or off"

    let period: Removable<Duration>

    init?(argument: String) {
        if argument == Removable<Duration>.word {
            period = .off
        } else if let milliseconds = TimeSpan.milliseconds(argument), milliseconds > 0 {
            period = .value(.milliseconds(milliseconds))
        } else {
            return nil
        }
    }
}

/// The number of messages to keep, on the command line: at least 1, or `off` for all.
struct KeepCountOption: ExpressibleByArgument {
    let count: Removable<Int>

    init?(argument: String) {
        if argument == Removable<Int>.word {
            count = .off
        } else if let number = UInt32(argument), number > 0 {
            count = .value(Int(number))
        } else {
            return nil
        }
    }
}

/// The timer of one message, or the default timer of a conversation's messages.
struct TimerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Time after which a message is deleted: \(PeriodOption.help).", valueName: "period"))
    var expireAfter: PeriodOption?

    @Option(help: "Event that starts the time of --expire-after (default: sending).")
    var expireFrom: WordOption<MessageTimer.Start>?

    func validate() throws {
        guard expireFrom == nil || expireAfter != nil else {
            throw ValidationError("--expire-from needs --expire-after")
        }
    }

    /// The timer; `nil` if the option is not given.
    var timer: Removable<MessageTimer>? {
        switch expireAfter?.period {
        case nil: nil
        case .off: .off
        case .value(let lifetime): .value(MessageTimer(lifetime: lifetime, start: expireFrom?.value ?? .sending))
        }
    }

    /// The timer of a new message; `nil` uses the timer of the message's conversation.
    var ofMessage: MessageTimer? {
        switch timer {
        case nil: nil
        case .off: .never
        case .value(let timer): timer
        }
    }
}

/// The options that set or remove the retention rules of a conversation.
struct RetentionOptions: ParsableArguments {
    @OptionGroup var timer: TimerOptions

    @Option(
        help: ArgumentHelp(
            "Delete messages older than this, now and in the future: \(PeriodOption.help).", valueName: "period"))
    var keepFor: PeriodOption?

    @Option(help: ArgumentHelp("Keep only this many of the newest messages; off keeps all.", valueName: "count"))
    var keepCount: KeepCountOption?

    var isGiven: Bool { timer.expireAfter != nil || keepFor != nil || keepCount != nil }

    /// True if applying the rules may delete existing messages.
    var mayDelete: Bool {
        if case .value = keepFor?.period { return true }
        if case .value = keepCount?.count { return true }
        return false
    }

    func apply(to update: inout ConversationUpdate) {
        update.messageTimer = timer.timer?.update ?? .keep
        update.keepFor = keepFor?.period.update ?? .keep
        update.keepCount = keepCount?.count.update ?? .keep
    }
}
