/// A value under a key of a scene, of the kinds property lists have.
///
/// The kinds are told apart: an integer and a double are never the same value.
public enum SceneValue: Hashable, Sendable {
    /// Text, of any length that the value's size allows.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A number of single precision.
    case float(Float)
    /// A number of double precision.
    case double(Double)
    /// Yes or no.
    case bool(Bool)
    /// The absolute text of a URL (RFC 3986). The store does not take it apart.
    case url(String)
    /// Any bytes.
    case data([UInt8])
    /// An instant.
    case date(Timestamp)
    /// At most `nestingMax` values inside one another.
    case array([SceneValue])
    /// At most `nestingMax` values inside one another.
    case dictionary(SceneDictionary)

    /// Values inside one another at most, the outermost and the innermost counted.
    public static let nestingMax = 32
    /// Bytes of a value at most, as it is sent.
    public static let bytesMax = 1 << 20
}

/// A dictionary in a scene. Its keys are compared by their bytes, as in the store.
public typealias SceneDictionary = ExactDictionary<SceneValue>

/// One change to a scene.
///
/// Setting a key sets the scene's own value and the global one, which every scene without a value of its own sees.
/// Removing a key removes both. Setting what is there already changes nothing.
public enum SceneChange: Hashable, Sendable {
    /// The key gets this value.
    case set(String, SceneValue)
    /// The key has no value from then on.
    case remove(String)

    /// The key that is changed: 1 to 256 bytes.
    public var key: String {
        switch self {
        case .set(let key, _), .remove(let key): key
        }
    }
}

/// What must hold of the scene's own values for a set of changes to be made.
public enum SceneCondition: Hashable, Sendable {
    /// The scene has no value of its own under this key.
    case absent(String)
    /// The scene's own value under this key is still the one of this revision.
    case revision(String, UInt64)
}

/// Where a value was found.
public enum SceneTier: String, Hashable, Sendable, CaseIterable, Codable {
    /// The scene has it.
    case scene
    /// The scene has none under the key; some scene set it last.
    case global
    /// A place this client does not know yet.
    case unknown
}

/// A key of a scene, as the store has it.
public struct SceneEntry: Hashable, Sendable, Codable {
    /// 1 to 256 bytes.
    public var key: String
    /// `nil` where only keys were asked for.
    public var value: SceneValue?
    /// Where the value was found.
    public var tier: SceneTier
    /// The store's revision at which the value was set.
    public var revision: UInt64
    /// When the value was set, by the daemon's clock.
    public var updatedAt: Timestamp

    /// For tests and previews: the calls of a client make their own.
    public init(
        key: String, value: SceneValue? = nil, tier: SceneTier = .scene, revision: UInt64, updatedAt: Timestamp
    ) {
        self.key = key
        self.value = value
        self.tier = tier
        self.revision = revision
        self.updatedAt = updatedAt
    }
}

/// Keys of a scene, by the bytes of their names.
public struct SceneEntryPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for; fewer where their values are large.
    public var entries: [SceneEntry]
    /// The store's revision when this page was read.
    public var revision: UInt64
    /// The history that the revisions are of; `nil` from a daemon that does not tell.
    public var historyID: HistoryID?
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(
        entries: [SceneEntry], revision: UInt64, historyID: HistoryID? = nil, nextCursor: String? = nil
    ) {
        self.entries = entries
        self.revision = revision
        self.historyID = historyID
        self.nextCursor = nextCursor
    }

    /// `entries`.
    public var elements: [SceneEntry] { entries }
}

/// A scene that has values of its own.
public struct SceneSummary: Hashable, Sendable, Codable {
    /// The scene's name: 1 to 256 bytes.
    public var scene: String
    /// Keys with a value of the scene's own.
    public var keyCount: Int
    /// When one of them was last set.
    public var updatedAt: Timestamp

    /// For tests and previews: the calls of a client make their own.
    public init(scene: String, keyCount: Int = 0, updatedAt: Timestamp) {
        self.scene = scene
        self.keyCount = keyCount
        self.updatedAt = updatedAt
    }
}

/// Scenes by the bytes of their names.
public struct ScenePage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for.
    public var scenes: [SceneSummary]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(scenes: [SceneSummary], nextCursor: String? = nil) {
        self.scenes = scenes
        self.nextCursor = nextCursor
    }

    /// `scenes`.
    public var elements: [SceneSummary] { scenes }
}
