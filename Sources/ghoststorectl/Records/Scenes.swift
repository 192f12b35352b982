import StoreClient

extension SceneValue {
    var kindWord: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .float: "float"
        case .double: "double"
        case .bool: "boolean"
        case .url: "url"
        case .data: "data"
        case .date: "date"
        case .array: "array"
        case .dictionary: "dictionary"
        }
    }

    /// The value as plain text: a text as it is, any other single value as JSON without quotes.
    var plainText: String {
        switch self {
        case .string(let text), .url(let text): text
        case .data(let bytes): Base64.text(bytes)
        case .date(let timestamp): timestamp.description
        case .float(let number): number.sceneText
        case .double(let number): number.sceneText
        case .integer, .bool, .array, .dictionary: jsonText
        }
    }
}

/// A scene value as JSON. Data is written in base64, and dates in RFC 3339. Numbers that JSON cannot express are
/// written as texts. Dictionaries are sorted by the bytes of their keys.
extension SceneValue: JSONWritable {
    func appendJSON(to text: inout String) {
        switch self {
        case .integer(let number): number.appendJSON(to: &text)
        case .bool(let truth): truth.appendJSON(to: &text)
        case .float(let number): Self.append(number, to: &text)
        case .double(let number): Self.append(number, to: &text)
        case .string, .url, .data, .date: plainText.appendJSON(to: &text)
        case .array(let values): values.appendJSON(to: &text)
        case .dictionary(let values):
            var object = JSONObject()
            for (key, value) in values {
                object.add(key, value)
            }
            object.appendJSON(to: &text)
        }
    }

    private static func append(_ number: some SceneNumber, to text: inout String) {
        if number.isFinite {
            text += number.sceneText
        } else {
            number.sceneText.appendJSON(to: &text)
        }
    }
}

extension SceneEntry: Tabular, Described {
    static let description = JSONFields<SceneEntry>(
        name: "key",
        [
            .field("key", \.key), .field("tier", \.tier.word), .field("revision", \.revision),
            .field("updated_at_microseconds", \.updatedAt), .field("type", ifPresent: \.value?.kindWord),
            .field("value", ifPresent: \.value),
        ])

    static let table: [TableColumn<SceneEntry>] = [
        .init(.text("key", columnsMin: 12, worth: 9), \.key), .init(.fixed("type"), \.value?.kindWord),
        .init(.text("value", columnsMin: 16, worth: 8), \.value?.plainText),
        .init(.fixed("tier", worth: 3), \.tierCell), .init(.number("revision", worth: 4), \.revision),
    ]

    fileprivate var tierCell: Table.Cell { Table.Cell(tier.word, tier == .scene ? nil : .dim) }
}

/// A key of a scene without its value.
struct SceneKeyRow: Tabular {
    let entry: SceneEntry

    var json: JSONObject { entry.json }

    static var record: RecordForm { SceneEntry.record }

    static let table: [TableColumn<SceneKeyRow>] = [
        .init(.text("key", columnsMin: 12, worth: 9), \.entry.key),
        .init(.fixed("tier", worth: 3), \.entry.tierCell), .init(.number("revision", worth: 4), \.entry.revision),
        .init(.fixed("updated"), \.entry.updatedAt),
    ]
}

extension SceneSummary: Tabular, Described {
    static let description = JSONFields<SceneSummary>(
        name: "scene",
        [
            .field("scene", \.scene), .field("key_count", \.keyCount),
            .field("updated_at_microseconds", \.updatedAt),
        ])

    static let table: [TableColumn<SceneSummary>] = [
        .init(.text("scene", columnsMin: 16, worth: 9), \.scene), .init(.number("keys", worth: 3), \.keyCount),
        .init(.fixed("updated"), \.updatedAt),
    ]
}
