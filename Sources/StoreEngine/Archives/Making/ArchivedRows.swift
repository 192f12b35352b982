import SQLCipher
import StoreBasics

/// Statements that more than one walk uses.
enum ArchiveRowTexts {
    private static let selectContacts = """
        SELECT c.number, c.id, c.session_id, c.display_name, c.notes, c.is_blocked, c.is_trusted, c.created_at,
            c.updated_at, a.data
        FROM contacts AS c LEFT JOIN contact_avatars AS a ON a.contact = c.number
        """
    static let contactsAfter = StatementText(selectContacts + " WHERE c.number > ?1 ORDER BY c.number")
    static let contact = StatementText(selectContacts + " WHERE c.number = ?1")
    private static let selectConversations = """
        SELECT c.number, c.id, c.session_id, c.display_name, c.is_pinned, c.is_muted, c.created_at, c.updated_at,
            a.data, \(ConversationRetention.columns)
        FROM conversations AS c LEFT JOIN conversation_avatars AS a ON a.conversation = c.number
        """
    static let nextConversation = StatementText(
        selectConversations + " WHERE c.number > ?1 ORDER BY c.number LIMIT 1")
    static let conversation = StatementText(selectConversations + " WHERE c.number = ?1")
    static let nextLog = StatementText(LogRow.selectSQL + " WHERE l.number > ?1 ORDER BY l.number LIMIT 1")
    fileprivate static let reactions = StatementText(
        "SELECT author, emoji, created_at FROM reactions WHERE message_sequence = ?1 ORDER BY \(ReactionCursor.order)")
    fileprivate static let entries = StatementText(
        "SELECT sequence, offset, position, data FROM log_entries WHERE log = ?1 AND sequence > ?2 ORDER BY sequence")
}

extension ArchivedContact {
    /// - Parameter row: of `ArchiveRowTexts`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            id: try row.name(1), sessionID: try row.name(2), displayName: try row.optionalText(3),
            avatar: row.isNull(9) ? nil : row.bytes(9), notes: try row.optionalText(4), isBlocked: row.bool(5),
            isTrusted: row.bool(6), createdAt: row.timestamp(7), updatedAt: row.timestamp(8))
    }
}

extension ArchivedConversation {
    /// - Parameter row: of `ArchiveRowTexts`.
    init(_ row: borrowing Rows) throws(StoreError) {
        self.init(
            id: try row.name(1), sessionID: try row.name(2), displayName: try row.optionalText(3),
            avatar: row.isNull(8) ? nil : row.bytes(8), isPinned: row.bool(4), isMuted: row.bool(5),
            retention: try row.conversationRetention(9), createdAt: row.timestamp(6), updatedAt: row.timestamp(7))
    }
}

extension ArchivedMessage {
    init(_ row: MessageRow, _ attachments: [NewAttachment], _ clock: StoreClock) {
        self.init(
            id: row.id, text: row.text, senderSessionID: row.senderSessionID,
            recipientSessionID: row.recipientSessionID, timestamp: row.timestamp, status: row.status,
            isOutgoing: row.isOutgoing, isRead: row.isRead, attachmentURL: row.attachmentURL,
            attachmentType: row.attachmentType, replyToMessageID: row.replyToMessageID, createdAt: row.createdAt,
            editedAt: row.editedAt, timer: row.timer, expiresAt: row.expiresAt.map(clock.time(ofAge:)),
            attachments: attachments, unknownFields: row.unknownFields ?? [])
    }
}

extension ArchivedReaction {
    /// Gives those to a message.
    ///
    /// - Returns: about how many bytes they have.
    static func read(
        to sequence: Int64, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        var bytes = 0
        for reaction in try all(to: sequence, connection) {
            let record = ArchiveRecord.reaction(reaction)
            try body(ArchiveEntry(record))
            bytes += record.byteCount
        }
        return bytes
    }

    /// In the order of lists.
    static func all(to sequence: Int64, _ connection: Connection) throws(StoreError) -> [ArchivedReaction] {
        let rows = try connection.rows(ArchiveRowTexts.reactions, sequence)
        var reactions: [ArchivedReaction] = []
        while try rows.next() {
            reactions.append(
                ArchivedReaction(
                    authorSessionID: try rows.name(0), emoji: Emoji(trusted: try rows.text(1)),
                    createdAt: rows.timestamp(2)))
        }
        return reactions
    }
}

extension ArchivedDraft {
    static let selectSQL = """
        SELECT \(DraftContent.columns), d.updated_at, d.revision, c.session_id, d.attachments
        FROM conversation_drafts AS d CROSS JOIN conversations AS c ON c.number = d.conversation
        """

    /// - Parameter row: of `selectSQL`.
    init(_ row: borrowing Rows, _ connection: Connection) throws(StoreError) {
        self.init(
            sessionID: try row.name(6), content: try DraftContent(row),
            attachments: try AttachmentRows.readWhole(row.optionalInteger(7), connection),
            updatedAt: row.timestamp(4))
    }
}

extension ArchivedSceneValue {
    /// - Parameter row: scene, key, time and value.
    init(_ row: borrowing Rows) throws(StoreError) {
        let scene = try row.text(0)
        self.init(
            scene: scene == SceneTiers.globalScene ? nil : SceneName(trusted: scene), key: try row.name(1),
            value: row.bytes(3), updatedAt: row.timestamp(2))
    }
}

extension ArchivedLogEntry {
    /// Gives some of the entries of a log.
    ///
    /// - Returns: the number of the last that was given; `nil` where there are no more.
    static func readPage(
        of log: Int64, after sequence: Int64, _ connection: Connection,
        _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) -> Int64? {
        var bytes = 0
        let rows = try connection.rows(ArchiveRowTexts.entries, log, sequence)
        while try rows.next() {
            let sequence = try rows.count(0)
            let record = ArchiveRecord.logEntry(
                ArchivedLogEntry(
                    sequence: UInt64(sequence), offset: UInt64(try rows.count(1)), position: UInt64(try rows.count(2)),
                    data: rows.bytes(3)))
            try body(record)
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return sequence }
        }
        return nil
    }
}
