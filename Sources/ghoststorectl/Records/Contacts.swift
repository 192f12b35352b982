import StoreClient

extension Contact: Party, Presentable, Tabular {
    func json(_ form: JSONForm) -> JSONObject {
        var object = JSONObject(form, kind: ContactLine.kind)
        object.add(self, form)
        object.add("notes", ifPresent: notes)
        object.add("is_blocked", isBlocked)
        object.add("is_trusted", isTrusted)
        object.add(metadata)
        object.addStoreTimes(form, createdAt, updatedAt)
        return object
    }

    var json: JSONObject { json(.shown) }

    var fields: FieldList {
        [
            "id": id, "session id": sessionID, "name": displayName, "avatar": avatarText, "blocked": isBlocked,
            "trusted": isTrusted, "created": createdAt, "updated": updatedAt, "metadata": metadata?.phrase,
            "notes": notes.map(FieldList.Content.init(lines:)),
        ]
    }

    static let record = RecordForm(
        name: "session_id",
        [
            "id", "session_id", "display_name", "has_avatar", "avatar", "notes", "is_blocked", "is_trusted",
            "metadata", "metadata_type", "created_at_microseconds", "updated_at_microseconds",
        ])

    static let table: [TableColumn<Contact>] = [
        .init(.text("name", columnsMin: 8, worth: 8), \.displayName),
        .init(.id("session id", columnsMin: 12, worth: 9), \.sessionID),
        .init(.fixed("flags", worth: 3), \.flagsCell), .init(.text("notes", columnsMin: 8, worth: 2), \.notes),
    ]

    private var flagsCell: Table.Cell {
        let flags = [isBlocked ? "blocked" : nil, isTrusted ? "trusted" : nil].compactMap { $0 }
        return Table.Cell(flags.joined(separator: " "), isBlocked ? .red : nil)
    }
}

/// A contact from a line of a full export.
enum ContactLine {
    static let kind = "contact"

    /// The fields that a line may have. An export contains `created_at_microseconds` and `updated_at_microseconds`, but
    /// an import ignores them because the store sets these times.
    private static let names = Set(optionalNames).union([
        "kind", "session_id", "created_at_microseconds", "updated_at_microseconds",
    ])

    /// The fields that a line may have in addition to its session id.
    static let optionalNames = [
        "id", "display_name", "avatar", "notes", "is_blocked", "is_trusted", "metadata", "metadata_type",
    ]

    static func parse(_ record: JSONRecord) throws(JSONError) -> ContactUpdate {
        try record.allowOnly(names)
        var update = ContactUpdate(
            sessionID: try record.text("session_id"),
            displayName: FieldUpdate(present: try record.optionalText("display_name")),
            avatar: FieldUpdate(present: try record.avatar()),
            notes: FieldUpdate(present: try record.optionalText("notes")), isBlocked: try record.flag("is_blocked"),
            isTrusted: try record.flag("is_trusted"), metadata: FieldUpdate(present: try record.metadata()))
        if let id = try record.optionalText("id") {
            update.id = id
        }
        return update
    }
}

extension FieldUpdate {
    /// Creates an update that sets the value, or keeps the stored one if there is no value.
    init(present value: Value?) {
        self = value.map { .set($0) } ?? .keep
    }
}
