/// A value under a key of a scene, as an archive has it.
public struct ArchivedSceneValue: Hashable, Sendable {
    /// The scene; `nil`: what all scenes share.
    public var scene: String?
    /// The key.
    public var key: String
    /// The value as bytes: a `SceneValue` of scenes.proto, in its shortest form. They hold what `value` may lack.
    public var encodedValue: [UInt8]
    /// When it was set.
    public var updatedAt: Timestamp

    /// - Parameters:
    ///   - scene: `nil`: what all scenes share.
    ///   - key: the key.
    ///   - encodedValue: a `SceneValue` of scenes.proto.
    ///   - updatedAt: when it was set.
    public init(scene: String?, key: String, encodedValue: [UInt8], updatedAt: Timestamp) {
        self.scene = scene
        self.key = key
        self.encodedValue = encodedValue
        self.updatedAt = updatedAt
    }
}

/// A log, as an archive has it.
public struct ArchivedLog: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What is fixed for its life.
    public var configuration: LogConfiguration
    /// When it was made.
    public var createdAt: Timestamp
    /// In an archive of changes, the number of the oldest entry that it has; `nil` where it has none.
    public var oldestSequence: UInt64?
    /// It takes part in a group. What other devices have appended to it is not in an archive.
    public var isReplicated: Bool

    /// A log with these fields.
    public init(
        name: String, configuration: LogConfiguration, createdAt: Timestamp, oldestSequence: UInt64? = nil,
        isReplicated: Bool = false
    ) {
        self.name = name
        self.configuration = configuration
        self.createdAt = createdAt
        self.oldestSequence = oldestSequence
        self.isReplicated = isReplicated
    }
}

/// A message of a log, as an archive has it.
public struct ArchivedLogEntry: Hashable, Sendable {
    /// Its number.
    public var sequence: UInt64
    /// Where it stands in the file that the log would be.
    public var offset: UInt64
    /// Bytes of all messages ever appended before it, with their lengths.
    public var position: UInt64
    /// What it says.
    public var data: [UInt8]

    /// A message with these fields.
    public init(sequence: UInt64, offset: UInt64, position: UInt64, data: [UInt8]) {
        self.sequence = sequence
        self.offset = offset
        self.position = position
        self.data = data
    }
}

/// A directory of the vault, as an archive has it.
public struct ArchivedDirectory: Hashable, Sendable {
    /// Its place.
    public var path: VaultPath
    /// When it was made.
    public var createdAt: Timestamp
    /// When something in it was made, removed or renamed.
    public var modifiedAt: Timestamp

    /// A directory with these fields.
    public init(path: VaultPath, createdAt: Timestamp, modifiedAt: Timestamp) {
        self.path = path
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
    }
}

/// A file of the vault, as an archive has it.
public struct ArchivedFile: Hashable, Sendable {
    /// Its place.
    public var path: VaultPath
    /// Of its content, which follows in pieces.
    public var contentBytes: UInt64
    /// When it was made.
    public var createdAt: Timestamp
    /// When its content was last written.
    public var modifiedAt: Timestamp

    /// A file with these fields.
    public init(path: VaultPath, contentBytes: UInt64, createdAt: Timestamp, modifiedAt: Timestamp) {
        self.path = path
        self.contentBytes = contentBytes
        self.createdAt = createdAt
        self.modifiedAt = modifiedAt
    }
}
