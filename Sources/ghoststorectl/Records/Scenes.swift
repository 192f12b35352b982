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

    /// Text as it stands, everything else as JSON without quotes around a single value.
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

/// Data in base64, dates in RFC 3339, numbers that JSON has not as text; dictionaries by their keys, byte for byte.
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

extension SceneEntry: Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("key", key)
        object.add("tier", tier.word)
        object.add("revision", revision)
        object.add("updated_at_microseconds", updatedAt.microseconds)
        if let value {
            object.add("type", value.kindWord)
            object.add("value", value)
        }
        return object
    }

    static let record = RecordForm(
        name: "key",
        [
            "key", "tier", "revision", "updated_at_microseconds", "type", "value",
        ])

    static var columns: [Table.Column] {
        [
            .text("key", columnsMin: 12, worth: 9), .fixed("type"), .text("value", columnsMin: 16, worth: 8),
            .fixed("tier", worth: 3), .number("revision", worth: 4),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(key), Table.Cell(value?.kindWord ?? ""), Table.Cell(value?.plainText ?? ""),
            Table.Cell(tier.word, tier == .scene ? nil : .dim), Table.Cell(String(revision)),
        ]
    }
}

/// A key of a scene, of which the value was not asked for.
struct SceneKeyRow: Tabular {
    let entry: SceneEntry

    var json: JSONObject { entry.json }

    static var record: RecordForm { SceneEntry.record }

    static var columns: [Table.Column] {
        [
            .text("key", columnsMin: 12, worth: 9), .fixed("tier", worth: 3), .number("revision", worth: 4),
            .fixed("updated"),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(entry.key), Table.Cell(entry.tier.word, entry.tier == .scene ? nil : .dim),
            Table.Cell(String(entry.revision)), Table.Cell(entry.updatedAt),
        ]
    }
}

extension SceneSummary: Tabular {
    var json: JSONObject {
        [
            "scene": scene,
            "key_count": keyCount,
            "updated_at_microseconds": updatedAt.microseconds,
        ]
    }

    static let record = RecordForm(
        name: "scene",
        [
            "scene", "key_count", "updated_at_microseconds",
        ])

    static var columns: [Table.Column] {
        [.text("scene", columnsMin: 16, worth: 9), .number("keys", worth: 3), .fixed("updated")]
    }

    var cells: [Table.Cell] {
        [Table.Cell(scene), Table.Cell(String(keyCount)), Table.Cell(updatedAt)]
    }
}
