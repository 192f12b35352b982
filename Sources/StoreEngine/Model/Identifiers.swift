/// The id of a conversation, message or contact: 1 to 128 bytes of UTF-8 without NUL, given by the client or a
/// UUIDv7 made by the engine.
public struct EntityID: Hashable, Sendable {
    public static let bytesMax = 128

    public let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    public init(_ text: String) throws(StoreError) {
        try TextRule.check(text, named: "id", bytesMax: Self.bytesMax)
        self.text = text
    }

    /// An id the engine made or has read back from the store.
    init(trusted text: String) {
        self.text = text
    }
}

/// What the application knows a party by: 1 to 256 bytes of UTF-8 without NUL.
public struct SessionID: Hashable, Sendable {
    public static let bytesMax = 256

    public let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    public init(_ text: String) throws(StoreError) {
        try TextRule.check(text, named: "session id", bytesMax: Self.bytesMax)
        self.text = text
    }

    init(trusted text: String) {
        self.text = text
    }
}

/// Ids are the same when their bytes are: see `TextRule.isSame`.
extension EntityID {
    public static func == (left: EntityID, right: EntityID) -> Bool {
        TextRule.isSame(left.text, right.text)
    }

    public func hash(into hasher: inout Hasher) {
        TextRule.hash(text, into: &hasher)
    }
}

extension SessionID {
    public static func == (left: SessionID, right: SessionID) -> Bool {
        TextRule.isSame(left.text, right.text)
    }

    public func hash(into hasher: inout Hasher) {
        TextRule.hash(text, into: &hasher)
    }
}

/// A conversation by either of its names.
public enum ConversationReference: Hashable, Sendable {
    case id(EntityID)
    case session(SessionID)
}

/// What holds for every id and name.
enum TextRule {
    /// By bytes: Swift's own comparison of strings takes "é" of one scalar and "é" of two for the same, SQLite does
    /// not.
    static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    /// Goes with `isSame`.
    static func hash(_ text: String, into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    static func check(_ text: String, named name: String, bytesMax: Int) throws(StoreError) {
        let byteCount = text.utf8.count
        guard byteCount > 0 else {
            throw .invalidArgument("the \(name) is empty")
        }
        guard byteCount <= bytesMax else {
            throw .invalidArgument("the \(name) has \(byteCount) bytes; the most is \(bytesMax)")
        }
        guard !text.utf8.contains(0) else {
            throw .invalidArgument("the \(name) holds a NUL byte")
        }
    }
}
