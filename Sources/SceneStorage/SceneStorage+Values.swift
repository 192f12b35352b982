public import FoundationEssentials
public import StoreClient

/// Access to values by type. If a key has no value, or a value that cannot be read as the requested type, the functions
/// return 0, false or `nil`, like `UserDefaults`. `SceneStorable` describes how a value of one kind is read as another.
extension SceneStorage {
    /// Returns the value of a key.
    ///
    /// - Parameters:
    ///   - type: the type to read the value as; may be inferred.
    ///   - key: 1 to 256 bytes.
    /// - Returns: `nil` if there is no value, or if it cannot be read as this type.
    public func value<Value: SceneStorable>(_ type: Value.Type = Value.self, forKey key: String) -> Value? {
        state.value(key).flatMap { Value(sceneValue: $0) }
    }

    /// Sets the scene's value and the value that all scenes share.
    ///
    /// - Parameters:
    ///   - value: at most 1 MiB including nested values; `nil` removes both values.
    ///   - key: 1 to 256 bytes.
    public func setValue<Value: SceneStorable>(_ value: Value?, forKey key: String) {
        state.change(value.map { .set(key, $0.sceneValue) } ?? .remove(key))
    }

    /// Sets the scene's value and the value that all scenes share, like ``setValue(_:forKey:)``, with the name that
    /// `UserDefaults` uses.
    public func set<Value: SceneStorable>(_ value: Value?, forKey key: String) {
        setValue(value, forKey: key)
    }

    /// Makes many changes that are written together, all or none: at most 256 changes with at most 8 MiB in total. If
    /// there are more, or one value is too large, all of them are reverted.
    public func set(_ values: [String: SceneValue]) {
        state.change(values.map { .set($0.key, $0.value) })
    }

    /// Removes the scene's value and the value that all scenes share. Only a registered default is left.
    public func removeObject(forKey key: String) {
        state.change(.remove(key))
    }

    /// Registers values that are returned for keys without a stored value. They are not stored by the daemon. Later
    /// calls add to earlier ones.
    public func register(defaults: [String: any SceneStorable]) {
        state.register(defaults.mapValues(\.sceneValue))
    }

    /// All keys that have a value in this scene or a shared value.
    public var keys: [String] {
        state.keys
    }

    // MARK: Functions with the names of UserDefaults

    /// Returns text, or a number or a boolean as text; `nil` if there is no value.
    public func string(forKey key: String) -> String? {
        value(forKey: key)
    }

    /// Returns a whole number, truncated and clamped to the range of `Int`; 0 if there is no value.
    public func integer(forKey key: String) -> Int {
        value(forKey: key) ?? 0
    }

    /// Returns a value as a boolean, by the table in `SceneStorable`: for example, `YES`, `true` and 1 are true.
    /// Returns false if there is no value.
    public func bool(forKey key: String) -> Bool {
        value(forKey: key) ?? false
    }

    /// Returns a number; 0 if there is no value.
    public func float(forKey key: String) -> Float {
        value(forKey: key) ?? 0
    }

    /// Returns a number; 0 if there is no value.
    public func double(forKey key: String) -> Double {
        value(forKey: key) ?? 0
    }

    /// Returns a URL, or text as the path of a file; `nil` if there is no value.
    public func url(forKey key: String) -> URL? {
        value(forKey: key)
    }

    /// Returns bytes; `nil` if there is no value.
    public func data(forKey key: String) -> Data? {
        value(forKey: key)
    }

    /// Returns a date with microseconds; `nil` if there is no value.
    public func date(forKey key: String) -> Date? {
        value(forKey: key)
    }

    /// Returns an array of texts; `nil` if there is no value, or if an element is not text.
    public func stringArray(forKey key: String) -> [String]? {
        guard case .array(let values) = state.value(key) else { return nil }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { return nil }
            texts.append(text)
        }
        return texts
    }
}

/// Values of types that are known only at run time, as in property lists: `String`, `Int`, `Float`, `Double`, `Bool`,
/// `URL`, `Data`, `Date`, `[Any]` and `[String: Any]`.
extension SceneStorage {
    /// Returns the value in its stored type; `nil` if there is no value.
    public func object(forKey key: String) -> Any? {
        state.value(key)?.object
    }

    /// Returns an array of values of any kind; `nil` if there is no array.
    public func array(forKey key: String) -> [Any]? {
        object(forKey: key) as? [Any]
    }

    /// Returns a dictionary of values of any kind; `nil` if there is no dictionary.
    public func dictionary(forKey key: String) -> [String: Any]? {
        object(forKey: key) as? [String: Any]
    }

    /// Sets a value whose type is known only at run time; `nil` removes the key. A value of a type that property lists
    /// do not support changes nothing: ``lastError`` and the next ``flush()`` report it.
    @_disfavoredOverload
    public func set(_ object: Any?, forKey key: String) {
        guard let object else { return removeObject(forKey: key) }
        guard let value = SceneValue(object: object) else {
            return state.refuse(
                StoreClientError(
                    code: .invalidArgument, reason: .invalidArgument,
                    message: "a value of type \(type(of: object)) cannot be stored; use a property list type"))
        }
        state.change(.set(key, value))
    }
}
