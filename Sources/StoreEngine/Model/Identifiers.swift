internal import StoreBasics

/// The id of a conversation, message or contact: 1 to 128 bytes of UTF-8 without NUL, given by the client or a
/// UUIDv7 made by the engine.
package struct EntityID: Hashable, Sendable {
    package static let bytesMax = 128

    package let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    package init(_ text: String) throws(StoreError) {
        try TextRule.check(text, named: "id", bytesMax: Self.bytesMax)
        self.text = text
    }

    /// An id the engine made or has read back from the store.
    init(trusted text: String) {
        self.text = text
    }

    /// A new id, greater than all that this process made before.
    static func fresh() -> EntityID {
        EntityID(trusted: UUIDv7().description)
    }
}

/// What the application knows a party by: 1 to 256 bytes of UTF-8 without NUL.
package struct SessionID: Hashable, Sendable {
    package static let bytesMax = 256

    package let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    package init(_ text: String) throws(StoreError) {
        try TextRule.check(text, named: "session id", bytesMax: Self.bytesMax)
        self.text = text
    }

    init(trusted text: String) {
        self.text = text
    }
}

/// Ids are the same when their bytes are: see `TextRule.isSame`.
extension EntityID {
    package static func == (left: EntityID, right: EntityID) -> Bool {
        TextRule.isSame(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        TextRule.hash(text, into: &hasher)
    }
}

extension SessionID {
    package static func == (left: SessionID, right: SessionID) -> Bool {
        TextRule.isSame(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        TextRule.hash(text, into: &hasher)
    }
}

/// A conversation by either of its names.
package enum ConversationReference: Hashable, Sendable {
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
