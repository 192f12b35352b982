import Interchange
import SQLCipher
import StoreBasics

/// Reads every page and row of a database, and compares stored values with counted ones.
///
/// `PRAGMA integrity_check` reads every page in use, and SQLCipher authenticates each page that it reads. So the check
/// is complete on SQLCipher 3.4.1 as well, where `cipher_integrity_check` does nothing.
struct IntegrityCheck {
    var report: CheckReport
    let connection: Connection

    /// Runs the whole check, one part after the other. No part compares its data with the data of another part.
    ///
    /// - Parameters:
    ///   - files: The files of contents, which are read too; `nil` to skip them.
    ///   - onSnapshot: Runs a part. Each part may have another snapshot.
    /// - Throws: `.storageFailed` if the system refuses an operation, and the errors of `onSnapshot` itself; damage is
    ///   a finding, not an error.
    static func run(
        files: ContentFiles? = nil, progress: (Progress) -> Void,
        onSnapshot: ((Connection) throws(StoreError) -> CheckReport) throws(StoreError) -> Void
    ) throws(StoreError) -> CheckReport {
        var report = CheckReport()
        let parts = Part.allCases
        let total = UInt64(parts.count) + (files == nil ? 0 : contentShare)
        for (index, part) in parts.enumerated() {
            progress(Progress(done: UInt64(index), total: total))
            var isOver = false
            try onSnapshot { connection throws(StoreError) in
                var check = IntegrityCheck(report: report, connection: connection)
                isOver = try !check.canContinue(after: part)
                report = check.report
                return report
            }
            guard !isOver else { return report }
        }
        if let files {
            let done = UInt64(parts.count)
            try checkContents(
                files, &report, progress: { progress(Progress(done: done + $0, total: total)) }, onSnapshot)
        }
        progress(Progress(done: total, total: total))
        return report
    }

    /// - Returns: False if nothing more can be found out. After SQLCipher has read a page that does not authenticate,
    ///   it refuses every page to the connection, so later failures show nothing new.
    private mutating func canContinue(after part: Part) throws(StoreError) -> Bool {
        do throws(StoreError) {
            try run(part)
            return true
        } catch {
            guard error.reason == .databaseDamaged || !report.isClean else { throw error }
            if report.isClean {
                report.add("a page is missing or was changed")
            }
            return false
        }
    }

    private enum Part: CaseIterable {
        case pages, foreignKeys, schema, store, texts, metadata, statuses, removals, conversations, counters, drafts
        case reactions, retention, scenes, logs, files, attachments, changes, keptAnswers, searchIndex, replication
    }

    private mutating func run(_ part: Part) throws(StoreError) {
        switch part {
        case .pages: try checkPages()
        case .foreignKeys: try checkForeignKeys()
        case .schema: try checkSchema()
        case .store: try checkStore()
        case .texts: try checkTexts()
        case .metadata: try checkMetadata()
        case .statuses: try checkStatuses()
        case .removals: try checkRemovals()
        case .conversations: try checkConversations()
        case .counters: try checkCounters()
        case .drafts: try checkDrafts()
        case .reactions: try checkReactions()
        case .retention: try checkRetention()
        case .scenes: try checkScenes()
        case .logs: try checkLogs()
        case .files: try checkFileRows()
        case .attachments: try checkAttachments()
        case .changes: try checkChanges()
        case .keptAnswers: try checkKeptAnswers()
        case .searchIndex: try checkSearchIndex()
        case .replication: try checkReplication()
        }
    }

    private init(report: CheckReport, connection: Connection) {
        self.report = report
        self.connection = connection
    }

    private mutating func checkPages() throws(StoreError) {
        report.pagesChecked = try integer("PRAGMA page_count")
        let lines = try connection.rows(Self.integrity)
        while try lines.next(verifying: false) {
            for finding in Self.findings(ofRow: try lines.text(0)) {
                report.add(finding)
            }
        }
        try mapped(connection.verifyPagesRead())
    }

    /// Splits a row of findings. SQLite returns all problems of one tree, perhaps of a hundred pages, in one row.
    static func findings(ofRow text: String) -> [String] {
        text.split(separator: "\n").filter { $0 != "ok" && !$0.hasPrefix("*** in database ") }
            .map { "integrity check: \($0)" }
    }

    private mutating func checkForeignKeys() throws(StoreError) {
        let lost = try connection.rows(Self.foreignKeys)
        while try lost.next() {
            let (table, other) = (try lost.text(0), try lost.text(2))
            report.add("a row of table \(table) refers to a missing row of \(other)")
        }
    }

