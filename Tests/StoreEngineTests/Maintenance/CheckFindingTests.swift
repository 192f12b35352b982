import ReplicaModel
import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

/// Checks that the integrity check finds every kind of damage that it promises to find, and reports nothing else.
@Suite struct CheckFindingTests {
    /// A statement that causes damage, and the expected finding.
    struct Specimen {
        let statement: String
        let finding: String

        init(_ statement: String, _ finding: String) {
            self.statement = statement
            self.finding = finding
        }
    }

    @Test func `each line of SQLite's report is a finding of its own`() {
        let row = """
            *** in database main ***
            Page 15: btreeInitPage() returns error code 11
            Page 11: unable to get the page. error code=1
            """
        #expect(
            IntegrityCheck.findings(ofRow: row) == [
                "integrity check: Page 15: btreeInitPage() returns error code 11",
                "integrity check: Page 11: unable to get the page. error code=1",
            ])
        #expect(IntegrityCheck.findings(ofRow: "ok").isEmpty)
    }

    @Test func `a store with content of every kind has no findings`() throws {
        let store = try Self.filledStore()
        #expect(try Self.findings(in: store, after: []) == [])
        #expect(try expectClean(store.engine) == [])
    }

    @Test func `every text column is checked`() throws {
        let store = try Self.filledStore()
        let session = try SessionID("peer")
        try store.engine.write(.setMembers(.session(session), [ConversationMember(sessionID: session)]))
        try Self.addLostEdit(to: store)
        let columns = try Self.textColumns(of: store)
        #expect(columns.count == 55)
        // Only the oldest message is changed, because two messages cannot have the same id. Directories are not
        // changed, because another finding reports a wrong name of a root directory.
        let rows = ["messages": "timestamp = 1", "files": "content IS NOT NULL", "replica_names": "kind = 2"]
        for (table, column) in columns where table != SearchPending.tableName {
            let damage = "UPDATE \(table) SET \(column) = CAST(x'ff' AS TEXT) WHERE \(rows[table] ?? "1")"
            let findings = try Self.findings(in: store, after: [damage])
            let finding = "rows of table \(table) have text that is not UTF-8 (1 found)"
            #expect(findings.contains(finding), "\(column)")
            // The message's id no longer matches references to it, which is a second finding.
            #expect(findings == [finding] || Self.idsOfMessages.contains("\(table).\(column)"), "\(column)")
        }
    }

    @Test func `text of a cleared table is not checked`() throws {
        let findings = try Self.findings(
            in: try Self.filledStore(),
            after: [
                "CREATE TABLE cleared_1_contacts AS SELECT * FROM contacts",
                "UPDATE cleared_1_contacts SET notes = CAST(x'ff' AS TEXT)",
            ])
        #expect(!findings.contains { $0.contains("UTF-8") }, "\(findings)")
    }

    private static let idsOfMessages: Set = [
        "messages.id", "message_expiries.message", "attachments.message", "conversations.last_message_id",
    ]

    @Test func `the check reports exactly the row that does not match the others`() throws {
        let store = try Self.filledStore()
        for specimen in Self.specimens {
            // Statements that change rows also make the stored counts wrong. These findings are left out.
            let findings = try Self.findings(in: store, after: [specimen.statement]).filter {
                $0 == specimen.finding || !Self.wrongKeptCounts.contains($0)
            }
            #expect(findings == [specimen.finding], "\(specimen.statement)")
        }
    }

    @Test func `rows that wait for their removal are no damage`() throws {
        let store = try Self.filledStore()
        // Changes up to revision 5 count as compacted. The row of one of them is removed already, and the other rows
        // wait.
        let compacted = ["UPDATE store SET compacted_through = 5", "DELETE FROM changes WHERE first_revision = 3"]
        #expect(try Self.findings(in: store, after: compacted) == [])
        let lost = [
            (Leftovers.Kind.messages, Self.lostMessage, 2), (.logEntries, Self.lostEntries, 2),
            (.reactions, Self.lostReaction, 1),
            (.fileChildren, Self.lostFiles, 2),
        ]
        for (kind, rows, number) in lost {
            let waiting = "INSERT INTO removals VALUES (\(kind.rawValue), \(number), \(number))"
            #expect(try Self.findings(in: store, after: [rows, waiting]) == [])
        }
    }

    @Test func `an index that has lost its rows is found`() throws {
        let store = try Self.filledStore()
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(
                connection.execute(
                    """
                    CREATE TABLE empty (id TEXT UNIQUE);
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_master SET rootpage =
                        (SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_empty_1')
                        WHERE name = 'messages_by_id';
                    DELETE FROM sqlite_master WHERE tbl_name = 'empty';
                    PRAGMA writable_schema = OFF;
                    """))
        }
        let findings = try store.engine.check { _ in }.findings
        #expect(findings.contains("integrity check: row 3 missing from index messages_by_id"))
        #expect(findings.allSatisfy { $0.hasPrefix("integrity check: ") }, "\(findings)")
        #expect(reason { try store.engine.write(.clearAllData) } == .databaseDamaged)
    }
}

