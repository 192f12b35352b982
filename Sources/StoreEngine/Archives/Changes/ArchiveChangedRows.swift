import SQLCipher
import StoreBasics

/// The walk over everything that was created, changed or removed after a revision, in one snapshot that stays open
/// between its pages. The contents of attachments come first, then the removals. Each thing comes after the things on
/// which it depends.
struct ArchiveChangedRows: ArchiveWalk {
    private enum Place {
        case scan(ArchiveChangeScan)
        case contents(ArchiveContentWalk)
        case removals(after: RemovedName?)
        case contacts(after: Int64)
        case conversations(after: Int64)
        case messages(after: MessagePlace)
        case drafts(after: Int64)
        case sceneValues(scene: String, key: String)
        case logs(after: Int64)
        case logEntries(log: Int64, after: Int64)
        case files(ArchiveChangedFiles)
        case ended
    }

    private let since: UInt64
    private let clock: StoreClock
    private var place: Place
    private var changes = ArchiveChanges()

    init(since revision: UInt64, _ statistics: Statistics, _ clock: StoreClock) throws(StoreError) {
        since = revision
        self.clock = clock
        place = .scan(try ArchiveChangeScan(since: revision, statistics))
    }

    var isAtEnd: Bool {
        if case .ended = place { true } else { false }
    }

    mutating func readPage(
        _ connection: Connection, _ contents: OpenContents, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        switch place {
        case .scan(var scan):
            let isOver = try !scan.readPage(connection, &changes)
            place = .scan(scan)
            if isOver {
                place = .contents(ArchiveContentWalk(clock, afterList: Int64(since), changes.movedLists))
            }
        case .contents(var walk):
            // Remove the walk from `place` while it reads. Otherwise every change of the walk would copy its table of
            // found contents.
            place = .ended
            let isOver = try !walk.readPage(connection, contents) { (record) throws(StoreError) in
                try body(ArchiveEntry(record))
            }
            place = isOver ? .removals(after: nil) : .contents(walk)
        case .removals(let name): try readRemovals(after: name, body)
        case .contacts(let number): try readContacts(after: number, connection, body)
        case .conversations(let number): try readConversation(after: number, connection, body)
        case .messages(let last): try readMessages(after: last, connection, body)
        case .drafts(let number): try readDrafts(after: number, connection, body)
        case .sceneValues(let scene, let key): try readSceneValues(scene, key, connection, body)
        case .logs(let number): try readNextLog(after: number, connection, body)
        case .logEntries(let log, let sequence): try readEntries(of: log, after: sequence, connection, body)
        case .files(var walk):
            let isOver = try !walk.readPage(changes.files, connection, contents, body)
            place = isOver ? .ended : .files(walk)
        case .ended: break
        }
    }

    private mutating func readRemovals(
        after name: RemovedName?, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var (last, bytes) = (name, 0)
        while bytes < ArchiveLimits.pageBytes {
            let found = if let last { changes.removals.first(after: last) } else { changes.removals.first }
            guard let (next, removedAt) = found else {
                place = .contacts(after: .min)
                return
            }
            if let subject = try next.subject() {
                try body(ArchiveEntry(.removal(ArchivedRemoval(subject, removedAt: removedAt))))
            }
            bytes += next.byteCount
            last = next
        }
        place = .removals(after: last)
    }

    // MARK: Contacts, conversations, messages and drafts

    private mutating func readContacts(
        after number: Int64, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let slice = WorkSlice.ofScan
        var (last, bytes) = (number, 0)
        while bytes < ArchiveLimits.pageBytes, !slice.isOver {
            guard let (number, changedAt) = changes.contacts.first(after: last) else {
                place = .conversations(after: .min)
                return
            }
            last = number
            guard let row = try connection.first(ArchiveRowTexts.contact, number) else { continue }
            let record = ArchiveRecord.contact(try ArchivedContact(row))
            try body(ArchiveEntry(record, changedAt: changedAt))
            bytes += record.byteCount
        }
        place = .contacts(after: last)
    }

    private mutating func readConversation(
        after number: Int64, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let (number, change) = changes.conversations.first(after: number) else {
            place = .drafts(after: .min)
            return
        }
        guard let row = try connection.first(ArchiveRowTexts.conversation, number) else {
            place = .conversations(after: number)
            return
        }
        let record = ArchiveRecord.conversation(try ArchivedConversation(withMembers: row, connection))
        try body(ArchiveEntry(record, changedAt: change.changedAt))
        place = .messages(after: .start(of: number))
    }

    private mutating func readMessages(
        after place: MessagePlace, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let slice = WorkSlice.ofScan
        var (last, bytes) = (place, 0)
        while bytes < ArchiveLimits.pageBytes, !slice.isOver {
            guard let (next, change) = changes.messages.first(after: last), next.conversation == last.conversation
            else {
                self.place = .conversations(after: last.conversation)
                return
            }
            last = next
            guard let found = try connection.first(Self.message, next) else { continue }
            bytes += try give(MessageRow(found), change, connection, body)
        }
        self.place = .messages(after: last)
    }

