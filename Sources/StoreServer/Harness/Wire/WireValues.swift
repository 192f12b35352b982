import StoreBasics
import StoreEngine
import StoreProtocol

// From what a request holds to what the engine takes: each throws `RequestFailure` for what the engine does not.

/// Runs one of the engine's parsing initialisers.
func checked<Value>(_ body: () throws(StoreError) -> Value) throws(RequestFailure) -> Value {
    do throws(StoreError) {
        return try body()
    } catch {
        throw RequestFailure(error)
    }
}

extension EntityID {
    init(wire text: String) throws(RequestFailure) {
        self = try checked { () throws(StoreError) in try EntityID(text) }
    }

    /// An id that may be left out.
    static func given(_ text: String) throws(RequestFailure) -> EntityID? {
        text.isEmpty ? nil : try EntityID(wire: text)
    }

    static func all(_ texts: [String]) throws(RequestFailure) -> [EntityID] {
        try texts.map { (text) throws(RequestFailure) in try EntityID(wire: text) }
    }
}

extension SessionID {
    init(wire text: String) throws(RequestFailure) {
        self = try checked { () throws(StoreError) in try SessionID(text) }
    }
}

extension SceneName {
    init(wire text: String) throws(RequestFailure) {
        self = try checked { () throws(StoreError) in try SceneName(text) }
    }
}

extension SceneKey {
    init(wire text: String) throws(RequestFailure) {
        self = try checked { () throws(StoreError) in try SceneKey(text) }
    }
}

extension LogName {
    init(wire text: String) throws(RequestFailure) {
        self = try checked { () throws(StoreError) in try LogName(text) }
    }
}

extension ConversationReference {
    init(_ reference: WireConversationReference.OneOf_Reference?) throws(RequestFailure) {
        switch reference {
        case .id(let text): self = .id(try EntityID(wire: text))
        case .sessionID(let text): self = .session(try SessionID(wire: text))
        case nil: throw .invalidArgument("the conversation is missing; give its id or its session id")
        }
    }
}

extension Timestamp {
    /// A time where 0 means now.
    static func given(_ microseconds: Int64) -> Timestamp? {
        microseconds == 0 ? nil : Timestamp(microseconds: microseconds)
    }
}

extension String {
    /// A text that may be left out.
    var ifGiven: String? { isEmpty ? nil : self }
}

extension UInt32 {
    /// How long a read may wait for something to read.
    func asWait() throws(RequestFailure) -> UInt32 {
        guard self <= CallLimits.waitMillisecondsMax else {
            throw .invalidArgument("the wait is \(self) ms; the limit is \(CallLimits.waitMillisecondsMax)")
        }
        return self
    }

    /// A page's number of rows, where 0 means the default.
    func asLimit(
        default defaultValue: Int = EngineLimits.pageRowsDefault, max: Int = EngineLimits.pageRowsMax
    ) throws(RequestFailure) -> Int {
        guard self > 0 else { return defaultValue }
        guard self <= max else { throw .invalidArgument("the limit is \(self); it can be at most \(max)") }
        return Int(self)
    }
}
