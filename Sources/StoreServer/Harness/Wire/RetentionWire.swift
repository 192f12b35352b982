import StoreBasics
import StoreEngine
import StoreProtocol

/// The fields of `MessageTimer` as they are on the wire.
struct TimerFields {
    var lifetimeMilliseconds: UInt64 = 0
    var start: UInt64 = 0

    init(_ wire: WireMessageTimer) {
        lifetimeMilliseconds = wire.lifetimeMilliseconds
        start = UInt64(clamping: wire.start.rawValue)
    }

    /// `nil` unless every field is known and occurs at most once.
    init?(_ message: UnsafeRawBufferPointer, _ range: Range<Int>) {
        var reader = ProtobufReader(message, range: range)
        var seen: UInt32 = 0
        while true {
            guard let next = try? reader.nextOrEnd() else { return nil }
            guard case .field(let field) = next else { return }
            guard field.number <= 2, seen & (1 << field.number) == 0, case .varint(let value) = field.value else {
                return nil
            }
            seen |= 1 << field.number
            if field.number == 1 {
                lifetimeMilliseconds = value
            } else {
                start = value
            }
        }
    }
}

extension TimerChoice {
    /// - Parameter wire: `nil` where the message comes without one.
    init(_ wire: TimerFields?) throws(RequestFailure) {
        guard let wire else {
            self = .inherited
            return
        }
        self = try MessageTimer(wire: wire).map { .timer($0) } ?? .none
    }
}

extension MessageTimer {
    /// `nil` for a lifetime of 0.
    init?(wire: TimerFields) throws(RequestFailure) {
        guard wire.lifetimeMilliseconds > 0 else { return nil }
        guard let start = Int(exactly: wire.start).flatMap(Start.init(rawValue:)) else {
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
            messageTimer = .some(try MessageTimer(wire: TimerFields(request.messageTimer)))
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
