extension SceneValue {
    /// Values inside one another at most, the outermost and the innermost counted.
    public static let nestingMax = 32
    /// Bytes of a value at most, as it is sent.
    public static let bytesMax = 1 << 20
}

/// A dictionary in a scene. Its keys are compared by their bytes, as in the store.
public typealias SceneDictionary = ExactDictionary<SceneValue>

extension SceneDictionary: Codable {
    /// Reads an object, or an array in which each key comes before its value.
    public init(from decoder: any Decoder) throws {
        guard var pairs = try? decoder.unkeyedContainer() else {
            self.init(try [String: SceneValue](from: decoder))
            return
        }
        self.init()
        while !pairs.isAtEnd {
            self[try pairs.decode(String.self)] = try pairs.decode(SceneValue.self)
        }
    }

    /// Writes an object; or an array, if two keys differ only in their bytes: encoders would lose one of the two.
    public func encode(to encoder: any Encoder) throws {
        let standard = standardDictionary
        guard standard.count < count else { return try standard.encode(to: encoder) }
        var pairs = encoder.unkeyedContainer()
        for (key, value) in self {
            try pairs.encode(key)
            try pairs.encode(value)
        }
    }
}

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
