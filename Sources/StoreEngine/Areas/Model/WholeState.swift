package import StoreBasics

// Other entities with everything that the store has of them, for archives and replication.

/// A reaction, without the message to which it belongs.
package struct WholeReaction: Hashable, Sendable {
    package var authorSessionID: SessionID
    package var emoji = Emoji(trusted: "")
    package var createdAt = Timestamp(microseconds: 0)
}

/// An `ArchivedReaction` of archives.proto. In a replicated batch it lacks the author and the emoji, because the
/// record's name contains them.
extension WholeReaction: FieldMessage {
    package init() {
        self.init(authorSessionID: SessionID(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        if !form.isBody {
            try form.field(1, &authorSessionID)
            try form.field(2, &emoji)
        }
        try form.field(3, &createdAt)
    }
}

/// A value under a key of a scene or of the global tier.
package struct WholeSceneValue: Hashable, Sendable {
    /// The scene; `nil` for the global tier.
    package var scene: SceneName?
    package var key: SceneKey
    /// The value, in the form of `SceneChange.value`.
    package var value: [UInt8] = []
    package var updatedAt = Timestamp(microseconds: 0)
}

/// An `ArchivedSceneValue` of archives.proto. In a replicated batch it lacks the scene and the key, because the
/// record's name contains them.
extension WholeSceneValue: FieldMessage {
    package init() {
        self.init(key: SceneKey(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        if !form.isBody {
            try form.field(1, &scene)
            try form.field(2, &key)
        }
        try form.field(3, &value)
        try form.field(4, &updatedAt)
    }
}

/// An append log without its entries.
package struct WholeLog: Hashable, Sendable {
    package var name: LogName
    package var configuration = LogConfiguration(maximumBytes: 0, overwritesOldest: false)
    package var isReplicated = false
    package var createdAt = Timestamp(microseconds: 0)
    /// The sequence number of the log's oldest entry. Only archives of changes have it; `nil` for a log without
    /// entries.
    package var oldestSequence: UInt64?
}

/// An `ArchivedLog` of archives.proto. In a replicated batch it has only the configuration and the creation time.
extension WholeLog: FieldMessage {
    package init() {
        self.init(name: LogName(trusted: ""))
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        if !form.isBody { try form.field(1, &name) }
        try form.field(2, &configuration.maximumBytes)
        try form.field(3, &configuration.overwritesOldest)
        try form.field(4, &createdAt)
        if !form.isBody {
            try form.field(5, &oldestSequence)
            try form.field(6, &isReplicated)
        }
    }
}
