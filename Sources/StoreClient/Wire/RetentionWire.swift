import StoreProtocol

extension MessageTimer {
    init(_ wire: WireMessageTimer) {
        self.init(lifetime: .zero, start: wire.start == .reading ? .reading : .sending)
        lifetimeMilliseconds = wire.lifetimeMilliseconds
    }
}

extension WireMessageTimer {
    init(_ timer: MessageTimer) {
        self.init()
        lifetimeMilliseconds = timer.lifetimeMilliseconds
        start =
            switch timer.start {
            case .sending: .sending
            case .reading: .reading
            }
    }
}

extension ConversationRetention {
    init(_ wire: WireConversationRetention) {
        self.init(
            messageTimer: wire.hasMessageTimer ? MessageTimer(wire.messageTimer) : nil,
            keepForMilliseconds: wire.keepForMilliseconds == 0 ? nil : wire.keepForMilliseconds,
            keepCount: wire.keepCount == 0 ? nil : Int(wire.keepCount))
    }
}
