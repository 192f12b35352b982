internal import FoundationEssentials
public import StoreClient

/// Between typed values and what is only known at run time.
extension SceneValue {
    /// `nil` for what property lists cannot hold.
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
            var entries: [String: SceneValue] = [:]
            for (key, value) in values {
                guard let entry = SceneValue(object: value) else { return nil }
                entries[key] = entry
            }
            self = .dictionary(entries)
        default: return nil
        }
    }

    /// The value as the Swift type it is of.
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
        case .dictionary(let values): values.mapValues(\.object)
        }
    }
}
