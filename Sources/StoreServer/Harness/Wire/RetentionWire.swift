import StoreBasics
import StoreEngine
import StoreProtocol

extension TimerChoice {
    /// - Parameter wire: `nil` if the request does not say whether the message has a timer. The conversation's timer
    ///   then applies.
    init(_ wire: MessageTimerFields?) throws(StoreError) {
        guard let wire else {
            self = .inherited
            return
        }
        self = try MessageTimer(wire: wire).map { .timer($0) } ?? .none
    }
}

extension MessageTimer {
    /// Creates the timer; `nil` for a lifetime of 0.
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
    /// Creates the change of retention; `nil` if the request changes none of its settings.
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
    /// The retention; `nil` for a conversation that keeps its messages.
    var ifSet: ConversationRetention? { self == ConversationRetention() ? nil : self }
}
