public import FoundationEssentials
public import StoreClient

/// A type whose values can be stored in a scene.
///
/// A value of another kind than the requested type is read by the rules of `UserDefaults`
/// (<https://developer.apple.com/documentation/foundation/userdefaults>), if they cover that kind:
///
/// | requested type | accepted values |
/// |---|---|
/// | `String` | text; a number in decimal; true as `1`, false as `0` |
/// | `Int`, `Float`, `Double` | a number; true as 1, false as 0; text by the number it starts with, otherwise 0 |
/// | `Bool` | a boolean; a number that is not 0; text that starts with `Y`, `y`, `T`, `t` or a number that is not 0 |
/// | `URL` | a URL; text as the path of a file, with `~` for the home directory |
/// | `Data`, `Date`, arrays, dictionaries | only values of the same kind |
///
/// A number that is read as an integer loses its decimals, and is clamped to the range of the type.
///
/// A type of your own is stored as one of these:
///
/// ```swift
/// enum Theme: String, SceneStorable {
///     case light, dark
///
///     init?(sceneValue: SceneValue) {
///         self.init(rawValue: String(sceneValue: sceneValue) ?? "")
///     }
///
///     var sceneValue: SceneValue { .string(rawValue) }
/// }
/// ```
public protocol SceneStorable: Sendable {
    /// Creates an instance from a stored value.
    ///
    /// - Returns: `nil` if the stored value is of a kind that cannot be read as this type.
    init?(sceneValue: SceneValue)

    /// The stored form of the value.
    var sceneValue: SceneValue { get }
}

extension SceneValue: SceneStorable {
    /// Uses the stored value unchanged.
    public init?(sceneValue: SceneValue) {
        self = sceneValue
    }

    /// The value itself.
    public var sceneValue: SceneValue { self }
}

extension String: SceneStorable {
    /// Reads text, or a number or a boolean as text.
    public init?(sceneValue: SceneValue) {
        guard let text = sceneValue.asString else { return nil }
        self = text
    }

    /// The value as text.
    public var sceneValue: SceneValue { .string(self) }
}

extension Int: SceneStorable {
    /// Reads a number, a boolean or the number a text starts with.
    public init?(sceneValue: SceneValue) {
        guard let number = sceneValue.asInteger else { return nil }
        self = number
    }

    /// The stored form of the number: `SceneValue.integer`.
    public var sceneValue: SceneValue { .integer(Int64(self)) }
}

extension Float: SceneStorable {
    /// Reads a number, a boolean or the number a text starts with.
    public init?(sceneValue: SceneValue) {
        guard let number = sceneValue.asFloat else { return nil }
        self = number
    }

    /// The stored form of the number: `SceneValue.float`.
    public var sceneValue: SceneValue { .float(self) }
}

extension Double: SceneStorable {
    /// Reads a number, a boolean or the number a text starts with.
    public init?(sceneValue: SceneValue) {
        guard let number = sceneValue.asDouble else { return nil }
        self = number
    }

    /// The stored form of the number: `SceneValue.double`.
    public var sceneValue: SceneValue { .double(self) }
}

extension Bool: SceneStorable {
    /// Reads a boolean, a number or a text.
    public init?(sceneValue: SceneValue) {
        guard let truth = sceneValue.asBool else { return nil }
        self = truth
    }

    /// The stored form of the boolean: `SceneValue.bool`.
    public var sceneValue: SceneValue { .bool(self) }
}

extension URL: SceneStorable {
    /// Reads a URL, or text as the path of a file.
    public init?(sceneValue: SceneValue) {
        guard let url = sceneValue.asURL else { return nil }
        self = url
    }

    /// The stored form of the URL: `SceneValue.url` with the absolute text.
    public var sceneValue: SceneValue { .url(absoluteString) }
}

extension Data: SceneStorable {
    /// Reads bytes; returns `nil` for any other kind of value.
    public init?(sceneValue: SceneValue) {
        guard let bytes = sceneValue.asData else { return nil }
        self = bytes
    }

    /// The value as bytes.
    public var sceneValue: SceneValue { .data([UInt8](self)) }
}

extension Date: SceneStorable {
    /// Reads a date; returns `nil` for any other kind of value.
    public init?(sceneValue: SceneValue) {
        guard let date = sceneValue.asDate else { return nil }
        self = date
    }

    /// The date in microseconds, clamped to the range of `Int64`.
    public var sceneValue: SceneValue {
        .date(Timestamp(microseconds: Int64(clampingRounded: timeIntervalSince1970 * 1_000_000)))
    }
}

extension Array: SceneStorable where Element: SceneStorable {
    /// Reads an array; returns `nil` if an element cannot be read.
    public init?(sceneValue: SceneValue) {
        guard case .array(let values) = sceneValue else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = Element(sceneValue: value) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    /// The stored form of the array: `SceneValue.array` with the stored forms of the elements.
    public var sceneValue: SceneValue { .array(map(\.sceneValue)) }
}

extension Dictionary: SceneStorable where Key == String, Value: SceneStorable {
    /// Reads a dictionary; returns `nil` if a value cannot be read. If several keys are canonically equivalent, only
    /// one is kept, because `String` treats them as equal; `ExactDictionary` reads all of them.
    public init?(sceneValue: SceneValue) {
        guard case .dictionary(let entries) = sceneValue else { return nil }
        var result: [String: Value] = [:]
        for (key, kept) in entries {
            guard let value = Value(sceneValue: kept) else { return nil }
            result[key] = value
        }
        self = result
    }

    /// The value as a dictionary.
    public var sceneValue: SceneValue { .dictionary(SceneDictionary(mapValues(\.sceneValue))) }
}

extension ExactDictionary: SceneStorable where Value: SceneStorable {
    /// Reads a dictionary with all its keys; returns `nil` if a value cannot be read.
    public init?(sceneValue: SceneValue) {
        guard case .dictionary(let entries) = sceneValue else { return nil }
        self.init()
        for (key, kept) in entries {
            guard let value = Value(sceneValue: kept) else { return nil }
            self[key] = value
        }
    }

    /// The value as a dictionary.
    public var sceneValue: SceneValue { .dictionary(mapValues(\.sceneValue)) }
}
