import StoreClient

extension Contact: Presentable, Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("session_id", sessionID)
        object.add("display_name", ifPresent: displayName)
        object.add("has_avatar", hasAvatar)
        object.add("avatar", ifPresent: avatar.map(Base64.text))
        object.add("notes", ifPresent: notes)
        object.add("is_blocked", isBlocked)
        object.add("is_trusted", isTrusted)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("updated_at_microseconds", updatedAt.microseconds)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("id", id)
        list.add("session id", sessionID)
        list.add("name", ifPresent: displayName)
        list.add("avatar", avatar.map { Quantity.bytes(UInt64($0.count)) } ?? (hasAvatar ? "yes" : "no"))
        list.add("blocked", isBlocked)
        list.add("trusted", isTrusted)
        list.add("created", createdAt.description)
        list.add("updated", updatedAt.description)
        if let notes {
            list.add("notes", lines: notes)
        }
        return list
    }

    static var columns: [Table.Column] {
        [
            .text("name", columnsMin: 8), .text("session id", columnsMin: 16), .fixed("flags"),
            .text("notes", columnsMin: 8),
        ]
    }

    var cells: [Table.Cell] {
        let flags = [isBlocked ? "blocked" : nil, isTrusted ? "trusted" : nil].compactMap { $0 }
        return [
            Table.Cell(displayName ?? ""), Table.Cell(sessionID),
            Table.Cell(flags.joined(separator: " "), isBlocked ? .red : nil), Table.Cell(notes ?? ""),
        ]
    }
}
