import StoreClient

extension ArchivedContact: ArchiveLineForm {
    static let word = "contact"
    static let names: Set<String> = [
        "id", "session_id", "display_name", "avatar", "notes", "is_blocked", "is_trusted", "created_at_microseconds",
        "updated_at_microseconds",
    ]

    init(line: JSONRecord) throws(JSONError) {
        self.init(
            id: try line.text("id"), sessionID: try line.text("session_id"),
            displayName: try line.optionalText("display_name"), avatar: try line.optionalBytes("avatar"),
            notes: try line.optionalText("notes"), isBlocked: try line.requiredFlag("is_blocked"),
            isTrusted: try line.requiredFlag("is_trusted"), createdAt: try line.time("created_at_microseconds"),
            updatedAt: try line.time("updated_at_microseconds"))
    }

    func add(to object: inout JSONObject) {
        object.add("id", id)
        object.add("session_id", sessionID)
        object.add("display_name", ifPresent: displayName)
        object.add("avatar", ifPresent: avatar.map(Base64.text))
        object.add("notes", ifPresent: notes)
        object.add("is_blocked", isBlocked)
        object.add("is_trusted", isTrusted)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("updated_at_microseconds", updatedAt.microseconds)
    }
}

extension ArchivedConversation: ArchiveLineForm {
    static let word = "conversation"
    static let names: Set<String> = [
        "id", "session_id", "display_name", "avatar", "is_pinned", "is_muted", "message_lifetime_milliseconds",
        "message_lifetime_from", "keep_for_milliseconds", "keep_count", "created_at_microseconds",
        "updated_at_microseconds",
    ]

    init(line: JSONRecord) throws(JSONError) {
        let count = try line.optionalUnsigned("keep_count")
        guard count != 0, let keepCount = UInt32(exactly: count ?? 1) else {
            throw JSONError("the field 'keep_count' must be from 1 to \(UInt32.max)")
        }
        let keepFor = try line.optionalUnsigned("keep_for_milliseconds")
        guard keepFor != 0 else { throw JSONError("the field 'keep_for_milliseconds' must be greater than 0") }
        self.init(
            id: try line.text("id"), sessionID: try line.text("session_id"),
            displayName: try line.optionalText("display_name"), avatar: try line.optionalBytes("avatar"),
            isPinned: try line.requiredFlag("is_pinned"), isMuted: try line.requiredFlag("is_muted"),
            retention: ConversationRetention(
                messageTimer: try line.archivedTimer("message_"), keepForMilliseconds: keepFor,
                keepCount: count == nil ? nil : Int(keepCount)),
            createdAt: try line.time("created_at_microseconds"), updatedAt: try line.time("updated_at_microseconds"))
    }

    func add(to object: inout JSONObject) {
        object.add("id", id)
        object.add("session_id", sessionID)
        object.add("display_name", ifPresent: displayName)
        object.add("avatar", ifPresent: avatar.map(Base64.text))
        object.add("is_pinned", isPinned)
        object.add("is_muted", isMuted)
        object.add(retention.messageTimer, "message_")
        object.add("keep_for_milliseconds", ifPresent: retention.keepForMilliseconds)
        object.add("keep_count", ifPresent: retention.keepCount)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("updated_at_microseconds", updatedAt.microseconds)
    }
}

extension ArchivedMessage: ArchiveLineForm {
    static let word = "message"
    static let names: Set<String> = [
        "id", "text", "sender_session_id", "recipient_session_id", "timestamp_microseconds", "status", "is_outgoing",
        "is_read", "attachment_url", "attachment_type", "reply_to_message_id", "created_at_microseconds",
        "edited_at_microseconds", "lifetime_milliseconds", "lifetime_from", "expires_at_microseconds", "attachments",
    ]

    init(line: JSONRecord) throws(JSONError) {
        guard let status = MessageStatus(word: try line.text("status")), status != .unknown else {
            throw JSONError("the field 'status' must be pending, sent, delivered or failed")
        }
        self.init(
            id: try line.text("id"), text: try line.text("text"), senderSessionID: try line.text("sender_session_id"),
            recipientSessionID: try line.text("recipient_session_id"),
            timestamp: try line.time("timestamp_microseconds"), status: status,
            isOutgoing: try line.requiredFlag("is_outgoing"), isRead: try line.requiredFlag("is_read"),
            attachmentURL: try line.optionalText("attachment_url"),
            attachmentType: try line.optionalText("attachment_type"),
            replyToMessageID: try line.optionalText("reply_to_message_id"),
            createdAt: try line.time("created_at_microseconds"),
            editedAt: try line.optionalTime("edited_at_microseconds"), timer: try line.archivedTimer(),
            expiresAt: try line.optionalTime("expires_at_microseconds"), attachments: try line.archivedAttachments())
    }

