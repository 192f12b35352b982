import StoreBasics
import StoreEngine
import StoreProtocol

extension TimerChoice {
    /// - Parameter wire: `nil` where the message comes without one.
    init(_ wire: MessageTimerFields?) throws(StoreError) {
        guard let wire else {
            self = .inherited
            return
        }
        self = try MessageTimer(wire: wire).map { .timer($0) } ?? .none
    }
}

extension MessageTimer {
    /// The timer of a message that may have none.
    static func given(_ wire: WireMessageTimer?) throws(StoreError) -> MessageTimer? {
        try wire.flatMap { (wire) throws(StoreError) in try MessageTimer(wire: MessageTimerFields(wire)) }
    }

    /// `nil` for a lifetime of 0.
    init?(wire: MessageTimerFields) throws(StoreError) {
        guard wire.lifetimeMilliseconds > 0 else { return nil }
        guard let start = Int(exactly: wire.start).flatMap(Start.init(rawValue:)) else {
            throw .invalidArgument("a timer of messages does not name the event that starts it: sending or reading")
        }
        self.init(lifetime: try RetentionPeriod(wire: wire.lifetimeMilliseconds), start: start)
    }
}

extension RetentionPeriod {
    init(wire milliseconds: UInt64) throws(StoreError) {
        try self.init(milliseconds: milliseconds)
    }
}

extension RetentionUpdate {
    /// `nil` where the request names nothing of it.
    init?(_ request: WireUpdateConversationRequest) throws(StoreError) {
        guard request.hasMessageTimer || request.hasKeepForMilliseconds || request.hasKeepCount else { return nil }
        self.init()
        if request.hasMessageTimer {
            messageTimer = .some(try MessageTimer(wire: MessageTimerFields(request.messageTimer)))
        }
        if request.hasKeepForMilliseconds {
            let milliseconds = request.keepForMilliseconds
            keepFor = .some(milliseconds == 0 ? nil : try RetentionPeriod(wire: milliseconds))
        }
        if request.hasKeepCount {
            keepCount = .some(request.keepCount == 0 ? nil : request.keepCount)
        }
    }
}

extension ConversationRetention {
    /// `nil` for a conversation that keeps its messages.
    var ifSet: ConversationRetention? { self == ConversationRetention() ? nil : self }
}
