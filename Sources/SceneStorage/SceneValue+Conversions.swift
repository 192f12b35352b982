import FoundationEssentials
public import StoreClient

#if canImport(Glibc)
import Glibc
#endif

/// Conversions of a stored value to another kind. `SceneStorable` has the table.
extension SceneValue {
    var asString: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .float(let number): Self.decimalText(number)
        case .double(let number): Self.decimalText(number)
        case .bool(let truth): truth ? "1" : "0"
        case .url, .data, .date, .array, .dictionary: nil
        }
    }

    var asInteger: Int? {
        switch self {
        case .integer(let number): Int(clamping: number)
        case .float(let number): Int(clampingTruncated: Double(number))
        case .double(let number): Int(clampingTruncated: number)
        case .bool(let truth): truth ? 1 : 0
        case .string(let text): NumberPrefix.integer(of: text)
        case .url, .data, .date, .array, .dictionary: nil
        }
    }

    var asDouble: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .bool(let truth): truth ? 1 : 0
        case .string(let text): NumberPrefix.double(of: text)
        case .url, .data, .date, .array, .dictionary: nil
        }
    }

    var asFloat: Float? {
        if case .float(let number) = self { number } else { asDouble.map { Float($0) } }
    }

    var asBool: Bool? {
        switch self {
        case .bool(let truth): truth
        case .integer(let number): number != 0
        case .float(let number): number != 0
        case .double(let number): number != 0
        case .string(let text): NumberPrefix.truth(of: text)
        case .url, .data, .date, .array, .dictionary: nil
        }
    }

    var asURL: URL? {
        switch self {
        case .url(let text): URL(string: text)
        case .string(let path): path.isEmpty ? nil : URL(filePath: Self.expandedHome(path))
        case .integer, .float, .double, .bool, .data, .date, .array, .dictionary: nil
        }
    }

    var asData: Data? {
        if case .data(let bytes) = self { Data(bytes) } else { nil }
    }

    var asDate: Date? {
        if case .date(let timestamp) = self {
            Date(timeIntervalSince1970: Double(timestamp.microseconds) / 1_000_000)
        } else {
            nil
        }
    }

    /// Replaces `~` in `~` and `~/...` by the home directory of this process; returns other paths unchanged.
    private static func expandedHome(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
        return String(cString: home) + path.dropFirst()
    }

    /// Returns a number in decimal. A whole number has no decimals, as with `NSNumber.stringValue`.
    private static func decimalText(_ number: some BinaryFloatingPoint & CustomStringConvertible) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// Conversions between stored values and values whose type is known only at run time.
extension SceneValue {
    /// Creates the stored value of an object.
    ///
    /// - Parameter object: a ``SceneStorable`` value, a whole number, or an array or a dictionary of these.
    /// - Returns: `nil` for types that property lists do not support.
    public init?(object: Any) {
        switch object {
        case let value as SceneValue: self = value
        case let value as any SceneStorable: self = value.sceneValue
        case let value as any BinaryInteger & Sendable:
            guard let number = Int64(exactly: value) else { return nil }
            self = .integer(number)
        case let values as [Any]:
            var elements: [SceneValue] = []
            for value in values {
                guard let element = SceneValue(object: value) else { return nil }
                elements.append(element)
            }
            self = .array(elements)
        case let values as [String: Any]:
            var entries = SceneDictionary()
            for (key, value) in values {
                guard let entry = SceneValue(object: value) else { return nil }
                entries[key] = entry
            }
            self = .dictionary(entries)
        default: return nil
        }
    }

    /// The value in its Swift type: `String`, `Int`, `Float`, `Double`, `Bool`, `URL`, `Data`, `Date`, `[Any]` or
    /// `[String: Any]`.
    public var object: Any {
        switch self {
        case .string(let text): text
        case .integer(let number): Int(clamping: number)
        case .float(let number): number
        case .double(let number): number
        case .bool(let truth): truth
        case .url(let text): URL(string: text) ?? text as Any
        case .data(let bytes): Data(bytes)
        case .date: asDate ?? Date(timeIntervalSince1970: 0)
        case .array(let values): values.map(\.object)
        case .dictionary(let values): values.standardDictionary.mapValues(\.object)
        }
    }
}

extension Int {
    /// Truncates a number and clamps it to the range of `Int`; 0 for NaN.
    init(clampingTruncated number: Double) {
        if number.isNaN {
            self = 0
        } else {
            self = Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
        }
    }
}

extension Int64 {
    /// Rounds a number and clamps it to the range of `Int64`; 0 for NaN.
    init(clampingRounded number: Double) {
        if number.isNaN {
            self = 0
        } else {
            self = Int64(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
        }
    }
}
