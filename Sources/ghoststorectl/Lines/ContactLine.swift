import StoreClient

/// A contact as a line of a full export, and back.
enum ContactLine {
    static let kind = "contact"

    /// `created_at_microseconds` and `updated_at_microseconds` are told and, on import, not used: the store sets them.
    private static let names: Set<String> = [
        "kind", "id", "session_id", "display_name", "avatar", "notes", "is_blocked", "is_trusted",
        "created_at_microseconds", "updated_at_microseconds",
    ]

    static func object(_ contact: Contact, withStoreTimes: Bool) -> JSONObject {
        var object = JSONObject()
        object.add("kind", kind)
        object.add("id", contact.id)
        object.add("session_id", contact.sessionID)
        object.add("display_name", ifPresent: contact.displayName)
        object.add("avatar", ifPresent: contact.avatar.map(Base64.text))
        object.add("notes", ifPresent: contact.notes)
        object.add("is_blocked", contact.isBlocked)
        object.add("is_trusted", contact.isTrusted)
        if withStoreTimes {
            object.add("created_at_microseconds", contact.createdAt.microseconds)
            object.add("updated_at_microseconds", contact.updatedAt.microseconds)
        }
        return object
    }

    static func parse(_ record: JSONRecord) throws(JSONError) -> ContactUpdate {
        try record.allowOnly(names)
        var update = ContactUpdate(
            sessionID: try record.text("session_id"),
            displayName: FieldUpdate(present: try record.optionalText("display_name")),
            avatar: FieldUpdate(present: try record.avatar()),
            notes: FieldUpdate(present: try record.optionalText("notes")), isBlocked: try record.flag("is_blocked"),
            isTrusted: try record.flag("is_trusted"))
        if let id = try record.optionalText("id") {
            update.id = id
        }
        return update
    }
}

extension FieldUpdate {
    /// Keeps what is there when there is nothing to set.
    init(present value: Value?) {
        self = value.map { .set($0) } ?? .keep
    }
}
