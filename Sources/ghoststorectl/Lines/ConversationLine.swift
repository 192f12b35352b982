import StoreClient

/// A conversation as a line of a full export, and back.
struct ConversationLine: Sendable {
    static let kind = "conversation"

    /// `created_at_microseconds` and `updated_at_microseconds` are told and, on import, not used: the store sets them.
    private static let names: Set<String> = [
        "kind", "id", "session_id", "display_name", "avatar", "is_pinned", "is_muted", "created_at_microseconds",
        "updated_at_microseconds",
    ]

    /// `nil` lets the daemon make one.
    let id: String?
    let sessionID: String
    let displayName: String?
    /// Keeps what is there when the line says nothing of it.
    let avatar: [UInt8]?
    let isPinned: Bool
    let isMuted: Bool

    static func object(_ conversation: Conversation, withStoreTimes: Bool) -> JSONObject {
        var object = JSONObject()
        object.add("kind", kind)
        object.add("id", conversation.id)
        object.add("session_id", conversation.sessionID)
        object.add("display_name", ifPresent: conversation.displayName)
        object.add("avatar", ifPresent: conversation.avatar.map(Base64.text))
        object.add("is_pinned", conversation.isPinned)
        object.add("is_muted", conversation.isMuted)
        if withStoreTimes {
            object.add("created_at_microseconds", conversation.createdAt.microseconds)
            object.add("updated_at_microseconds", conversation.updatedAt.microseconds)
        }
        return object
    }

    static func parse(_ record: JSONRecord) throws(JSONError) -> ConversationLine {
        try record.allowOnly(names)
        return ConversationLine(
            id: try record.optionalText("id"), sessionID: try record.text("session_id"),
            displayName: try record.optionalText("display_name"), avatar: try record.avatar(),
            isPinned: try record.flag("is_pinned"), isMuted: try record.flag("is_muted"))
    }
}

extension JSONRecord {
    /// The bytes of the field `avatar`, which is base64.
    func avatar() throws(JSONError) -> [UInt8]? {
        guard let text = try optionalText("avatar") else {
            return nil
        }
        guard let bytes = Base64.bytes(text) else {
            throw JSONError("the field 'avatar' is not base64")
        }
        return bytes
    }
}