extension CheckFindingTests {
    private static let lostMessage = """
        INSERT INTO messages (conversation, timestamp, sequence, id, text, sender, recipient, status, is_outgoing,
            is_read, created_at)
        VALUES (2, 1, 9998, 'lost', 'text', '', '', 1, 0, 0, 1)
        """
    /// The files leave their directories, so the statement also sets the counts of the directories to 0.
    private static let lostFiles = """
        UPDATE files SET parent = CASE WHEN content IS NULL THEN parent ELSE 2 END, file_count = 0, byte_count = 0
        """
    private static let wrongKeptCounts: Set = [
        "rows of the table 'store' have a wrong total size of evictable contents (1 found)",
        "directories have wrong counts of the files, directories or bytes in them (1 found)",
    ]
    private static let lostEntries = "UPDATE log_entries SET log = 2"
    private static let wrongCounts =
        "conversations have wrong counts of messages, a wrong last message, or a wrong flag for the avatar (1 found)"
    private static let wrongLog = """
        append logs have an invalid size or first sequence number, or entries with gaps between them or beyond the \
        log's maximum size (1 found)
        """
    private static let wrongStore =
        "the row of the table 'store' is missing, or its history id or its compacted revision is invalid"
    private static let wrongAnswer =
        "idempotency keys have an answer that cannot be read, or an invalid position in the list of keys (1 found)"
    private static let wrongScene = "values of scenes have a revision that the store has not reached (1 found)"
    private static let lostReaction = "INSERT INTO reactions VALUES (1, 1, 'peer', 'x', 1)"
    private static let wrongReaction = "reactions have a revision that the store has not reached (1 found)"
    private static let wrongReactionCounts = "messages have wrong counts of reactions (1 found)"
    private static let uncountedReaction =
        "table reactions has rows of messages that do not exist or count no reactions (1 found), and no pending "
        + "removal will delete these rows"
    private static let lostText =
        "rows of table message_texts belong to no message, or to a message with its text in table messages (1 found)"
    private static let wrongDraft = "drafts have a revision that the store has not reached (1 found)"
    private static let lostList =
        "lists of attachments belong to no message or draft, and no pending removal will delete them (1 found)"
    private static let wrongList = "messages have attachments that are missing or belong to another message (1 found)"
    private static let wrongAttachmentContent =
        "contents of attachments have a wrong length or digest, or a wrong count of the attachments that use them "
        + "(1 found)"
    private static let ofFiles = "WHERE number < \(AttachmentContents.numbersStart)"
    private static let wrongPending = "rows of table search_pending have text that is not UTF-8 (1 found)"
    private static let wrongRemoval =
        "pending removals are invalid, or name data that is still in use or does not exist yet (1 found)"
    private static let wrongRevisions = "the change log has a row with impossible revisions"
    private static let wrongFile =
        "files or directories have an invalid name, or an impossible revision of their creation or last change "
        + "(1 found)"
    private static let wrongFileContent =
        "contents of files have a wrong length, or a wrong count of the files that use them (1 found)"
    private static let lostPositions =
        "missing contents still have positions of chunks, and no pending removal will delete these positions "
        + "(1 found)"
    private static let lastChange = "WHERE first_revision = (SELECT max(first_revision) FROM changes)"

    private static func lostOwner(_ table: String, _ owners: String) -> String {
        "a row of table \(table) refers to a missing row of \(owners)"
    }

