import StoreClient

extension Change: Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("revision", revision)
        object.add("kind", kind.word)
        object.add("operation", operation.word)
        object.add("id", id)
        object.add("parent_id", ifPresent: parentID)
        object.add("committed_at_microseconds", committedAt.microseconds)
        return object
    }

    static let record = RecordForm(
        name: "id",
        [
            "revision", "kind", "operation", "id", "parent_id", "committed_at_microseconds",
        ])

    static var columns: [Table.Column] {
        [
            .number("revision", worth: 8), .fixed("time", worth: 3), .fixed("kind", worth: 6),
            .fixed("operation", worth: 7), .id("id", worth: 9), .id("parent"),
        ]
    }

    var cells: [Table.Cell] {
        [
            Table.Cell(String(revision)), Table.Cell(committedAt), Table.Cell(kind.word),
            Table.Cell(operation.word, operation == .deleted || operation == .cleared ? .red : nil), Table.Cell(id),
            Table.Cell(parentID ?? "", .dim),
        ]
    }

    /// One line of a watch, which has no columns to align, without its time.
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

    /// The same of values of scenes.
    var jsonWithRevisions: JSONObject {
        var object = json
        object.add("value_revisions", valueRevisions)
        return object
    }

    /// The fields of a commit, and for a clear whether the store left its group.
    var jsonWithGroup: JSONObject {
        var object = json
        object.add("left_replica_group", leftReplicaGroup)
        return object
    }

    /// What happened, for people.
    var sentence: String {
        "\(outcome) at revision \(revision)" + (ids.count == 1 ? ": \(ids[0])" : "")
    }

    /// The same of keys of a scene, each with the revision of its value: that of the store is of no use for conditions.
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
