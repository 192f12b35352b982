import SQLCipher
import StoreBasics

/// The walk over everything that an archive holds, in one snapshot that stays open between its pages.
struct ArchiveRows {
    /// Where the walk has come to.
    private enum Place {
        case contents(ArchiveContentWalk)
        case contacts(after: Int64)
        case conversations(after: Int64)
        case messages(conversation: Int64, after: MessageCursor)
        case drafts(afterRevision: Int64)
        case sceneValues(scene: String, key: String)
        case logs(after: Int64)
        case logEntries(log: Int64, after: Int64)
        case files(ArchiveFileWalk)
        case ended
    }

    private var place: Place
    private let clock: StoreClock

    init(_ clock: StoreClock) {
        place = .contents(ArchiveContentWalk(clock))
        self.clock = clock
    }

    var isAtEnd: Bool {
        if case .ended = place { true } else { false }
    }

    /// The header, of the moment that the connection's transaction sees from here on.
    static func begin(_ connection: Connection, now: Timestamp) throws(StoreError) -> ArchiveHeader {
        try connection.run(beginText)
        let statistics = try StatisticsRow.read(connection)
        return ArchiveHeader(history: statistics.history, revision: statistics.revision, createdAt: now)
    }

    /// Gives some of the records that come next, about `ArchiveLimits.pageBytes`.
    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        switch place {
        case .contents(var walk):
            let isOver = try !walk.readPage(connection, contents, body)
            place = isOver ? .contacts(after: .min) : .contents(walk)
        case .contacts(let number): try readContacts(after: number, connection, body)
        case .conversations(let number): try readConversation(after: number, connection, body)
        case .messages(let conversation, let cursor): try readMessages(conversation, after: cursor, connection, body)
        case .drafts(let revision): try readDrafts(after: revision, connection, body)
        case .sceneValues(let scene, let key): try readSceneValues(scene, key, connection, body)
        case .logs(let number): try readNextLog(after: number, connection, body)
        case .logEntries(let log, let sequence): try readEntries(of: log, after: sequence, connection, body)
        case .files(var walk):
            let isOver = try !walk.readPage(connection, contents, body)
            place = isOver ? .ended : .files(walk)
        case .ended: break
        }
    }

    // MARK: People and what they say

    private mutating func readContacts(
        after number: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.contacts, number)
        while try rows.next() {
            let contact = ArchivedContact(
                id: try rows.name(1), sessionID: try rows.name(2), displayName: try rows.optionalText(3),
                avatar: rows.isNull(9) ? nil : rows.bytes(9), notes: try rows.optionalText(4), isBlocked: rows.bool(5),
                isTrusted: rows.bool(6), createdAt: rows.timestamp(7), updatedAt: rows.timestamp(8))
            let record = ArchiveRecord.contact(contact)
            try body(record)
            place = .contacts(after: rows.integer(0))
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .conversations(after: .min)
    }

    private mutating func readConversation(
        after number: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let row = try connection.first(Self.conversation, number) else {
            place = .drafts(afterRevision: .min)
            return
        }
        try body(
            .conversation(
                ArchivedConversation(
                    id: try row.name(1), sessionID: try row.name(2), displayName: try row.optionalText(3),
                    avatar: row.isNull(8) ? nil : row.bytes(8), isPinned: row.bool(4), isMuted: row.bool(5),
                    retention: try row.conversationRetention(9), createdAt: row.timestamp(6),
                    updatedAt: row.timestamp(7))))
        place = .messages(
            conversation: row.integer(0),
            after: MessageCursor(timestamp: Timestamp(microseconds: .min), sequence: .min))
    }

    private mutating func readMessages(
        _ conversation: Int64, after cursor: MessageCursor, _ connection: Connection,
        _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.messages, conversation, cursor.timestamp, cursor.sequence)
        while try rows.next() {
            let row = try MessageRow(rows)
            place = .messages(
                conversation: conversation, after: MessageCursor(timestamp: row.timestamp, sequence: row.sequence))
            guard !clock.isOver(row.expiresAt) else { continue }
            let attachments = try AttachmentRows.readWhole(row.attachments, connection)
            let record = ArchiveRecord.message(ArchivedMessage(row, attachments, clock))
            try body(record)
            bytes += record.byteCount
            if row.reactions != nil {
                bytes += try readReactions(to: row.sequence, connection, body)
            }
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .conversations(after: conversation)
    }

    /// - Returns: about how many bytes they have.
    private func readReactions(
        to sequence: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        var bytes = 0
        let rows = try connection.rows(Self.reactions, sequence)
        while try rows.next() {
            let record = ArchiveRecord.reaction(
                ArchivedReaction(
                    authorSessionID: try rows.name(0), emoji: Emoji(trusted: try rows.text(1)),
                    createdAt: rows.timestamp(2)))
            try body(record)
            bytes += record.byteCount
        }
        return bytes
    }

    private mutating func readDrafts(
        after revision: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.drafts, revision)
        while try rows.next() {
            let content = try DraftContent(rows)
            place = .drafts(afterRevision: rows.integer(5))
            let attachments = try AttachmentRows.readWhole(rows.optionalInteger(7), connection)
            let record = ArchiveRecord.draft(
                ArchivedDraft(
                    sessionID: try rows.name(6), content: content, attachments: attachments,
                    updatedAt: rows.timestamp(4)))
            try body(record)
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .sceneValues(scene: "", key: "")
    }

    // MARK: Scenes and logs

    private mutating func readSceneValues(
        _ scene: String, _ key: String, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.sceneValues, scene, key)
        while try rows.next() {
            let scene = try rows.text(0)
            let value = ArchivedSceneValue(
                scene: scene == SceneTiers.globalScene ? nil : SceneName(trusted: scene), key: try rows.name(1),
                value: rows.bytes(3), updatedAt: rows.timestamp(2))
            let record = ArchiveRecord.sceneValue(value)
            try body(record)
            place = .sceneValues(scene: scene, key: value.key.text)
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .logs(after: .min)
    }

    private mutating func readNextLog(
        after number: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let row = try connection.first(Self.log, number) else {
            place = .files(ArchiveFileWalk())
            return
        }
        let log = try LogRow(row)
        try body(
            .log(ArchivedLog(name: log.name, configuration: log.configuration, createdAt: log.createdAt)))
        place = log.sequences.map { .logEntries(log: log.number, after: $0.lowerBound - 1) } ?? .logs(after: log.number)
    }

    private mutating func readEntries(
        of log: Int64, after sequence: Int64, _ connection: Connection,
        _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.entries, log, sequence)
        while try rows.next() {
            let sequence = try rows.count(0)
            let record = ArchiveRecord.logEntry(
                ArchivedLogEntry(
                    sequence: UInt64(sequence), offset: UInt64(try rows.count(1)), position: UInt64(try rows.count(2)),
                    data: rows.bytes(3)))
            try body(record)
            place = .logEntries(log: log, after: sequence)
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .logs(after: log)
    }

    private static let beginText = StatementText("BEGIN")
    private static let contacts = StatementText(
        """
        SELECT c.number, c.id, c.session_id, c.display_name, c.notes, c.is_blocked, c.is_trusted, c.created_at,
            c.updated_at, a.data
        FROM contacts AS c LEFT JOIN contact_avatars AS a ON a.contact = c.number
        WHERE c.number > ?1 ORDER BY c.number
        """)
    private static let conversation = StatementText(
        """
        SELECT c.number, c.id, c.session_id, c.display_name, c.is_pinned, c.is_muted, c.created_at, c.updated_at,
            a.data, \(ConversationRetention.columns)
        FROM conversations AS c LEFT JOIN conversation_avatars AS a ON a.conversation = c.number
        WHERE c.number > ?1 ORDER BY c.number LIMIT 1
        """)
    private static let messages = StatementText(
        """
        SELECT \(MessageRow.columns), c.id
        FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND m.conversation = ?1 AND m.timestamp >= ?2 AND (m.timestamp > ?2 OR m.sequence > ?3)
        ORDER BY m.timestamp, m.sequence
        """)
    private static let reactions = StatementText(
        "SELECT author, emoji, created_at FROM reactions WHERE message_sequence = ?1 ORDER BY revision")
    private static let drafts = StatementText(
        """
        SELECT \(DraftContent.columns), d.updated_at, d.revision, c.session_id, d.attachments
        FROM conversation_drafts AS d CROSS JOIN conversations AS c ON c.number = d.conversation
        WHERE d.revision > ?1 ORDER BY d.revision
        """)
    private static let sceneValues = StatementText(
        """
        SELECT scene, key, updated_at, value FROM scene_values
        WHERE scene >= ?1 AND (scene > ?1 OR key > ?2) ORDER BY scene, key
        """)
    private static let log = StatementText(LogRow.selectSQL + " WHERE l.number > ?1 ORDER BY l.number LIMIT 1")
    private static let entries = StatementText(
        "SELECT sequence, offset, position, data FROM log_entries WHERE log = ?1 AND sequence > ?2 ORDER BY sequence")
}

extension ArchivedMessage {
    fileprivate init(_ row: MessageRow, _ attachments: [NewAttachment], _ clock: StoreClock) {
        self.init(
            id: row.id, text: row.text, senderSessionID: row.senderSessionID,
            recipientSessionID: row.recipientSessionID, timestamp: row.timestamp, status: row.status,
            isOutgoing: row.isOutgoing, isRead: row.isRead, attachmentURL: row.attachmentURL,
            attachmentType: row.attachmentType, replyToMessageID: row.replyToMessageID, createdAt: row.createdAt,
            editedAt: row.editedAt, timer: row.timer, expiresAt: row.expiresAt.map(clock.time(ofAge:)),
            attachments: attachments)
    }
}
