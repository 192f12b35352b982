import SQLCipher
import StoreBasics

/// The walk over what was made, changed or removed after a revision, in one snapshot that stays open between its pages:
/// removals first, and each thing behind what it hangs on.
struct ArchiveChangedRows: ArchiveWalk {
    private enum Place {
        case scan(ArchiveChangeScan)
        case contents(ArchiveContentWalk)
        case removals
        case contacts
        case conversations
        case messages
        case drafts
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
    /// Numbers of what the place is about that are still to come, the next one last.
    private var numbers: [Int64] = []
    /// Of all conversations, those that come first last.
    private var messages: [MessagePlace] = []

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
            guard try !scan.readPage(connection) else {
                place = .scan(scan)
                return
            }
            changes = scan.changes
            place = .contents(ArchiveContentWalk(clock, afterList: Int64(since), changes.movedLists))
        case .contents(var walk):
            let isOver = try !walk.readPage(connection, contents) { (record) throws(StoreError) in
                try body(ArchiveEntry(record))
            }
            place = isOver ? .removals : .contents(walk)
        case .removals:
            for removal in changes.removals {
                try body(ArchiveEntry(.removal(removal)))
            }
            begin(.contacts, changes.contacts.keys)
        case .contacts: try readContacts(connection, body)
        case .conversations: try readConversation(connection, body)
        case .messages: try readMessages(connection, body)
        case .drafts: try readDrafts(connection, body)
        case .sceneValues(let scene, let key): try readSceneValues(scene, key, connection, body)
        case .logs(let number): try readNextLog(after: number, connection, body)
        case .logEntries(let log, let sequence): try readEntries(of: log, after: sequence, connection, body)
        case .files(var walk):
            let isOver = try !walk.readPage(connection, contents, body)
            place = isOver ? .ended : .files(walk)
        case .ended: break
        }
    }

    private mutating func begin(_ place: Place, _ wanted: some Sequence<Int64>) {
        self.place = place
        numbers = wanted.sorted(by: >)
    }

    // MARK: People and what they say

    private mutating func readContacts(
        _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        while bytes < ArchiveLimits.pageBytes {
            guard let number = numbers.popLast() else {
                messages = changes.messages.keys.sorted { $1.isBefore($0) }
                return begin(.conversations, changes.conversations.keys)
            }
            guard let row = try connection.first(ArchiveRowTexts.contact, number) else { continue }
            let record = ArchiveRecord.contact(try ArchivedContact(row))
            try body(ArchiveEntry(record, changedAt: changes.contacts[number]))
            bytes += record.byteCount
        }
    }

    private mutating func readConversation(
        _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let number = numbers.last else { return begin(.drafts, changes.drafts.keys) }
        guard let row = try connection.first(ArchiveRowTexts.conversation, number) else {
            numbers.removeLast()
            return
        }
        let record = ArchiveRecord.conversation(try ArchivedConversation(row))
        try body(ArchiveEntry(record, changedAt: changes.conversations[number]?.changedAt))
        place = .messages
    }

    private mutating func readMessages(
        _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        while bytes < ArchiveLimits.pageBytes {
            guard let next = messages.last, next.conversation == numbers.last else {
                numbers.removeLast()
                place = .conversations
                return
            }
            messages.removeLast()
            guard let found = try connection.first(Self.message, next), let change = changes.messages[next] else {
                continue
            }
            let row = try MessageRow(found)
            guard !clock.isOver(row.expiresAt) else { continue }
            let attachments = try AttachmentRows.readWhole(row.attachments, connection)
            let record = ArchiveRecord.message(ArchivedMessage(row, attachments, clock))
            try body(ArchiveEntry(record, changedAt: change.changedAt))
            bytes += record.byteCount
            if row.reactions != nil {
                bytes += try ArchivedReaction.read(to: row.sequence, connection, body)
            }
            if change.lostReactions {
                try body(
                    ArchiveEntry(.removal(ArchivedRemoval(.reactions(of: row.id), removedAt: change.changedAt))))
            }
        }
    }

    private mutating func readDrafts(
        _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        var bytes = 0
        while bytes < ArchiveLimits.pageBytes {
            guard let number = numbers.popLast() else {
                place = .sceneValues(scene: "", key: "")
                return
            }
            guard let row = try connection.first(Self.draft, number) else { continue }
            let record = ArchiveRecord.draft(try ArchivedDraft(row, connection))
            try body(ArchiveEntry(record, changedAt: changes.drafts[number]))
            bytes += record.byteCount
        }
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

    /// Of a log that was there the entries that may have come since.
    private mutating func readNextLog(
        after number: Int64, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let row = try connection.first(ArchiveRowTexts.nextLog, number) else {
            place = .files(ArchiveChangedFiles(changes))
            return
        }
        let log = try LogRow(row)
        let first = try log.sequences.map { (sequences) throws(StoreError) in
            try firstEntry(of: log.number, sequences, connection)
        }
        place = .logs(after: log.number)
        let isNew = log.createdRevision > since
        guard isNew || first.map({ $0 <= log.sequences?.upperBound ?? 0 }) ?? false else { return }
        try body(
            ArchiveEntry(
                .log(ArchivedLog(name: log.name, configuration: log.configuration, createdAt: log.createdAt)),
                changedAt: isNew ? log.createdAt : nil))
        if let first {
            place = .logEntries(log: log.number, after: first - 1)
        }
    }

    /// The first that was appended at the revision or later; behind the last where there is none.
    private func firstEntry(
        of log: Int64, _ sequences: ClosedRange<Int64>, _ connection: Connection
    ) throws(StoreError) -> Int64 {
        var (lowest, end) = (sequences.lowerBound, sequences.upperBound + 1)
        while lowest < end {
            let middle = lowest + (end - lowest) / 2
            guard let row = try connection.first(Self.entryRevision, log, middle) else {
                throw .databaseDamaged("a log lacks messages it counts")
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
        FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE c.number = ?1 AND m.conversation = ?1 AND m.timestamp = ?2 AND m.sequence = ?3
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

extension MessagePlace {
    fileprivate func isBefore(_ other: MessagePlace) -> Bool {
        guard conversation == other.conversation else { return conversation < other.conversation }
        guard timestamp == other.timestamp else { return timestamp < other.timestamp }
        return sequence < other.sequence
    }
}
