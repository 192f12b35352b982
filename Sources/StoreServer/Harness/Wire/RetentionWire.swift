import StoreEngine
import StoreProtocol

extension TimerChoice {
    /// - Parameter wire: `nil` where the message comes without one.
    init(_ wire: WireMessageTimer?) throws(RequestFailure) {
        guard let wire else {
            self = .inherited
            return
        }
        self = try MessageTimer(wire: wire).map { .timer($0) } ?? .none
    }
}

extension MessageTimer {
    /// `nil` for a lifetime of 0.
    init?(wire: WireMessageTimer) throws(RequestFailure) {
        guard wire.lifetimeMilliseconds > 0 else { return nil }
        guard let start = Start(rawValue: wire.start.rawValue) else {
            throw .invalidArgument("a timer of messages does not say what starts it: sending or reading")
        }
        self.init(lifetime: try RetentionPeriod(wire: wire.lifetimeMilliseconds), start: start)
    }
}

extension RetentionPeriod {
    init(wire milliseconds: UInt64) throws(RequestFailure) {
        do throws(StoreError) {
            try self.init(milliseconds: milliseconds)
        } catch {
            throw RequestFailure(error)
        }
    }
}

extension RetentionUpdate {
    /// `nil` where the request names nothing of it.
    init?(_ request: WireUpdateConversationRequest) throws(RequestFailure) {
        guard request.hasMessageTimer || request.hasKeepForMilliseconds || request.hasKeepCount else { return nil }
        self.init()
        if request.hasMessageTimer {
            messageTimer = .some(try MessageTimer(wire: request.messageTimer))
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

extension WireMessageTimer {
    init(_ timer: MessageTimer) {
        self.init()
        lifetimeMilliseconds = timer.lifetime.milliseconds
        start =
            switch timer.start {
            case .sending: .sending
            case .reading: .reading
            }
    }
}

extension WireConversationRetention {
    /// `nil` for a conversation that keeps its messages.
    init?(_ retention: ConversationRetention) {
        guard retention != ConversationRetention() else { return nil }
        self.init()
        if let timer = retention.messageTimer {
            messageTimer = WireMessageTimer(timer)
        }
        keepForMilliseconds = retention.keepFor?.milliseconds ?? 0
        keepCount = retention.keepCount ?? 0
    }
}