    private static let wrongTimer = "messages have an invalid timer (1 found)"
    private static let lostTimer = "timers run for messages that do not exist (1 found)"
    private static let wrongRetention =
        "conversations have an invalid limit for the age or number of messages (1 found)"
    private static let notLookedAt =
        """
        conversations have a retention rule, but the daemon would never delete their messages, because the time \
        for the deletion is missing (1 found)
        """
    private static let retention = [
        Specimen("UPDATE messages SET timer = 1 WHERE timestamp = 3", wrongTimer),
        Specimen("UPDATE messages SET timer = timer + 3 WHERE timestamp = 3", wrongTimer),
        Specimen("UPDATE messages SET timer = 1000 WHERE timestamp = 3", wrongTimer),
        Specimen("UPDATE messages SET attachments = NULL", lostList),
        Specimen("UPDATE attachments SET message = 'other'", wrongList),
        Specimen("UPDATE attachment_contents SET kept_count = 1", wrongAttachmentContent),
        Specimen("UPDATE messages SET expires_at = 1 WHERE timestamp = 1", wrongTimer),
        Specimen(
            "DELETE FROM message_expiries",
            "messages have a running timer, but would not be deleted when the timer ends (1 found)"),
        Specimen("INSERT INTO message_expiries VALUES (1, 'lost')", lostTimer),
        Specimen("UPDATE conversations SET message_lifetime = 1000", wrongRetention),
        Specimen("UPDATE conversations SET message_lifetime = 1, message_lifetime_from = 1", wrongRetention),
        Specimen("UPDATE conversations SET keep_for = -1, retention_due_at = 1", wrongRetention),
        Specimen("UPDATE conversations SET keep_count = 0, retention_due_at = 1", wrongRetention),
        Specimen("UPDATE conversations SET keep_count = 2", notLookedAt),
        Specimen("UPDATE conversations SET keep_for = 1000", notLookedAt),
        Specimen("DELETE FROM clock", "the row of the store's clock is missing"),
    ]

    private static var specimens: [Specimen] {
        rows + retention + conversations + counters + logs + files + changes + ofMetadata + ofGroup + ofGroupDevices
    }

    private static let rows = [
        Specimen(
            "INSERT INTO conversation_avatars VALUES (9999, x'01')", lostOwner("conversation_avatars", "conversations")
        ),
        Specimen(
            "UPDATE conversation_drafts SET conversation = 9999", lostOwner("conversation_drafts", "conversations")),
        Specimen("UPDATE conversation_drafts SET revision = 0", wrongDraft),
        Specimen("UPDATE conversation_drafts SET revision = 9999", wrongDraft),
        Specimen("UPDATE reactions SET revision = 0", wrongReaction),
        Specimen("UPDATE reactions SET revision = 9999", wrongReaction),
        Specimen("UPDATE reactions SET emoji = 'x'", wrongReactionCounts),
        Specimen("DELETE FROM reactions", wrongReactionCounts),
        Specimen("UPDATE messages SET reactions = x'ff' WHERE timestamp = 1", wrongReactionCounts),
        Specimen("UPDATE messages SET reactions = x'017802' WHERE timestamp = 1", wrongReactionCounts),
        Specimen(lostReaction, uncountedReaction),
        Specimen("UPDATE messages SET reactions = NULL", uncountedReaction),
        Specimen("INSERT INTO contact_avatars VALUES (9999, x'01')", lostOwner("contact_avatars", "contacts")),
        Specimen("DELETE FROM store", wrongStore),
        Specimen("UPDATE store SET history = x'01'", wrongStore),
        Specimen("UPDATE store SET compacted_through = -1", wrongStore),
        Specimen("UPDATE store SET compacted_through = 9999", wrongStore),
        Specimen("UPDATE messages SET status = 9 WHERE timestamp = 1", "messages have an invalid status (1 found)"),
        Specimen("UPDATE messages SET status = 0 WHERE timestamp = 1", "messages have an invalid status (1 found)"),
        Specimen(
            "DELETE FROM message_texts", "messages have a long text that is missing in table message_texts (1 found)"),
        Specimen("UPDATE messages SET text = 'text' WHERE timestamp = 2", lostText),
        Specimen("INSERT INTO message_texts VALUES (9999, 'text', NULL)", lostText),
        Specimen("INSERT INTO removals VALUES (9, 9000, 9999)", wrongRemoval),
        Specimen("INSERT INTO removals VALUES (1, 9999, 9000)", wrongRemoval),
        Specimen("UPDATE scene_values SET revision = 0", wrongScene),
        Specimen("UPDATE scene_values SET revision = 9999", wrongScene),
        Specimen("UPDATE idempotency_keys SET result_kind = 9", wrongAnswer),
        Specimen("UPDATE idempotency_keys SET result = x'ff'", wrongAnswer),
        Specimen("UPDATE idempotency_keys SET position = 0", wrongAnswer),
        Specimen("INSERT INTO search_pending VALUES (0, CAST(x'ff' AS TEXT), 1, 1, 'x')", wrongPending),
        Specimen("INSERT INTO search_pending VALUES (0, 'x', 1, 1, CAST(x'ff' AS TEXT))", wrongPending),
        Specimen("UPDATE search_state SET phase = 9", "the search index is invalid; \(IntegrityCheck.searchHint)"),
    ]

