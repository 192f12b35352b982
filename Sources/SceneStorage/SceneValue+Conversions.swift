internal import FoundationEssentials
internal import StoreClient

/// How a kept value is read as another kind: what `UserDefaults` answers
/// (<https://developer.apple.com/documentation/foundation/userdefaults>) where it has a rule.
///
/// | asked for | answered from |
/// |---|---|
/// | string | text; a number in decimal; true as `1`, false as `0` |
/// | integer, float, double | a number; true as 1, false as 0; text by the number it starts with, else 0 |
/// | boolean | a boolean; a number that is not 0; text that starts with `Y`, `y`, `T`, `t` or a number that is not 0 |
/// | URL | a URL; text as the path of a file, `~` being the home directory |
/// | data, date, array, dictionary | only their own kind |
///
/// A number asked for as an integer loses its decimals, and becomes the nearest integer there is when it is too large.
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
        case .string(let path): path.isEmpty ? nil : URL(filePath: HomePath.expanded(path))
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

    /// A whole number is written without decimals, as `NSNumber.stringValue` does.
    private static func decimalText(_ number: some BinaryFloatingPoint & CustomStringConvertible) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension Int {
    /// Without the decimals, at the ends of the range for what lies outside, 0 for what is not a number.
    init(clampingTruncated number: Double) {
        if number.isNaN {
            self = 0
        } else {
            self = Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
        }
    }
}

extension Int64 {
    /// Rounded, at the ends of the range for what lies outside, 0 for what is not a number.
    init(clampingRounded number: Double) {
        if number.isNaN {
            self = 0
        } else {
            self = Int64(exactly: number.rounded()) ?? (number < 0 ? .min : .max)
        }
    }
}