    private static let wrongStoreRow =
        "the row of the table 'store' is missing, or its history id or its compacted revision is invalid"
    private static let wrongCounters = "the store's counters, revision or history id are invalid"

    /// Checks the row of the store, which contains the history and the revision up to which changes are compacted.
    private mutating func checkStore() throws(StoreError) {
        let sound = try integer(
            """
            SELECT count(*) FROM store WHERE length(history) = \(HistoryID.byteCount)
                AND compacted_through BETWEEN 0 AND (SELECT ifnull(max(last_revision), 0) FROM changes)
            """)
        if sound != 1 {
            report.add(Self.wrongStoreRow)
        }
    }

    private mutating func checkStatuses() throws(StoreError) {
        let known = MessageStatus.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        try addFinding(
            "messages have an invalid status",
            "SELECT count(*) FROM messages WHERE status NOT IN (\(known))")
    }

    /// Checks the counts, the last message and the list position of each conversation.
    private mutating func checkConversations() throws(StoreError) {
        try addFinding(
            "conversations have wrong counts of messages, a wrong last message, or a wrong flag for the avatar",
            """
            SELECT count(*) FROM conversations AS c
            LEFT JOIN (SELECT conversation, count(*) AS messages,
                sum(is_outgoing = 0 AND is_read = 0) AS unread,
                sum(is_outgoing <> 0 AND is_read = 0) AS unread_outgoing, max(timestamp) AS newest
                FROM messages GROUP BY conversation) AS m ON m.conversation = c.number
            WHERE c.message_count <> ifnull(m.messages, 0) OR c.unread_count <> ifnull(m.unread, 0)
                OR c.unread_outgoing_count <> ifnull(m.unread_outgoing, 0)
                OR c.last_message_at IS NOT m.newest OR c.last_activity_at <> ifnull(m.newest, c.created_at)
                OR (c.last_message_at IS NOT NULL AND \(try hasOrderByID ? Self.hasOtherLastMessage : "0"))
                OR c.has_avatar <> EXISTS (SELECT 1 FROM conversation_avatars WHERE conversation = c.number)
            """)
        if try hasMetadata {
            try addFinding(
                "conversations have a wrong flag for the metadata",
                """
                SELECT count(*) FROM conversations AS c
                WHERE has_metadata <> EXISTS (SELECT 1 FROM conversation_metadata WHERE conversation = c.number)
                """)
            try checkOwners("conversation", of: "conversation_members", in: "conversations", [.members])
        }
        try checkOwners("conversation", of: "messages", in: "conversations", [.messages, .untoldMessages])
    }

    /// True if the keys of messages contain ids; in a backup of an earlier version they do not.
    var hasOrderByID: Bool {
        get throws(StoreError) { try integer("PRAGMA user_version") > 2 }
    }

    private static let hasOtherLastMessage = """
        c.last_message_id IS NOT (
            SELECT max(id) FROM messages WHERE conversation = c.number AND timestamp = c.last_message_at)
        """

    /// Checks that rows without an owner wait for removal.
    private mutating func checkOwners(
        _ column: String, of rows: String, in owners: String, _ kinds: [Leftovers.Kind]
    ) throws(StoreError) {
        let kinds = kinds.map { String($0.rawValue) }.joined(separator: ", ")
        try addFinding(
            counting: """
                SELECT count(*) FROM (SELECT DISTINCT \(column) AS number FROM \(rows)) AS r
                WHERE NOT EXISTS (SELECT 1 FROM \(owners) WHERE number = r.number)
                    AND NOT EXISTS (SELECT 1 FROM removals WHERE kind IN (\(kinds))
                        AND r.number BETWEEN first_number AND last_number)
                """
        ) {
            "table \(rows) has rows of \(owners) that do not exist \(Self.found($0)), and no pending removal will "
                + "delete these rows"
        }
    }

    private mutating func checkCounters() throws(StoreError) {
        guard let kept = try statistics() else { return }
        let counts: [(String, Int, String)] = [
            ("conversations", kept.conversationCount, "SELECT count(*) FROM conversations"),
            ("messages", kept.messageCount, "SELECT count(*) FROM \(Self.reachable)"),
            ("contacts", kept.contactCount, "SELECT count(*) FROM contacts"),
            (
                "unread messages", kept.unreadCount,
                "SELECT count(*) FROM \(Self.reachable) WHERE m.is_outgoing = 0 AND m.is_read = 0"
            ),
        ]
        for (name, kept, sql) in counts {
            let counted = try integer(sql)
            report.rowsChecked += counted
            if counted != kept {
                report.add("the store's counter says \(kept) \(name), but the store has \(counted)")
            }
        }
    }

