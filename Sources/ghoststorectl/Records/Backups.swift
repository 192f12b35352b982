import StoreClient

extension Backup: Tabular, Presentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("kind", kind.jsonText)
        object.add("bytes", bytes)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("revision", revision)
        object.add("is_complete", isComplete)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("name", name)
        list.add("kind", kind.text)
        list.add("size", Quantity.bytes(bytes))
        list.add("created", createdAt.description)
        list.add("revision", revision)
        list.add("complete", isComplete)
        return list
    }

    static var columns: [Table.Column] {
        [.fixed("name"), .fixed("kind"), .number("size"), .fixed("created"), .number("revision")]
    }

    var cells: [Table.Cell] {
        let kindCell = isComplete ? Table.Cell(kind.text) : Table.Cell("\(kind.text), not whole", .yellow)
        return [
            Table.Cell(name), kindCell, Table.Cell(Quantity.bytes(bytes)), Table.Cell(createdAt.shortText, .dim),
            Table.Cell(String(revision)),
        ]
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

extension BackupReport: Presentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("is_clean", isClean)
        object.add("findings", findings)
        object.add("statistics", statistics.json)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("clean", isClean)
        list.add("conversations", statistics.conversationCount)
        list.add("messages", statistics.messageCount)
        list.add("contacts", statistics.contactCount)
        list.add("revision", statistics.revision)
        for finding in findings {
            list.add("finding", finding)
        }
        return list
    }
}

extension CheckReport: Presentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("is_clean", isClean)
        object.add("findings", findings)
        object.add("pages_checked", pagesChecked)
        object.add("rows_checked", rowsChecked)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("clean", isClean)
        list.add("pages", pagesChecked)
        list.add("rows", rowsChecked)
        for finding in findings {
            list.add("finding", finding)
        }
        return list
    }
}
