internal import StoreBasics

/// What something is called: 1 to `bytesMax` bytes of UTF-8 without NUL. Names are the same when their bytes are:
/// Swift's own comparison of strings takes "é" of one scalar and "é" of two for the same, SQLite does not.
package struct Name<Kind: NameKind>: Hashable, Sendable {
    package static var bytesMax: Int { Kind.bytesMax }

    package let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    package init(_ text: String) throws(StoreError) {
        try TextBounds.check(name: text, named: Kind.title, bytesMax: Kind.bytesMax)
        self.text = text
    }

    /// A name the engine made or has read back from the store.
    init(trusted text: String) {
        self.text = text
    }

    package static func == (left: Name, right: Name) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// What a `Name` is a name of.
package protocol NameKind: Sendable {
    /// In messages for people.
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

/// What the application knows a party by.
package typealias SessionID = Name<SessionNameKind>

/// What an application calls an append log.
package typealias LogName = Name<LogNameKind>

/// What an application calls a scene.
package typealias SceneName = Name<SceneNameKind>

/// A key of a scene.
package typealias SceneKey = Name<SceneKeyKind>

extension EntityID {
    /// A new id, greater than all that this process made before.
    static func fresh() -> EntityID {
        EntityID(trusted: UUIDv7().description)
    }
}

/// A conversation by either of its names.
package enum ConversationReference: Hashable, Sendable {
    case id(EntityID)
    case session(SessionID)
}
