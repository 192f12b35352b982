/// A value under a key of a scene, of the kinds property lists have.
///
/// The kinds are told apart: an integer and a double are never the same value.
public enum SceneValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Float)
    case double(Double)
    case bool(Bool)
    /// The absolute text of a URL (RFC 3986). The store does not take it apart.
    case url(String)
    case data([UInt8])
    case date(Timestamp)
    /// At most `nestingMax` values inside one another.
    case array([SceneValue])
    case dictionary([String: SceneValue])

    /// Values inside one another at most, the outermost and the innermost counted.
    public static let nestingMax = 32
    /// Bytes of a value at most, as it is sent.
    public static let bytesMax = 1 << 20
}

/// One change to a scene.
///
/// Setting a key sets the scene's own value and the global one, which every scene without a value of its own sees.
/// Removing a key removes both. Setting what is there already changes nothing.
public enum SceneChange: Hashable, Sendable {
    case set(String, SceneValue)
    case remove(String)

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
public enum SceneTier: Hashable, Sendable {
    /// The scene has it.
    case scene
    /// The scene has none under the key; some scene set it last.
    case global
}

/// A key of a scene, as the store has it.
public struct SceneEntry: Hashable, Sendable {
    public var key: String
    /// `nil` where only keys were asked for.
    public var value: SceneValue?
    public var tier: SceneTier
    /// The store's revision at which the value was set.
    public var revision: UInt64
    public var updatedAt: Timestamp
}

/// Keys of a scene, by the bytes of their names.
public struct SceneEntryPage: Hashable, Sendable {
    public var entries: [SceneEntry]
    /// The store's revision when this page was read.
    public var revision: UInt64
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?
}

/// A scene that has values of its own.
public struct SceneSummary: Hashable, Sendable {
    public var scene: String
    /// Keys with a value of the scene's own.
    public var keyCount: Int
    /// When one of them was last set.
    public var updatedAt: Timestamp
}

/// Scenes by the bytes of their names.
public struct SceneSummaryPage: Hashable, Sendable {
    public var scenes: [SceneSummary]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?
}
