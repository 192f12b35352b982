import StoreClient

extension Change: Tabular, Described {
    static let description = JSONFields<Change>(
        name: "id",
        [
            .field("revision", \.revision), .field("kind", \.kind.word), .field("operation", \.operation.word),
            .field("id", \.id), .field("parent_id", ifPresent: \.parentID),
            .field("committed_at_microseconds", \.committedAt), .field("kind_name", ifPresent: \.kindName),
        ])

    static let table: [TableColumn<Change>] = [
        .init(.number("revision", worth: 8), \.revision), .init(.fixed("time", worth: 3), \.committedAt),
        .init(.fixed("kind", worth: 6), \.kind.word), .init(.fixed("operation", worth: 7), \.operationCell),
        .init(.id("id", worth: 9), \.id), .init(.id("parent")) { Table.Cell($0.parentID ?? "", .dim) },
    ]

    private var operationCell: Table.Cell {
        Table.Cell(operation.word, operation == .deleted || operation == .cleared ? .red : nil)
    }

    /// The change as one line of a watch, without its time. The line has no columns to align.
    var sentence: String {
        let place = parentID.map { " in \($0)" } ?? ""
        return "\(revision)  \(kind.word) \(operation.word)  \(id)\(place)"
    }
}

extension Commit {
    var json: JSONObject {
        [
            "revision": revision,
            "ids": ids,
            "created_count": createdCount,
            "updated_count": updatedCount,
            "deleted_count": deletedCount,
        ]
    }

    /// The JSON of a commit that changed scene values.
    var jsonWithRevisions: JSONObject {
        var object = json
        object.add("value_revisions", valueRevisions)
        return object
    }

    /// The JSON of a commit. After a clear, it also says whether the store left its replica group.
    var jsonWithGroup: JSONObject {
        var object = json
        object.add("left_replica_group", leftReplicaGroup)
        return object
    }

    var sentence: String {
        "\(outcome) at revision \(revision)" + (ids.count == 1 ? ": \(ids[0])" : "")
    }

    /// Returns the result of setting keys of a scene as a sentence, with the revision of each value. Conditions compare
    /// these revisions, not the store's revision.
    func sentence(settingKeys keys: [String]) -> String {
        outcome + ": " + zip(keys, valueRevisions).map { "\($0) at revision \($1)" }.joined(separator: ", ")
    }

    private var outcome: String {
        let parts = [
            createdCount > 0 ? "\(createdCount) created" : nil, updatedCount > 0 ? "\(updatedCount) updated" : nil,
            deletedCount > 0 ? "\(deletedCount) deleted" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "nothing had to change" : parts.joined(separator: ", ")
    }
}
