import StoreBasics

/// A name of 1 to `bytesMax` bytes of UTF-8 without NUL. Names are equal if their bytes are equal, as in SQLite.
/// Swift's own comparison of strings would treat "é" of one scalar and "é" of two scalars as equal.
package struct Name<Kind: NameKind>: Hashable, Sendable {
    package static var bytesMax: Int { Kind.bytesMax }

    package let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` if the text is empty, too long or contains a NUL.
    package init(_ text: String) throws(StoreError) {
        try FieldLimits.check(name: text, named: Kind.title, bytesMax: Kind.bytesMax)
        self.text = text
    }

    /// Creates a name that the engine generated or has read back from the store, without checks.
    init(trusted text: String) {
        self.text = text
    }

    package static func == (left: Name, right: Name) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Names are ordered by their bytes, as in SQLite. The order is the same on every device.
extension Name: Comparable {
    package static func < (left: Name, right: Name) -> Bool {
        left.text.hasLesserBytes(than: right.text)
    }
}

/// The kind of object that a `Name` identifies.
package protocol NameKind: Sendable {
    /// The name of the kind in messages for people.
    static var title: String { get }
    static var bytesMax: Int { get }
}

package enum EntityNameKind: NameKind {
    package static let title = "id"
    package static let bytesMax = 128
}

package enum SessionNameKind: NameKind {
    package static let title = "session id"
    package static let bytesMax = 256
}

package enum LogNameKind: NameKind {
    package static let title = "log name"
    package static let bytesMax = 256
}

package enum SceneNameKind: NameKind {
    package static let title = "scene"
    package static let bytesMax = 256
}

package enum SceneKeyKind: NameKind {
    package static let title = "key"
    package static let bytesMax = 256
}

/// The id of a conversation, message or contact, given by the client or a UUIDv7 made by the engine.
package typealias EntityID = Name<EntityNameKind>

/// The application's name of a conversation or contact.
package typealias SessionID = Name<SessionNameKind>

/// The application's name of an append log.
package typealias LogName = Name<LogNameKind>

/// The application's name of a scene.
package typealias SceneName = Name<SceneNameKind>

/// The application's key of a value in a scene.
package typealias SceneKey = Name<SceneKeyKind>

extension EntityID {
    /// Creates an id that is greater than all ids created by this process before. Messages with equal timestamps that
    /// are saved without ids thereby keep the order of saving.
    static func fresh() -> EntityID {
        EntityID(trusted: UUIDv7().description)
    }

    /// A bound that is less than every id.
    static let lowerBound = EntityID(trusted: "")
    /// A bound that is greater than every id. It consists of the greatest scalar, and is longer than any id.
    static let upperBound = EntityID(trusted: String(repeating: "\u{10FFFF}", count: bytesMax / 4 + 1))
}

/// A reference to a conversation by one of its two names.
package enum ConversationReference: Hashable, Sendable {
    case id(EntityID)
    case session(SessionID)
}

extension [String] {
    /// Compares bytes as the database does. Swift's own comparison uses canonical equivalence.
    func haveSameBytes(as others: [String]) -> Bool {
        elementsEqual(others) { $0.hasSameBytes(as: $1) }
    }
}

/// Checks of values that have no type of their own.
enum FieldLimits {
    static func checkDisplayName(_ text: String?) throws(StoreError) {
        try check(text, named: "display name", bytesMax: EngineLimits.displayNameBytesMax)
    }

    static func checkNotes(_ text: String?) throws(StoreError) {
        try check(text, named: "notes", bytesMax: EngineLimits.notesBytesMax)
    }

    static func checkAvatar(_ avatar: [UInt8]?) throws(StoreError) {
        guard let avatar, avatar.count > EngineLimits.avatarBytesMax else { return }
        throw .invalidArgument("the avatar has \(avatar.count) bytes; the limit is \(EngineLimits.avatarBytesMax)")
    }

    static func checkMessageText(_ text: String) throws(StoreError) {
        try check(text, named: "message text", bytesMax: EngineLimits.messageTextBytesMax)
    }

    static func checkAttachment(url: String?, type: String?) throws(StoreError) {
        try check(url, named: "attachment url", bytesMax: EngineLimits.attachmentURLBytesMax)
        try check(type, named: "attachment type", bytesMax: EngineLimits.attachmentTypeBytesMax)
    }

    static func checkKind(_ text: String?) throws(StoreError) {
        try check(text, named: "kind", bytesMax: EngineLimits.kindBytesMax)
    }

    static func checkSceneValue(_ value: [UInt8]?) throws(StoreError) {
        guard let value, value.count > EngineLimits.sceneValueBytesMax else { return }
        throw .invalidArgument("the value has \(value.count) bytes; the limit is \(EngineLimits.sceneValueBytesMax)")
    }

    static func checkCount(_ count: Int, named name: String) throws(StoreError) {
        guard count > 0 else { throw .invalidArgument("the request has no \(name)") }
        guard count <= EngineLimits.requestEntitiesMax else {
            throw .tooMany(count, name, countMax: EngineLimits.requestEntitiesMax)
        }
    }

    /// Checks the rules for all names: not empty, at most `bytesMax` bytes, without NUL.
    static func check(name text: String, named name: String, bytesMax: Int) throws(StoreError) {
        guard !text.isEmpty else { throw .invalidArgument("the \(name) is empty") }
        try check(text, named: name, bytesMax: bytesMax)
        guard !text.utf8.contains(0) else { throw .invalidArgument("the \(name) contains a NUL byte") }
    }

    static func check(_ text: String?, named name: String, bytesMax: Int) throws(StoreError) {
        guard let text, text.utf8.count > bytesMax else { return }
        throw .invalidArgument("the \(name) has \(text.utf8.count) bytes; the limit is \(bytesMax)")
    }
}
