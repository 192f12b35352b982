import StoreClient

extension VaultItem: Presentable, Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        add(to: &object)
        return object
    }

    /// All but its name.
    func add(to object: inout JSONObject) {
        object.add("kind", kind.rawValue)
        object.add("bytes", contentBytes)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("modified_at_microseconds", modifiedAt.microseconds)
        object.add("revision", revision)
    }

    static let recordInTree = RecordForm(name: "path", ["path"] + record.fields.filter { $0 != record.name })

    /// Within a tree.
    var sentence: String {
        kind == .directory ? "\(name)/" : "\(name)  \(Quantity.bytes(contentBytes))"
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("name", name)
        list.add("kind", kind.rawValue)
        list.add("bytes", contentBytes)
        list.add("created", createdAt)
        list.add("modified", modifiedAt)
        list.add("revision", revision)
        return list
    }

    static let record = RecordForm(
        name: "name",
        [
            "name", "kind", "bytes", "created_at_microseconds", "modified_at_microseconds", "revision",
        ])

    static var columns: [Table.Column] {
        [
            .fixed("modified", worth: 4), .fixed("kind", worth: 3), .number("size", worth: 5),
            .text("name", columnsMin: 16, worth: 9),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(modifiedAt), Table.Cell(kind.rawValue),
            Table.Cell(kind == .directory ? "" : Quantity.bytes(contentBytes)), Table.Cell(name),
        ]
    }
}

extension VaultAreaUsage: Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("area", area.rawValue)
        object.add("files", fileCount)
        object.add("directories", directoryCount)
        object.add("bytes", contentBytes)
        object.add("bytes_max", contentBytesMax)
        return object
    }

    static let record = RecordForm(
        name: "area",
        [
            "area", "files", "directories", "bytes", "bytes_max",
        ])

    static var columns: [Table.Column] {
        [
            .number("files", worth: 6), .number("directories", worth: 4), .number("size", worth: 8),
            .number("bound", worth: 5), .text("area", columnsMin: 16, worth: 9),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell("\(fileCount)"), Table.Cell("\(directoryCount)"), Table.Cell(Quantity.bytes(contentBytes)),
            Table.Cell(contentBytesMax == 0 ? "none" : Quantity.bytes(contentBytesMax)), Table.Cell(area.rawValue),
        ]
    }
}
