import SQLCipher
import StoreBasics

/// A walk over the records of an archive, in one snapshot that stays open between its pages.
protocol ArchiveWalk {
    var isAtEnd: Bool { get }

    /// Passes some of the next records to `body`, about `ArchiveLimits.pageBytes`.
    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError)
}

/// The walk over everything in the store.
struct ArchiveRows: ArchiveWalk {
    /// The kind of records that the walk has reached, and the walk's position among them.
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

    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let give: (ArchiveRecord) throws(StoreError) -> Void = { (record) throws(StoreError) in
            try body(ArchiveEntry(record))
        }
        switch place {
        case .contents(var walk):
            // Remove the walk from `place` while it reads. Otherwise every change of the walk would copy its table of
            // found contents.
            place = .ended
            let isOver = try !walk.readPage(connection, contents, give)
            place = isOver ? .contacts(after: .min) : .contents(walk)
        case .contacts(let number): try readContacts(after: number, connection, give)
        case .conversations(let number): try readConversation(after: number, connection, give)
        case .messages(let conversation, let cursor): try readMessages(conversation, after: cursor, connection, body)
        case .drafts(let revision): try readDrafts(after: revision, connection, give)
        case .sceneValues(let scene, let key): try readSceneValues(scene, key, connection, give)
        case .logs(let number): try readNextLog(after: number, connection, give)
        case .logEntries(let log, let sequence):
            let last = try ArchivedLogEntry.readPage(of: log, after: sequence, connection, give)
            place = last.map { .logEntries(log: log, after: $0) } ?? .logs(after: log)
        case .files(var walk):
            let isOver = try !walk.readPage(connection, contents, give)
            place = isOver ? .ended : .files(walk)
        case .ended: break
        }
    }

    // MARK: Contacts, conversations, messages and drafts

    private mutating func readContacts(
        after number: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(ArchiveRowTexts.contactsAfter, number)
        while try rows.next() {
            let record = ArchiveRecord.contact(try ArchivedContact(rows))
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
        guard let row = try connection.first(ArchiveRowTexts.nextConversation, number) else {
            place = .drafts(afterRevision: .min)
            return
        }
        try body(.conversation(try ArchivedConversation(withMembers: row, connection)))
        place = .messages(
            conversation: row.integer(0),
            after: .first)
    }

    private mutating func readMessages(
        _ conversation: Int64, after cursor: MessageCursor, _ connection: Connection,
        _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.messages, conversation, cursor.timestamp, cursor.id)
        while try rows.next() {
            let row = try MessageRow(rows)
            place = .messages(
                conversation: conversation, after: MessageCursor(timestamp: row.timestamp, id: row.id))
            guard !clock.isOver(row.expiresAt) else { continue }
            let attachments = try AttachmentRows.readWhole(row.attachments, connection)
            let expiresAt = row.expiresAt.map(clock.time(ofAge:))
            let record = ArchiveRecord.message(ArchivedMessage(row, attachments, expiresAt: expiresAt))
            try body(ArchiveEntry(record))
            bytes += record.byteCount
            if row.reactions != nil {
                bytes += try ArchivedReaction.read(to: row.sequence, connection, body)
            }
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .conversations(after: conversation)
    }

    private mutating func readDrafts(
        after revision: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.drafts, revision)
        while try rows.next() {
            let record = ArchiveRecord.draft(try ArchivedDraft(rows, connection))
            place = .drafts(afterRevision: rows.integer(5))
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
            let value = try ArchivedSceneValue(rows)
            let record = ArchiveRecord.sceneValue(value)
            try body(record)
            place = .sceneValues(scene: value.scene?.text ?? SceneTiers.globalScene, key: value.key.text)
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .logs(after: .min)
    }

    private mutating func readNextLog(
        after number: Int64, _ connection: Connection, _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let row = try connection.first(ArchiveRowTexts.nextLog, number) else {
            place = .files(ArchiveFileWalk())
            return
        }
        let log = try LogRow(row)
        try body(.log(log.whole))
        place = log.sequences.map { .logEntries(log: log.number, after: $0.lowerBound - 1) } ?? .logs(after: log.number)
    }

    private static let messages = StatementText(
        """
        SELECT \(MessageRow.columns), c.id
        FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND m.conversation = ?1 AND (m.timestamp, m.id) > (?2, ?3)
        ORDER BY m.timestamp, m.id
        """)
    private static let drafts = StatementText(
        ArchivedDraft.selectSQL + " WHERE d.revision > ?1 ORDER BY d.revision")
    private static let sceneValues = StatementText(
        """
        SELECT scene, key, updated_at, value FROM scene_values
        WHERE scene >= ?1 AND (scene > ?1 OR key > ?2) ORDER BY scene, key
        """)
}