    /// Passes a message and its dependent records to `body`.
    ///
    /// - Returns: The approximate number of their bytes.
    private func give(
        _ row: MessageRow, _ change: ArchiveChanges.ChangedMessage, _ connection: Connection,
        _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        guard !clock.isOver(row.expiresAt) else { return 0 }
        let attachments = try AttachmentRows.readWhole(row.attachments, connection)
        let expiresAt = row.expiresAt.map(clock.time(ofAge:))
        let record = ArchiveRecord.message(ArchivedMessage(row, attachments, expiresAt: expiresAt))
        try body(ArchiveEntry(record, changedAt: change.changedAt))
        var bytes = record.byteCount
        if row.reactions != nil {
            bytes += try ArchivedReaction.read(to: row.sequence, connection, body)
        }
        if change.lostReactions {
            try body(ArchiveEntry(.removal(ArchivedRemoval(.reactions(of: row.id), removedAt: change.changedAt))))
        }
        return bytes
    }

    private mutating func readDrafts(
        after number: Int64, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let slice = WorkSlice.ofScan
        var (last, bytes) = (number, 0)
        while bytes < ArchiveLimits.pageBytes, !slice.isOver {
            guard let (number, changedAt) = changes.drafts.first(after: last) else {
                place = .sceneValues(scene: "", key: "")
                return
            }
            last = number
            guard let row = try connection.first(Self.draft, number) else { continue }
            let record = ArchiveRecord.draft(try ArchivedDraft(row, connection))
            try body(ArchiveEntry(record, changedAt: changedAt))
            bytes += record.byteCount
        }
        place = .drafts(after: last)
    }

    // MARK: Scenes and logs

    private mutating func readSceneValues(
        _ scene: String, _ key: String, _ connection: Connection,
        _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        let rows = try connection.rows(Self.sceneValues, scene, key, since)
        while try rows.next() {
            let value = try ArchivedSceneValue(rows)
            let record = ArchiveRecord.sceneValue(value)
            try body(ArchiveEntry(record, changedAt: value.updatedAt))
            place = .sceneValues(scene: value.scene?.text ?? SceneTiers.globalScene, key: value.key.text)
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return }
        }
        place = .logs(after: .min)
    }

    /// Reads the next log. If the log already existed at revision `since`, the record of the log is followed only by
    /// entries that may have been appended after this revision.
    private mutating func readNextLog(
        after number: Int64, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let row = try connection.first(ArchiveRowTexts.nextLog, number) else {
            place = .files(ArchiveChangedFiles())
            return
        }
        let log = try LogRow(row)
        let first = try log.sequences.map { (sequences) throws(StoreError) in
            try firstEntry(of: log.number, sequences, connection)
        }
        place = .logs(after: log.number)
        let isNew = log.createdRevision > since
        let hasEntries = first.map { $0 <= log.sequences?.upperBound ?? 0 } ?? false
        guard isNew || hasEntries || changes.logs[log.number] != nil else { return }
        var whole = log.whole
        whole.oldestSequence = log.sequences.map { UInt64($0.lowerBound) }
        try body(ArchiveEntry(.log(whole), changedAt: isNew ? log.createdAt : nil))
        if let first {
            place = .logEntries(log: log.number, after: first - 1)
        }
    }

    /// Returns the sequence number of the first entry that was appended at revision `since` or later. If no entry was,
    /// returns one more than the last sequence number.
    private func firstEntry(
        of log: Int64, _ sequences: ClosedRange<Int64>, _ connection: Connection
    ) throws(StoreError) -> Int64 {
        var (lowest, end) = (sequences.lowerBound, sequences.upperBound + 1)
        while lowest < end {
            let middle = lowest + (end - lowest) / 2
            guard let row = try connection.first(Self.entryRevision, log, middle) else {
                throw .databaseDamaged("entries of an append log are missing")
            }
            if row.unsigned(0) < since {
                lowest = middle + 1
            } else {
                end = middle
            }
        }
        return lowest
    }

    private mutating func readEntries(
        of log: Int64, after sequence: Int64, _ connection: Connection,
        _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let last = try ArchivedLogEntry.readPage(of: log, after: sequence, connection) {
            (record) throws(StoreError) in try body(ArchiveEntry(record))
        }
        place = last.map { .logEntries(log: log, after: $0) } ?? .logs(after: log)
    }

    private static let message = StatementText(
        """
        SELECT \(MessageRow.columns), c.id
        FROM conversations AS c CROSS JOIN \(MessagePlace.joinedTable) ON m.conversation = c.number
        WHERE c.number = ?1 AND m.conversation = ?1 AND m.timestamp = ?2 AND m.id = ?3
        """)
    private static let draft = StatementText(ArchivedDraft.selectSQL + " WHERE d.conversation = ?1")
    private static let sceneValues = StatementText(
        """
        SELECT scene, key, updated_at, value FROM scene_values
        WHERE scene >= ?1 AND (scene > ?1 OR key > ?2) AND revision > ?3 ORDER BY scene, key
        """)
    private static let entryRevision = StatementText(
        "SELECT revision FROM log_entries WHERE log = ?1 AND sequence = ?2")
}