    private static let conversations =
        [
            "message_count = message_count + 1", "unread_count = unread_count + 1",
            "unread_outgoing_count = unread_outgoing_count + 1", "last_message_at = last_message_at + 1",
            "last_message_at = NULL", "last_message_id = 'other'",
            "last_activity_at = last_activity_at + 1", "has_avatar = 1",
        ].map { Specimen("UPDATE conversations SET \($0)", wrongCounts) } + [
            Specimen(
                lostMessage,
                "table messages has rows of conversations that do not exist (1 found), and no pending removal will "
                    + "delete these rows")
        ]

    private static let counters = [
        ("conversation_count", "the store's counter says 8 conversations, but the store has 1"),
        ("message_count", "the store's counter says 10 messages, but the store has 3"),
        ("contact_count", "the store's counter says 8 contacts, but the store has 1"),
        ("unread_count", "the store's counter says 8 unread messages, but the store has 1"),
    ].map { Specimen("UPDATE changes SET \($0) = \($0) + 7 \(lastChange)", $1) }

    private static let logs =
        [
            "DELETE FROM log_entries WHERE sequence = 2",
            "UPDATE log_entries SET position = position + 1 WHERE sequence = 2",
            "UPDATE log_entries SET offset = 0 WHERE sequence = 1",
            "UPDATE log_entries SET offset = offset + 1 WHERE sequence = 3",
            "UPDATE log_entries SET data = x'0102' WHERE sequence = 2", "UPDATE logs SET maximum_bytes = 1",
        ].map { Specimen($0, wrongLog) } + [
            Specimen(
                lostEntries,
                "table log_entries has rows of logs that do not exist (1 found), and no pending removal will delete "
                    + "these rows")
        ]

    private static let files = [
        Specimen("UPDATE files SET name = '..' WHERE content IS NOT NULL", wrongFile),
        Specimen("UPDATE files SET name = 'a/b' WHERE content IS NOT NULL", wrongFile),
        Specimen("UPDATE files SET name = '' WHERE content IS NOT NULL", wrongFile),
        Specimen("UPDATE files SET name = 'else' WHERE parent = 0", wrongFile),
        Specimen("UPDATE files SET revision = 9999 WHERE content IS NOT NULL", wrongFile),
        Specimen(
            "UPDATE files SET parent = 9999 WHERE content IS NOT NULL",
            "files or directories have no parent directory, and no pending removal will delete them (1 found)"),
        Specimen(
            "UPDATE files SET parent = number WHERE parent = 0", "files or directories are inside themselves (2 found)"
        ),
        Specimen("UPDATE file_contents SET reference_count = 2 \(ofFiles)", wrongFileContent),
        Specimen("UPDATE file_contents SET data = x'01' \(ofFiles)", wrongFileContent),
        Specimen("DELETE FROM file_contents \(ofFiles)", "files refer to content that does not exist (1 found)"),
        Specimen("INSERT INTO content_chunks VALUES (9999, 0, 1, 0, 1)", lostPositions),
        Specimen("INSERT INTO content_freed_slots VALUES (9999, 0, 1)", lostPositions),
        Specimen("UPDATE file_contents SET id = zeroblob(16) \(ofFiles)", wrongFileContent),
    ]