    /// Returns the counters; `nil` if they are invalid, which is a finding.
    mutating func statistics() throws(StoreError) -> Statistics? {
        do throws(StoreError) {
            return try StatisticsRow.read(connection)
        } catch {
            guard error.reason == .databaseDamaged else { throw error }
            // Several parts of the check read the counters, some of which are in the row of the store. One finding
            // about that row or the counters is enough.
            if !report.findings.contains(where: [Self.wrongStoreRow, Self.wrongCounters].contains) {
                report.add(Self.wrongCounters)
            }
            return nil
        }
    }

    /// Checks that no value has a revision greater than the store's, and that every row can be read.
    private mutating func checkScenes() throws(StoreError) {
        guard let revision = try statistics()?.revision else { return }
        report.rowsChecked += try integer("SELECT count(length(value)) FROM scene_values")
        try addFinding(
            "values of scenes have a revision that the store has not reached",
            "SELECT count(*) FROM scene_values WHERE revision < 1 OR revision > \(revision)")
    }

    private mutating func checkLogs() throws(StoreError) {
        try checkOwners("log", of: "log_entries", in: "logs", [.logEntries])
        report.rowsChecked += try integer("SELECT count(*) FROM log_entries")
        try addFinding(
            """
            append logs have an invalid size or first sequence number, or entries with gaps between them or beyond the \
            log's maximum size
            """,
            Self.wrongLogs(hasMetadata: try hasMetadata))
        try addFinding(
            "append logs have entries before their first sequence number, and no pending removal will delete them",
            Self.logsWithLostEntries)
        try checkDeviceLogs()
    }

    /// Checks that revisions have no gap after the compacted ones, and that every entry can be read.
    private mutating func checkChanges() throws(StoreError) {
        let compacted = try StatisticsRow.read(connection).compactedThroughRevision
        let rows = try connection.rows(Self.changes)
        // Compacted changes may still wait for removal, and changes that were forgotten when the store was cleared
        // never had a row.
        let firstKept = Int64(clamping: compacted + 1)
        var expected = 1...firstKept
        while try rows.next() {
            let (first, last) = (rows.integer(0), rows.integer(1))
            guard first >= 1, last >= first, last <= Rows.countMax else {
                report.add("the change log has a row with impossible revisions")
                expected = 1...Int64.max
                continue
            }
            if !expected.contains(first) {
                report.add("the change log has a gap before revision \(first)")
            }
            let count = try? ChangeCodec.decode(rows.borrowedBytes(2)).count
            if count != Int(last - first + 1) {
                report.add("the change log's entries from revision \(first) to \(last) cannot be read")
            }
            report.rowsChecked += count ?? 0
            expected = (last + 1)...max(last + 1, firstKept)
        }
    }

    /// Checks that every answer stored with an idempotency key can be decoded.
    private mutating func checkKeptAnswers() throws(StoreError) {
        let rows = try connection.rows(Self.keptAnswers)
        var wrong = 0
        while try rows.next() {
            let kept = try? KeptResult(fingerprint: 0, kind: rows.integer(0), bytes: rows.borrowedBytes(1))
            wrong += kept == nil || !(1...Rows.countMax).contains(rows.integer(2)) ? 1 : 0
            report.rowsChecked += 1
        }
        if wrong > 0 {
            report.add(
                """
                idempotency keys have an answer that cannot be read, or an invalid position in the list of keys \
                \(Self.found(wrong))
                """)
        }
    }

