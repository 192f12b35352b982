package import StoreBasics
import StoreCrypto
package import StoreEngine

/// Rows that fill every carried column of every carried table: with a value that is not the column's default, and with
/// different values in different rows.
package struct ColumnSample {
    private static let dayMilliseconds: UInt64 = 86_400_000

    private let now: Timestamp
    private let write: (Mutation) throws -> Void
    private let (alice, bob, carol): (SessionID, SessionID, SessionID)

    /// Fills a store with the sample.
    ///
    /// - Parameters:
    ///   - now: the time that the clock of the store shows.
    ///   - write: writes a mutation to the store. No two writes have the same time.
    package init(now: Timestamp, _ write: @escaping (Mutation) throws -> Void) throws {
        self.now = now
        self.write = write
        (alice, bob, carol) = (try SessionID("alice"), try SessionID("bob"), try SessionID("carol"))
    }

    package func fill() throws {
        try fillContacts()
        try fillConversations()
        try fillMembers()
        try fillMessages()
        try fillDrafts()
        try fillScenes()
        try fillLogs()
    }

    private func fillContacts() throws {
        try write(
            .saveContact(
                ContactUpdate(
                    sessionID: alice, id: EntityID("contact-alice"), displayName: "Älice", avatar: [1, 2, 3],
                    notes: "first notes", isBlocked: true, metadata: Metadata(data: [11], type: "a/b"))))
        try write(
            .saveContact(
                ContactUpdate(
                    sessionID: bob, id: EntityID("contact-bob"), displayName: "Bob", avatar: [4, 5],
                    notes: "other notes", isTrusted: true, metadata: Metadata(data: [12, 0], type: ""))))
        try write(.saveContact(ContactUpdate(sessionID: carol, id: EntityID("contact-carol"))))
        try write(.saveContact(ContactUpdate(sessionID: alice, notes: "notes")))
    }

    private func fillConversations() throws {
        try write(.getOrCreateConversation(alice, id: EntityID("with-alice"), displayName: "Talk with Älice"))
        try write(.getOrCreateConversation(bob, id: EntityID("with-bob"), displayName: "Talk with Bob"))
        try write(.getOrCreateConversation(carol, id: EntityID("with-carol"), displayName: nil))
        let retention = ConversationRetention(
            messageTimer: try timer(days: 60, from: .sending), keepFor: try days(400), keepCount: 500)
        let other = ConversationRetention(
            messageTimer: try timer(days: 50, from: .reading), keepFor: try days(300), keepCount: 400)
        try write(
            .updateConversation(
                .session(alice),
                ConversationUpdate(
                    avatar: [6, 7], isPinned: true, retention: RetentionUpdate(all: retention), kind: "group",
                    metadata: Metadata(data: [13], type: "a/b"))))
        try write(
            .updateConversation(
                .session(bob),
                ConversationUpdate(
                    avatar: [8, 9, 10], isMuted: true, retention: RetentionUpdate(all: other), kind: "channel",
                    metadata: Metadata(data: [14, 0], type: ""))))
    }

    private func fillMembers() throws {
        try write(
            .setMembers(
                .session(alice),
                [
                    ConversationMember(sessionID: alice, name: "Älice in the group", role: "admin"),
                    ConversationMember(sessionID: bob, name: "Bob in the group", role: "guest"),
                    ConversationMember(sessionID: carol),
                ]))
        try write(.setMembers(.session(alice), [ConversationMember(sessionID: bob, name: "Bob", role: "guest")]))
        try write(
            .setMembers(.session(bob), [ConversationMember(sessionID: alice), ConversationMember(sessionID: bob)]))
        try write(.removeMembers(.session(bob), [alice]))
    }

    private func days(_ count: UInt64) throws -> RetentionPeriod {
        try RetentionPeriod(milliseconds: count * Self.dayMilliseconds)
    }

    private func timer(days count: UInt64, from start: MessageTimer.Start) throws -> MessageTimer {
        MessageTimer(lifetime: try days(count), start: start)
    }

    private func fillMessages() throws {
        let attachments = [
            try attachment(
                "a content", "a.txt", "text/plain", thumbnail: [1, 2], source: "https://example.org/1",
                metadata: Metadata(data: [9, 0], type: "text/plain")),
            try attachment("other content", "b.png", "image/png", thumbnail: [], source: nil, metadata: nil),
        ]
        var first = try message("from-alice", from: alice, at: 1)
        first.status = .delivered
        first.attachments = attachments
        (first.kind, first.senderName) = ("notice", "Älice at that time")
        // Metadata of this length get a row of their own.
        first.metadata = try Metadata(data: [UInt8](repeating: 7, count: 5_000), type: "application/json")
        var outgoing = try message("to-alice", from: alice, at: 2)
        (outgoing.senderSessionID, outgoing.recipientSessionID) = ("me", "alice")
        (outgoing.isOutgoing, outgoing.status) = (true, .sent)
        (outgoing.attachmentURL, outgoing.attachmentType) = ("https://example.org/a", "image/png")
        outgoing.replyToMessageID = try EntityID("from-alice")
        outgoing.timer = .timer(try timer(days: 40, from: .sending))
        var read = try message("from-bob", from: bob, at: 3)
        (read.isRead, read.status) = (true, .failed)
        (read.kind, read.senderName) = ("call", "Bob at that time")
        read.metadata = try Metadata(data: [1, 0, 2], type: "")
        (read.attachmentURL, read.attachmentType) = ("https://example.org/b", "text/plain")
        read.replyToMessageID = try EntityID("to-alice")
        var attached = try message("from-bob-too", from: bob, at: 4)
        attached.attachments = [attachments[1]]
        // A text of this length gets a row of its own. The long edited text below gets one, too.
        attached.text = String(repeating: "a long text ", count: 400)
        for message in [first, outgoing, read, attached, try message("from-bob-last", from: bob, at: 5)] {
            try write(.saveMessage(message))
        }
        try write(.editMessage(EntityID("from-alice"), text: "an edited text", editedAt: nil))
        let long = String(repeating: "another edited text ", count: 300)
        try write(.editMessage(EntityID("from-bob"), text: long, editedAt: nil))
        for (id, author, emoji) in [("from-alice", bob, "👍"), ("from-alice", carol, "🎉"), ("from-bob", alice, "👍")] {
            try write(
                .addReaction(
                    ReactionReference(messageID: EntityID(id), authorSessionID: author, emoji: Emoji(emoji))))
        }
    }

    private func message(_ id: String, from sender: SessionID, at minute: Int64) throws -> NewMessage {
        NewMessage(
            id: try EntityID(id), conversation: .session(sender), text: "text of \(id)",
            senderSessionID: sender.text, recipientSessionID: "me",
            timestamp: now.advanced(byMicroseconds: (minute - 60) * 60_000_000))
    }

    private func attachment(
        _ text: String, _ name: String, _ type: String, thumbnail: [UInt8], source: String?,
        metadata: Metadata?
    ) throws -> NewAttachment {
        let bytes = Array(text.utf8)
        var digest = ContentDigest()
        digest.update(bytes)
        return try NewAttachment(
            .bytes(bytes, AttachmentDigest(digest.finish())), name: name, mimeType: MIMEType(type),
            thumbnail: thumbnail, source: source, metadata: metadata)
    }

    private func fillDrafts() throws {
        let attached = try attachment(
            "of a draft", "c.txt", "text/plain", thumbnail: [3], source: "https://example.org/3",
            metadata: Metadata(data: [1], type: ""))
        let content = DraftContent(
            text: "a draft", attachmentURL: "https://example.org/c", attachmentType: "image/gif",
            replyToMessageID: try EntityID("from-alice"))
        let other = DraftContent(
            text: "another draft", attachmentURL: "https://example.org/d", attachmentType: "image/jpeg",
            replyToMessageID: try EntityID("from-bob"))
        try write(.saveDraft(NewDraft(conversation: .session(alice), content: content, attachments: [attached])))
        try write(.saveDraft(NewDraft(conversation: .session(bob), content: other)))
    }

    /// Saves two values, encoded as scenes.proto defines: the string "a" and the integer 5.
    private func fillScenes() throws {
        for (scene, key, value) in [("scene", "key", [10, 1, 97] as [UInt8]), ("other scene", "other key", [16, 10])] {
            let change = SceneChange(key: try SceneKey(key), value: value)
            try write(.setSceneValues(.sceneOnly(SceneName(scene)), [change], conditions: []))
        }
    }

    /// Fills three logs. The second log has lost its oldest entries; the third one is not replicated.
    private func fillLogs() throws {
        // An entry consists of four bytes of length, the message, four more bytes, and the encoded metadata.
        let entryBytes: UInt64 = 4 + 1 + 4 + 3
        for (name, bytes, overwrites, isReplicated, count) in [
            ("events", 4_096, false, true, 2), ("round", 64 + 3 * entryBytes, true, true, 7),
            ("own", 1_024, false, false, 1),
        ] {
            let log = try LogName(name)
            let configuration = LogConfiguration(maximumBytes: bytes, overwritesOldest: overwrites)
            try write(.openLog(log, configuration, isReplicated: isReplicated))
            for number in 0..<count {
                let data = [UInt8(ascii: "a") + UInt8(number)]
                let metadata = try Metadata(data: [UInt8(number)], type: isReplicated && !overwrites ? "a/b" : "")
                try write(.appendLog(LogAppend(log: log, expected: nil, messages: [data], metadata: [metadata])))
            }
        }
    }
}
