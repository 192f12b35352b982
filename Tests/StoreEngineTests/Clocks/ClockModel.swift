import StoreBasics

@testable import StoreEngine

/// A model that knows the true time of each action, and so which messages retention rules and timers may delete.
struct ClockModel {
    /// Conversations, named by the rule that deletes their messages.
    enum Talk: String, CaseIterable {
        case plain, timed, keptFor, keptCount

        var session: SessionID { SessionID(trusted: rawValue) }
        var reference: ConversationReference { .session(session) }
    }

    struct Message {
        var talk: Talk
        /// The time in microseconds, like all times here.
        var timestamp: Int64
        var timer: MessageTimer?
        /// The time at which the first device started the timer.
        var startedAt: Int64?
        var isDeleted = false
    }

    static let second: Int64 = 1_000_000
    static let day: Int64 = 86_400 * second
    static let keepFor: Int64 = 3 * day
    static let keepCount = 4
    /// The tolerance for a wrong clock. Once a day the store accepts a clock that is up to a minute ahead as an
    /// ordinary correction.
    private static let slackPerDay: Int64 = 61 * second

    let startedAt: Int64
    private(set) var messages: [String: Message] = [:]

    init(startedAt: Int64) {
        self.startedAt = startedAt
    }

    mutating func save(_ id: String, _ message: Message) {
        messages[id] = message
    }

    mutating func delete(_ id: String) {
        messages[id]?.isDeleted = true
    }

    mutating func read(_ id: String, at now: Int64) {
        guard let message = messages[id], message.timer?.start == .reading, message.startedAt == nil else { return }
        messages[id]?.startedAt = now
    }

    /// Returns true if a device may have deleted the message by the time `now`.
    func mayBeGone(_ id: String, at now: Int64) -> Bool {
        guard let message = messages[id] else { return false }
        if message.isDeleted { return true }
        let slack = Self.slackPerDay * (1 + (now - startedAt) / Self.day)
        if let timer = message.timer, let startedAt = message.startedAt {
            // A timer that starts at sending depends on the message's timestamp, and so on the clock.
            let spare = timer.start == .sending ? slack : 0
            if now >= startedAt + timer.lifetime.microseconds - spare { return true }
        }
        switch message.talk {
        case .plain, .timed: return false
        case .keptFor: return now >= message.timestamp + Self.keepFor - slack
        case .keptCount: return isAmongOldest(id, message)
        }
    }

    /// Returns true if no device has the message after all batches have arrived and all clocks are right.
    func isGone(_ id: String, at now: Int64) -> Bool {
        guard let message = messages[id] else { return true }
        let ends = message.startedAt.flatMap { start in message.timer.map { start + $0.lifetime.microseconds } }
        switch message.talk {
        case _ where message.isDeleted: return true
        case .plain, .timed: return ends.map { $0 <= now } ?? false
        case .keptFor: return message.timestamp + Self.keepFor <= now
        case .keptCount: return isAmongOldest(id, message)
        }
    }

    private func isAmongOldest(_ id: String, _ message: Message) -> Bool {
        let later = messages.count { other in
            other.value.talk == .keptCount && (other.value.timestamp, other.key) > (message.timestamp, id)
        }
        return later >= Self.keepCount
    }
}
