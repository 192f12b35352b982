public import FoundationEssentials
public import StoreClient

/// Values by type. A key that has no value, or one that cannot be read as what is asked for, is answered as
/// `UserDefaults` does: 0, false or `nil`. How a value of one kind is read as another: `SceneStorable`.
extension SceneStorage {
    /// The value under a key.
    ///
    /// - Parameters:
    ///   - type: what the value is read as; may be left to the compiler.
    ///   - key: 1 to 256 bytes.
    /// - Returns: `nil` when there is none or it cannot be read as this type.
    public func value<Value: SceneStorable>(_ type: Value.Type = Value.self, forKey key: String) -> Value? {
        state.value(key).flatMap { Value(sceneValue: $0) }
    }

    /// Sets the scene's value and the one all scenes share.
    ///
    /// - Parameters:
    ///   - value: at most 1 MiB with all it holds; `nil` removes both.
    ///   - key: 1 to 256 bytes.
    public func setValue<Value: SceneStorable>(_ value: Value?, forKey key: String) {
        state.change(value.map { .set(key, $0.sceneValue) } ?? .remove(key))
    }

    /// Sets the scene's value and the one all scenes share: ``setValue(_:forKey:)`` as `UserDefaults` names it.
    public func set<Value: SceneStorable>(_ value: Value?, forKey key: String) {
        setValue(value, forKey: key)
    }

    /// Makes many changes that are written together, all or none: at most 256, and what one request holds (8 MiB).
    /// More than that is refused, as one value too large is: all of them are taken back.
    public func set(_ values: [String: SceneValue]) {
        state.change(values.map { .set($0.key, $0.value) })
    }

    /// Removes the scene's value and the one all scenes share: the registered default is left.
    public func removeObject(forKey key: String) {
        state.change(.remove(key))
    }

    /// What is answered for keys that have no value anywhere. Not kept by the daemon; adds to earlier ones.
    public func register(defaults: [String: any SceneStorable]) {
        state.register(defaults.mapValues(\.sceneValue))
    }

    /// Every key that has a value, here or shared.
    public var keys: [String] {
        state.keys
    }

    // MARK: As UserDefaults names them

    /// Text, or a number or a boolean as text; `nil` when there is none.
    public func string(forKey key: String) -> String? {
        value(forKey: key)
    }

    /// A whole number, without the decimals of what is kept and within the range of `Int`; 0 when there is none.
    public func integer(forKey key: String) -> Int {
        value(forKey: key) ?? 0
    }

    /// A boolean, a number that is not 0, or text that begins as `YES`, `true` or such a number does; false when
    /// there is none.
    public func bool(forKey key: String) -> Bool {
        value(forKey: key) ?? false
    }

    /// A number; 0 when there is none.
    public func float(forKey key: String) -> Float {
        value(forKey: key) ?? 0
    }

    /// A number; 0 when there is none.
    public func double(forKey key: String) -> Double {
        value(forKey: key) ?? 0
    }

    /// A URL, or text as the path of a file; `nil` when there is none.
    public func url(forKey key: String) -> URL? {
        value(forKey: key)
    }

    /// Bytes; `nil` when there are none.
    public func data(forKey key: String) -> Data? {
        value(forKey: key)
    }

    /// A date, in microseconds; `nil` when there is none.
    public func date(forKey key: String) -> Date? {
        value(forKey: key)
    }

    /// An array of text; `nil` when there is none, or when one element is something else.
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

/// Values of any type, as property lists have them: `String`, `Int`, `Float`, `Double`, `Bool`, `URL`, `Data`, `Date`,
/// `[Any]` and `[String: Any]`.
extension SceneStorage {
    /// The value as the type it is kept as; `nil` when there is none.
    public func object(forKey key: String) -> Any? {
        state.value(key)?.object
    }

    /// An array of values of any kind; `nil` when there is none.
    public func array(forKey key: String) -> [Any]? {
        object(forKey: key) as? [Any]
    }

    /// A dictionary of values of any kind; `nil` when there is none.
    public func dictionary(forKey key: String) -> [String: Any]? {
        object(forKey: key) as? [String: Any]
    }

    /// Sets what is only known at run time; `nil` removes the key. A value of a type that property lists do not have
    /// changes nothing: ``lastError`` and the next ``flush()`` report it.
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