    private static let changes = [
        Specimen("DELETE FROM changes WHERE first_revision = 3", "the change log has a gap before revision 4"),
        Specimen("DELETE FROM changes WHERE first_revision = 1", "the change log has a gap before revision 3"),
        Specimen(
            "UPDATE changes SET entries = x'ff' WHERE first_revision = 3",
            "the change log's entries from revision 3 to 3 cannot be read"),
        Specimen(
            "UPDATE changes SET entries = x'' WHERE first_revision = 3",
            "the change log's entries from revision 3 to 3 cannot be read"),
        Specimen(
            "UPDATE changes SET last_revision = \(Int64.max) WHERE first_revision = 3", wrongRevisions),
        Specimen("UPDATE changes SET last_revision = 1 WHERE first_revision = 3", wrongRevisions),
        Specimen("UPDATE changes SET first_revision = \(Int64.min) WHERE first_revision = 1", wrongRevisions),
    ]

    /// Returns a store with one row in every table whose columns are changed, three messages (one with a long text) and
    /// three entries of a log.
    private static func filledStore() throws -> TemporaryStore {
        let store = try TemporaryStore()
        let session = try SessionID("peer")
        let year = try RetentionPeriod(milliseconds: 366 * 86_400_000)
        for number in 1...3 {
            let attachment = try AttachmentStore.attachment("x", source: "source")
            try store.engine.write(
                .saveMessage(
                    NewMessage(
                        id: try EntityID("m\(number)"), conversation: .session(session),
                        text: number == 2 ? String(repeating: "text ", count: 1_000) : "text",
                        timestamp: Timestamp(microseconds: Int64(number)), isOutgoing: number == 2,
                        isRead: number == 3,
                        timer: number == 3 ? .timer(MessageTimer(lifetime: year, start: .reading)) : .inherited,
                        attachments: number == 1 ? [attachment] : [])),
                key: number == 1 ? try IdempotencyKey("a key of it") : nil)
        }
        try store.engine.write(.saveContact(ContactUpdate(sessionID: session, displayName: "name", notes: "notes")))
        try store.engine.write(
            .setSceneValues(
                .sceneOnly(try SceneName("scene")), [SceneChange(key: try SceneKey("key"), value: [1])], conditions: []
            ))
        let log = try LogName("log")
        try store.engine.write(.openLog(log, LogConfiguration(maximumBytes: 4_096, overwritesOldest: false)))
        try store.engine.write(.appendLog(LogAppend(log: log, expected: nil, messages: [[1], [2], [3]])))
        try store.engine.write(
            .addReaction(
                ReactionReference(messageID: try EntityID("m1"), authorSessionID: session, emoji: try Emoji("👍"))))
        try store.engine.write(
            .saveDraft(NewDraft(conversation: .session(session), content: DraftContent(text: "draft"))))
        try store.engine.write(.saveFile(try FilePath(.document, "file"), [1, 2], createsParents: false))
        try addGroup(to: store)
        return store
    }

    /// Executes the statements in a transaction, returns the findings of a check on the same connection, and rolls the
    /// transaction back.
    private static func findings(in store: TemporaryStore, after statements: [String]) throws -> [String] {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            try mapped(connection.execute("PRAGMA foreign_keys = OFF; BEGIN"))
            defer {
                connection.rollBack()
                try? connection.execute("PRAGMA foreign_keys = ON")
            }
            for statement in statements {
                try mapped(connection.execute(statement))
            }
            return try IntegrityCheck.report(on: connection).findings
        }
    }

    private static func textColumns(of store: TemporaryStore) throws -> [(table: String, column: String)] {
        try store.engine.writer.perform { context throws(StoreError) in
            let connection = try context.openConnection()
            var columns: [(String, String)] = []
            let tables = try connection.rows(StatementText("SELECT name FROM sqlite_master WHERE type = 'table'"))
            while try tables.next() {
                let table = try tables.text(0)
                let described = try connection.rows(StatementText("PRAGMA table_info(\(table))"))
                while try described.next() {
                    if try described.text(2) == "TEXT" {
                        columns.append((table, try described.text(1)))
                    }
                }
            }
            return columns
        }
    }
}
