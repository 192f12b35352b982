import StoreClient

extension Backup: Tabular, Presentable {
    var json: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("bytes", bytes)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("revision", revision)
        object.add("is_complete", isComplete)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("name", name)
        list.add("size", Quantity.bytes(bytes))
        list.add("created", createdAt.description)
        list.add("revision", revision)
        list.add("complete", isComplete)
        return list
    }

    static var columns: [Table.Column] {
        [.fixed("name"), .number("size"), .fixed("created"), .number("revision"), .fixed("complete")]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(name), Table.Cell(Quantity.bytes(bytes)), Table.Cell(createdAt.shortText, .dim),
            Table.Cell(String(revision)), Table.Cell(isComplete ? "yes" : "no", isComplete ? nil : .yellow),
        ]
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