    func add(to object: inout JSONObject) {
        object.add("id", id)
        object.add("text", text)
        object.add("sender_session_id", senderSessionID)
        object.add("recipient_session_id", recipientSessionID)
        object.add("timestamp_microseconds", timestamp.microseconds)
        object.add("status", status.word)
        object.add("is_outgoing", isOutgoing)
        object.add("is_read", isRead)
        object.add("attachment_url", ifPresent: attachmentURL)
        object.add("attachment_type", ifPresent: attachmentType)
        object.add("reply_to_message_id", ifPresent: replyToMessageID)
        object.add("created_at_microseconds", createdAt.microseconds)
        object.add("edited_at_microseconds", ifPresent: editedAt?.microseconds)
        object.add(timer)
        object.add("expires_at_microseconds", ifPresent: expiresAt?.microseconds)
        object.add("attachments", ifPresent: attachments.lineArray)
    }
}

extension ArchivedReaction: ArchiveLineForm {
    static let word = "reaction"
    static let names: Set<String> = ["author_session_id", "emoji", "created_at_microseconds"]

    init(line: JSONRecord) throws(JSONError) {
        self.init(
            authorSessionID: try line.text("author_session_id"), emoji: try line.text("emoji"),
            createdAt: try line.time("created_at_microseconds"))
    }

    func add(to object: inout JSONObject) {
        object.add("author_session_id", authorSessionID)
        object.add("emoji", emoji)
        object.add("created_at_microseconds", createdAt.microseconds)
    }
}

extension ArchivedDraft: ArchiveLineForm {
    static let word = "draft"
    static let names: Set<String> = [
        "session_id", "text", "attachment_url", "attachment_type", "reply_to_message_id", "updated_at_microseconds",
        "attachments",
    ]

    init(line: JSONRecord) throws(JSONError) {
        self.init(
            sessionID: try line.text("session_id"), text: try line.text("text"),
            attachmentURL: try line.optionalText("attachment_url"),
            attachmentType: try line.optionalText("attachment_type"),
            replyToMessageID: try line.optionalText("reply_to_message_id"),
            updatedAt: try line.time("updated_at_microseconds"), attachments: try line.archivedAttachments())
    }

    func add(to object: inout JSONObject) {
        object.add("session_id", sessionID)
        object.add("text", text)
        object.add("attachment_url", ifPresent: attachmentURL)
        object.add("attachment_type", ifPresent: attachmentType)
        object.add("reply_to_message_id", ifPresent: replyToMessageID)
        object.add("updated_at_microseconds", updatedAt.microseconds)
        object.add("attachments", ifPresent: attachments.lineArray)
    }
}

extension JSONRecord {
    private static let attachmentNames: Set<String> = [
        "name", "mime_type", "byte_count", "digest", "source", "thumbnail",
    ]

    fileprivate func archivedTimer(_ prefix: String = "") throws(JSONError) -> MessageTimer? {
        let (lifetimeName, startName) = (prefix + "lifetime_milliseconds", prefix + "lifetime_from")
        let word = try optionalText(startName)
        guard let lifetime = try optionalUnsigned(lifetimeName) else {
            guard word == nil else { throw JSONError("the field '\(startName)' needs the field '\(lifetimeName)'") }
            return nil
        }
        guard lifetime > 0 else { throw JSONError("the field '\(lifetimeName)' must be greater than 0") }
        guard let start = word.flatMap(MessageTimer.Start.init(rawValue:)) else {
            throw JSONError("the field '\(startName)' must be sending or reading")
        }
        var timer = MessageTimer(lifetime: .zero, start: start)
        timer.lifetimeMilliseconds = lifetime
        return timer
    }

    fileprivate func archivedAttachments() throws(JSONError) -> [ArchivedAttachment] {
        var attachments: [ArchivedAttachment] = []
        for line in try records("attachments") {
            try line.allowOnly(Self.attachmentNames)
            attachments.append(
                ArchivedAttachment(
                    name: try line.text("name"), mimeType: try line.text("mime_type"),
                    contentBytes: try line.unsigned("byte_count"), digest: try line.digest("digest"),
                    source: try line.optionalText("source"), thumbnail: try line.optionalBytes("thumbnail") ?? []))
        }
        return attachments
    }
}

extension [ArchivedAttachment] {
    /// `nil` for none.
    fileprivate var lineArray: [JSONObject]? {
        isEmpty ? nil : map(\.lineObject)
    }
}

extension ArchivedAttachment {
    fileprivate var lineObject: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("mime_type", mimeType)
        object.add("byte_count", contentBytes)
        object.add("digest", digest)
        object.add("source", ifPresent: source)
        object.add("thumbnail", ifPresent: thumbnail.isEmpty ? nil : Base64.text(thumbnail))
        return object
    }
}
