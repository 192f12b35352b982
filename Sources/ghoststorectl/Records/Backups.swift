import StoreClient

extension Backup: Tabular, Presentable {
    var json: JSONObject {
        [
            "name": name,
            "kind": kind.jsonText,
            "bytes": bytes,
            "created_at_microseconds": createdAt.microseconds,
            "revision": revision,
            "is_complete": isComplete,
            "number": number,
        ]
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("name", name)
        list.add("kind", kind.text)
        list.add("size", Quantity.bytes(bytes))
        list.add("created", createdAt)
        list.add("revision", ifPresent: revisionText.isEmpty ? nil : revisionText)
        list.add("complete", isComplete)
        return list
    }

    static let record = RecordForm(
        name: "name",
        [
            "name", "kind", "bytes", "created_at_microseconds", "revision", "is_complete", "number",
        ])

    static var columns: [Table.Column] {
        [
            .fixed("name", worth: 9), .fixed("kind", worth: 5), .number("size", worth: 6), .fixed("created"),
            .number("revision", worth: 1),
        ]
    }

    var cells: [Table.Cell] {
        let kindCell = isComplete ? Table.Cell(kind.text) : Table.Cell("\(kind.text), incomplete", .yellow)
        return [
            Table.Cell(name), kindCell, Table.Cell(Quantity.bytes(bytes)), Table.Cell(createdAt),
            Table.Cell(revisionText),
        ]
    }

    /// Empty where the daemon does not know it. A backup that it made may be one of a store without any revision.
    private var revisionText: String {
        revision == 0 && kind != .made ? "" : String(revision)
    }
}

extension Backup.Kind {
    fileprivate var text: String {
        jsonText.replacing("_", with: " ")
    }

    fileprivate var jsonText: String {
        switch self {
        case .made: "made"
        case .uploaded: "uploaded"
        case .replacedStore: "replaced_store"
        case .unknown: "unknown"
        }
    }
}