    /// Checks that rows waiting for removal are unreachable.
    private mutating func checkRemovals() throws(StoreError) {
        guard let revision = try statistics()?.revision else { return }
        try addFinding(
            "pending removals are invalid, or name data that is still in use or does not exist yet",
            """
            SELECT count(*) FROM removals AS r
            WHERE first_number > last_number OR first_number < 0
                OR (last_number > \(revision) AND kind NOT IN (\(Leftovers.Kind.contentChunks.rawValue),
                    \(Leftovers.Kind.deviceEntries.rawValue))) OR CASE kind
                WHEN \(Leftovers.Kind.untoldMessages.rawValue) THEN EXISTS (
                    SELECT 1 FROM conversations WHERE number BETWEEN r.first_number AND r.last_number)
                WHEN \(Leftovers.Kind.messages.rawValue) THEN EXISTS (
                    SELECT 1 FROM conversations WHERE number BETWEEN r.first_number AND r.last_number)
                WHEN \(Leftovers.Kind.logEntries.rawValue) THEN EXISTS (
                    SELECT 1 FROM logs WHERE number BETWEEN r.first_number AND r.last_number)
                WHEN \(Leftovers.Kind.displacedEntries.rawValue) THEN 0
                WHEN \(Leftovers.Kind.deviceEntries.rawValue) THEN 0
                WHEN \(Leftovers.Kind.reactions.rawValue) THEN 0
                WHEN \(Leftovers.Kind.attachments.rawValue) THEN 0
                WHEN \(Leftovers.Kind.fileChildren.rawValue) THEN EXISTS (
                    SELECT 1 FROM files WHERE number BETWEEN r.first_number AND r.last_number)
                WHEN \(Leftovers.Kind.contentChunks.rawValue) THEN EXISTS (
                    SELECT 1 FROM file_contents WHERE number BETWEEN r.first_number AND r.last_number)
                ELSE 1 END
            """)
    }

    /// Adds a finding with its count if a query counts more than 0.
    mutating func addFinding(_ finding: String, _ count: String) throws(StoreError) {
        try addFinding(counting: count) { "\(finding) \(Self.found($0))" }
    }

    /// Returns the count at the end of a finding. The finding is always in the plural, so it does not begin with the
    /// count, which may be 1.
    static func found(_ count: Int) -> String { "(\(count) found)" }

    /// Adds a finding that has its count in the middle of the sentence.
    mutating func addFinding(counting sql: String, _ finding: (Int) -> String) throws(StoreError) {
        let wrong = try integer(sql)
        if wrong > 0 {
            report.add(finding(wrong))
        }
    }

    func integer(_ sql: String) throws(StoreError) -> Int {
        Int(try mapped(connection.integer(sql)) ?? 0)
    }

    private static let keptAnswers = StatementText("SELECT result_kind, result, position FROM idempotency_keys")
    private static let reachable = "conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number"
    private static let integrity = StatementText("PRAGMA integrity_check(\(CheckReport.findingsMax))")
    private static let foreignKeys = StatementText("PRAGMA foreign_key_check")
    private static let changes = StatementText(
        "SELECT first_revision, last_revision, entries FROM changes ORDER BY first_revision")

    /// Counts logs with an impossible size, with gaps in the sequence numbers, with missing first entries, with wrong
    /// positions, or with offsets that neither follow each other nor start over.
    private static func wrongLogs(hasMetadata: Bool) -> String {
        let size = LogEntrySize.column(of: "e", hasMetadata: hasMetadata)
        return """
            SELECT count(*) FROM logs AS l WHERE l.maximum_bytes NOT BETWEEN \(LogBounds.maximumBytes.lowerBound)
                AND \(LogBounds.maximumBytes.upperBound) OR EXISTS (
                SELECT 1 FROM log_entries AS e WHERE e.log = l.number AND e.sequence >= l.first_sequence AND (
                    e.sequence NOT BETWEEN 1 AND \(Rows.countMax) OR e.position NOT BETWEEN 0 AND \(Rows.countMax)
                    OR e.offset < \(CacheAdvanceLayout.headerBytes)
                    OR e.offset + \(size) > l.maximum_bytes
                    OR (e.sequence < (SELECT max(sequence) FROM log_entries WHERE log = l.number) AND NOT EXISTS (
                        SELECT 1 FROM log_entries AS f WHERE f.log = e.log AND f.sequence = e.sequence + 1
                            AND f.position = e.position + \(size)
                            AND f.offset IN (e.offset + \(size), \(CacheAdvanceLayout.headerBytes))))))
                OR l.first_sequence < 1 OR (l.first_sequence > 1 AND NOT EXISTS (
                    SELECT 1 FROM log_entries WHERE log = l.number AND sequence >= l.first_sequence))
            """
    }

    /// Counts logs with displaced entries for which no removal is pending.
    private static let logsWithLostEntries = """
        SELECT count(*) FROM logs AS l
        WHERE EXISTS (SELECT 1 FROM log_entries WHERE log = l.number AND sequence < l.first_sequence)
            AND NOT EXISTS (SELECT 1 FROM removals WHERE kind = \(Leftovers.Kind.displacedEntries.rawValue)
                AND l.number BETWEEN first_number AND last_number)
        """
}
