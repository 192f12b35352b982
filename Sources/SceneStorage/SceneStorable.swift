public import FoundationEssentials
public import StoreClient

/// What can be kept under a key of a scene.
///
/// The way back is as lenient as `UserDefaults`: an `Int` is read from a float, a double, a boolean or text that
/// starts with a number, and so on. See `SceneValue+Conversions.swift` for the table.
public protocol SceneStorable: Sendable {
    /// `nil` when the kept value is of a kind this type cannot be read from.
    init?(sceneValue: SceneValue)

    /// What is kept.
    var sceneValue: SceneValue { get }
}

extension SceneValue: SceneStorable {
    public init?(sceneValue: SceneValue) {
        self = sceneValue
    }

    public var sceneValue: SceneValue { self }
}

extension String: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let text = sceneValue.asString else { return nil }
        self = text
    }

    public var sceneValue: SceneValue { .string(self) }
}

extension Int: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let number = sceneValue.asInteger else { return nil }
        self = number
    }

    public var sceneValue: SceneValue { .integer(Int64(self)) }
}

extension Float: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let number = sceneValue.asFloat else { return nil }
        self = number
    }

    public var sceneValue: SceneValue { .float(self) }
}

extension Double: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let number = sceneValue.asDouble else { return nil }
        self = number
    }

    public var sceneValue: SceneValue { .double(self) }
}

extension Bool: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let truth = sceneValue.asBool else { return nil }
        self = truth
    }

    public var sceneValue: SceneValue { .bool(self) }
}

extension URL: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let url = sceneValue.asURL else { return nil }
        self = url
    }

    public var sceneValue: SceneValue { .url(absoluteString) }
}

extension Data: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let bytes = sceneValue.asData else { return nil }
        self = bytes
    }

    public var sceneValue: SceneValue { .data([UInt8](self)) }
}

extension Date: SceneStorable {
    public init?(sceneValue: SceneValue) {
        guard let date = sceneValue.asDate else { return nil }
        self = date
    }

    /// Kept in microseconds.
    public var sceneValue: SceneValue {
        .date(Timestamp(microseconds: Int64(clampingRounded: timeIntervalSince1970 * 1_000_000)))
    }
}

extension Array: SceneStorable where Element: SceneStorable {
    /// `nil` also when one element cannot be read.
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

    public var sceneValue: SceneValue { .array(map(\.sceneValue)) }
}

extension Dictionary: SceneStorable where Key == String, Value: SceneStorable {
    /// `nil` also when one value cannot be read.
    public init?(sceneValue: SceneValue) {
        guard case .dictionary(let entries) = sceneValue else { return nil }
        var result: [String: Value] = [:]
        for (key, kept) in entries {
            guard let value = Value(sceneValue: kept) else { return nil }
            result[key] = value
        }
        self = result
    }

    public var sceneValue: SceneValue { .dictionary(mapValues(\.sceneValue)) }
}
