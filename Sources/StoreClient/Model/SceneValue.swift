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
