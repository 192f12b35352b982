import StoreClient

extension Conversation: Presentable, Tabular {
    var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("session_id", sessionID)
        object.add("display_name", ifPresent: displayName)
        object.add("has_avatar", hasAvatar)
        object.add("avatar", ifPresent: avatar.map(Base64.text))
        object.add("is_pinned", isPinned)
        object.add("is_muted", isMuted)
        object.add("message_count", messageCount)
        object.add("unread_count", unreadCount)
        if let lastMessage {
            object.add("last_message", lastMessage.json)
        }
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("updated_at_microseconds", updatedAt.microseconds)
        object.add("last_activity_at_microseconds", lastActivityAt.microseconds)
        return object
    }

    var fields: FieldList {
        var list = FieldList()
        list.add("id", id)
        list.add("session id", sessionID)
        list.add("name", ifPresent: displayName)
        list.add("avatar", avatar.map { Quantity.bytes(UInt64($0.count)) } ?? (hasAvatar ? "yes" : "no"))
        list.add("pinned", isPinned)
        list.add("muted", isMuted)
        list.add("messages", messageCount)
        list.add("unread", unreadCount)
        list.add("created", createdAt.description)
        list.add("updated", updatedAt.description)
        list.add("last activity", lastActivityAt.description)
        if let lastMessage {
            list.add("last message", lastMessage.id)
            list.add("last text", lines: lastMessage.text)
        }
        return list
    }

    static var columns: [Table.Column] {
        [
            .fixed("last activity"), .text("session id", columnsMin: 16), .text("name", columnsMin: 8),
            .number("messages"), .number("unread"), .fixed("flags"), .text("last message", columnsMin: 12),
        ]
    }

    var cells: [Table.Cell] {
        let flags = [isPinned ? "pinned" : nil, isMuted ? "muted" : nil].compactMap { $0 }
        return [
            Table.Cell(lastActivityAt.shortText, .dim), Table.Cell(sessionID), Table.Cell(displayName ?? ""),
            Table.Cell(String(messageCount)), Table.Cell(String(unreadCount), unreadCount > 0 ? .bold : nil),
            Table.Cell(flags.joined(separator: " ")), Table.Cell(lastMessage?.text ?? ""),
        ]
    }
}

extension LastMessage {
    var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("text", text)
        object.add("timestamp_microseconds", timestamp.microseconds)
        object.add("is_outgoing", isOutgoing)
        object.add("status", status.word)
        return object
    }
}
