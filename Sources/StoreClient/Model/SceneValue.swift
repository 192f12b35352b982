extension SceneValue {
    /// The largest depth of nested values, including the outermost and the innermost one.
    public static let nestingMax = 32
    /// The largest size of a value in bytes, in the form that is sent.
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

    /// Writes an object; or an array if two keys differ only in their bytes, because encoders would lose one of the
    /// two.
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

/// A change of one key of a scene.
///
/// A change in a scene affects two values: the scene's own value, and the global value, which all scenes without a
/// value of their own see. Setting the value that the key already has changes nothing.
public enum SceneChange: Hashable, Sendable {
    /// Sets the value of the key.
    case set(String, SceneValue)
    /// Removes the value of the key.
    case remove(String)

    /// The key to change: 1 to 256 bytes.
    public var key: String {
        switch self {
        case .set(let key, _), .remove(let key): key
        }
    }
}

/// A condition on the scene's own values. A set of changes is made only if all its conditions are met.
public enum SceneCondition: Hashable, Sendable {
    /// The scene has no value of its own under this key.
    case absent(String)
    /// The scene's own value under this key still has this revision.
    case revision(String, UInt64)
}
