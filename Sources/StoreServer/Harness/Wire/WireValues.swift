import FoundationEssentials
import ReplicaModel
import StoreBasics
import StoreEngine
import StoreProtocol

// Single values of requests and answers. The conversions of whole messages (Generated/) use these functions.

// MARK: From a request to the engine: each throws the error of the engine.

extension Name {
    init(wire text: String) throws(StoreError) {
        self = try Name(text)
    }

    /// Creates the name of an optional field; `nil` if the field is empty.
    static func given(_ text: String) throws(StoreError) -> Name? {
        text.isEmpty ? nil : try Name(wire: text)
    }

    static func all(_ texts: [String]) throws(StoreError) -> [Name] {
        try texts.map { (text) throws(StoreError) in try Name(wire: text) }
    }
}

extension Emoji {
    init(wire text: String) throws(StoreError) {
        self = try Emoji(text)
    }
}

extension AttachmentDigest {
    init(wire bytes: Data) throws(StoreError) {
        self = try AttachmentDigest([UInt8](bytes))
    }
}

extension SearchQuery {
    /// Creates a query from a text as a person types it. The query matches messages that contain every word of the
    /// text.
    static func typed(_ text: String) throws(StoreError) -> SearchQuery {
        try SearchQuery(typed: text)
    }
}

extension ConversationReference {
    init(wire: WireConversationReference) throws(StoreError) {
        try self.init(wire.reference)
    }

    init(_ reference: WireConversationReference.OneOf_Reference?) throws(StoreError) {
        switch reference {
        case .id(let text): self = .id(try EntityID(wire: text))
        case .sessionID(let text): self = .session(try SessionID(wire: text))
        case nil: throw .invalidArgument("the conversation is missing; give its id or its session id")
        }
    }
}

extension Timestamp {
    init(wire microseconds: Int64) throws(StoreError) {
        self.init(microseconds: microseconds)
    }

    /// Returns the time; `nil` for 0, which means now.
    static func given(_ microseconds: Int64) -> Timestamp? {
        microseconds == 0 ? nil : Timestamp(microseconds: microseconds)
    }
}

extension FixedWidthInteger {
    init(wire value: Self) throws(StoreError) { self = value }
}

extension Bool {
    init(wire value: Bool) throws(StoreError) { self = value }
}

extension String {
    init(wire text: String) throws(StoreError) { self = text }

    /// The text of an optional field; `nil` if it is empty.
    var ifGiven: String? { isEmpty ? nil : self }
}

extension [UInt8] {
    init(wire bytes: Data) throws(StoreError) { self.init(bytes) }
}

extension UInt32 {
    /// Returns the time that a read may wait, in milliseconds, or throws if it is above the limit.
    func asWait() throws(StoreError) -> UInt32 {
        guard self <= CallLimits.waitMillisecondsMax else {
            throw .invalidArgument("the wait is \(self) ms; the limit is \(CallLimits.waitMillisecondsMax)")
        }
        return self
    }

    /// Returns the number of rows of a page, or the default if the client sent 0. Throws if the number is above `max`.
    func asLimit(
        default defaultValue: Int = EngineLimits.pageRowsDefault, max: Int = EngineLimits.pageRowsMax
    ) throws(StoreError) -> Int {
        guard self > 0 else { return defaultValue }
        guard self <= max else { throw .invalidArgument("the field 'limit' is \(self); the maximum is \(max)") }
        return Int(self)
    }
}

// MARK: From the engine to an answer. `nil` becomes the empty value.

func wire(_ text: String?) -> String { text ?? "" }
func wire(_ texts: [String]) -> [String] { texts }
func wire<Kind>(_ name: Name<Kind>) -> String { name.text }
func wire(_ emoji: Emoji) -> String { emoji.text }
func wire(_ type: MIMEType) -> String { type.text }
func wire(_ flag: Bool) -> Bool { flag }
func wire(_ number: UInt64?) -> UInt64 { number ?? 0 }
func wire(_ number: UInt32?) -> UInt32 { number ?? 0 }
func wire(_ microseconds: Int64) -> Int64 { microseconds }
func wire(_ number: Int64) -> UInt64 { UInt64(clamping: number) }
func wire(_ number: Int32) -> UInt32 { UInt32(clamping: number) }
func wire(_ number: Int) -> UInt32 { UInt32(clamping: number) }
func wire(_ number: Int) -> UInt64 { UInt64(clamping: number) }
func wire(_ time: Timestamp?) -> Int64 { time?.microseconds ?? 0 }
func wire(_ times: [Timestamp]) -> [Int64] { times.map(\.microseconds) }
func wire(_ period: RetentionPeriod?) -> UInt64 { period?.milliseconds ?? 0 }
func wire(_ bytes: [UInt8]) -> Data { Data(bytes) }
func wire(_ history: HistoryID?) -> Data { Data(history?.bytes ?? []) }
func wire(_ digest: AttachmentDigest) -> Data { Data(digest.bytes) }
