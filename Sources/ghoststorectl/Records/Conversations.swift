import StoreClient

extension Conversation: Party, Presentable, Tabular {
    func json(_ form: JSONForm) -> JSONObject {
        var object = JSONObject(form, kind: ConversationLine.kind)
        object.add(self, form)
        object.add("conversation_kind", ifPresent: kind.isEmpty ? nil : kind)
        object.add("is_pinned", isPinned)
        object.add("is_muted", isMuted)
        object.add(retention?.messageTimer, "message_")
        object.add("keep_for_milliseconds", ifPresent: retention?.keepForMilliseconds)
        object.add("keep_count", ifPresent: retention?.keepCount)
        object.add(metadata)
        if form == .shown {
            object.add("message_count", messageCount)
            object.add("unread_count", unreadCount)
            if let lastMessage {
                object.add("last_message", lastMessage.json)
            }
            object.add("last_activity_at_microseconds", lastActivityAt.microseconds)
        }
        object.addStoreTimes(form, createdAt, updatedAt)
        return object
    }

    var json: JSONObject { json(.shown) }

    var fields: FieldList {
        [
            "id": id, "session id": sessionID, "name": displayName, "kind": Optional(kind), "avatar": avatarText,
            "pinned": isPinned,
            "muted": isMuted, "messages expire": retention?.messageTimer?.phrase,
            "keeps for": retention?.keepForMilliseconds.map(Quantity.duration(milliseconds:)),
            "keeps": retention?.keepCount.map { Quantity.count($0, "message") }, "messages": messageCount,
            "unread": unreadCount, "created": createdAt, "updated": updatedAt, "last activity": lastActivityAt,
            "metadata": metadata?.phrase, "last message": lastMessage?.id,
            "last text": (lastMessage?.text).map(FieldList.Content.init(lines:)),
        ]
    }

    static let record = RecordForm(
        name: "session_id",
        [
            "id", "session_id", "display_name", "has_avatar", "avatar", "conversation_kind", "is_pinned", "is_muted",
            "message_lifetime_milliseconds", "message_lifetime_from", "keep_for_milliseconds", "keep_count",
            "metadata", "metadata_type",
            "message_count", "unread_count", "last_message", "last_activity_at_microseconds",
            "created_at_microseconds", "updated_at_microseconds",
        ])

    static let table: [TableColumn<Conversation>] = [
        .init(.fixed("last activity", worth: 4), \.lastActivityAt),
        .init(.id("session id", columnsMin: 12, worth: 9), \.sessionID),
        .init(.text("name", columnsMin: 16, worth: 8), \.displayName),
        .init(.number("messages", worth: 1), \.messageCount),
        .init(.number("unread", worth: 3)) { Table.Cell(String($0.unreadCount), $0.unreadCount > 0 ? .bold : nil) },
        .init(.fixed("flags"), \.flags), .init(.extra("kind"), \.kind),
        .init(.text("last message", columnsMin: 20, columnsWanted: 40, worth: 6), \.lastMessage?.text),
    ]

    private var flags: String {
        [isPinned ? "pinned" : nil, isMuted ? "muted" : nil].compactMap { $0 }.joined(separator: " ")
    }
}

extension LastMessage {
    var json: JSONObject {
        [
            "id": id,
            "text": text,
            "timestamp_microseconds": timestamp.microseconds,
            "is_outgoing": isOutgoing,
            "status": status.word,
        ]
    }
}

/// A conversation from a line of a full export.
struct ConversationLine: Sendable {
    static let kind = "conversation"

    /// The fields that a line may have in addition to its session id.
    static let optionalNames = [
        "id", "display_name", "avatar", "is_pinned", "is_muted", "message_lifetime_milliseconds",
        "message_lifetime_from", "keep_for_milliseconds", "keep_count", "conversation_kind", "metadata",
        "metadata_type", "members",
    ]

    /// All fields that a line may have. An export contains `created_at_microseconds` and `updated_at_microseconds`, but
    /// an import ignores them because the store sets these times.
    private static let names = Set(optionalNames).union([
        "kind", "session_id", "created_at_microseconds", "updated_at_microseconds",
    ])

    /// The ID; if it is `nil`, the daemon creates one.
    let id: String?
    let sessionID: String
    let displayName: String?
    /// The avatar; `nil` keeps the stored one.
    let avatar: [UInt8]?
    let isPinned: Bool
    let isMuted: Bool
    /// The timer. Here and in the properties below, `nil` keeps the stored value.
    var messageTimer: MessageTimer?
    var keepFor: Duration?
    var keepCount: Int?
    var conversationKind: String?
    var metadata: Metadata?
    /// Members to add or to change. Other members of the conversation stay.
    var members: [ConversationMember] = []

    static func parse(_ record: JSONRecord) throws(JSONError) -> ConversationLine {
        try record.allowOnly(names)
        return ConversationLine(
            id: try record.optionalText("id"), sessionID: try record.text("session_id"),
            displayName: try record.optionalText("display_name"), avatar: try record.avatar(),
            isPinned: try record.flag("is_pinned"), isMuted: try record.flag("is_muted"),
            messageTimer: try record.timer("message_"), keepFor: try record.period("keep_for_milliseconds"),
            keepCount: try keepCount(of: record), conversationKind: try record.optionalText("conversation_kind"),
            metadata: try record.metadata(), members: try members(of: record))
    }

    private static func members(of record: JSONRecord) throws(JSONError) -> [ConversationMember] {
        try record.records("members").map { (member) throws(JSONError) in
            try member.allowOnly(["session_id", "name", "role"])
            return ConversationMember(
                sessionID: try member.text("session_id"), name: try member.optionalText("name") ?? "",
                role: try member.optionalText("role") ?? "")
        }
    }

    private static func keepCount(of record: JSONRecord) throws(JSONError) -> Int? {
        guard let count = try record.optionalInteger("keep_count") else { return nil }
        guard let count = UInt32(exactly: count), count > 0 else {
            throw JSONError("the field 'keep_count' must be from 1 to \(UInt32.max)")
        }
        return Int(count)
    }
}
