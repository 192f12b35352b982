import SQLCipher
import StoreBasics
import StoreCrypto

extension IntegrityCheck {
    /// Checks that every list of attachments belongs to a message or draft or waits for removal, and that every content
    /// has the right digest and count.
    mutating func checkAttachments() throws(StoreError) {
        report.rowsChecked += try integer("SELECT count(*) FROM attachments")
        try addFinding(
            "lists of attachments belong to no message or draft, and no pending removal will delete them",
            Self.lostLists)
        try addFinding(
            "messages have attachments that are missing or belong to another message", Self.wrongLists(try hasOrderByID)
        )
        try addFinding(
            "contents of attachments have a wrong length or digest, or a wrong count of the attachments that use them",
            Self.wrongContents)
        try addFinding(
            "attachments refer to content that does not exist",
            """
            SELECT count(*) FROM attachments AS a
            WHERE NOT EXISTS (SELECT 1 FROM attachment_contents WHERE number = a.content)
            """)
        try addFinding(
            "rows of the table 'store' have a wrong total size of evictable contents",
            """
            SELECT evictable_bytes <> (SELECT ifnull(sum(byte_count), 0) FROM attachment_contents
                WHERE \(AttachmentEviction.condition)) FROM store
            """)
        let rows = try connection.rows(Self.contents)
        var wrong = 0
        while try rows.next() {
            var digest = ContentDigest()
            digest.update(rows.borrowedBytes(1))
            wrong += rows.borrowedBytes(0).hasSameBytes(as: digest.finish()) ? 0 : 1
        }
        if wrong > 0 {
            report.add("contents of attachments do not match their digests \(Self.found(wrong))")
        }
    }

    private static let lostLists = """
        SELECT count(*) FROM (SELECT DISTINCT list FROM attachments) AS a
        WHERE a.list NOT IN (SELECT attachments FROM messages WHERE attachments IS NOT NULL
                UNION ALL SELECT attachments FROM conversation_drafts WHERE attachments IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM removals WHERE kind = \(Leftovers.Kind.attachments.rawValue)
                AND a.list BETWEEN first_number AND last_number)
        """
    private static func wrongLists(_ hasOrderByID: Bool) -> String {
        """
        SELECT count(*) FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE m.attachments IS NOT NULL AND (
            NOT EXISTS (SELECT 1 FROM attachments WHERE list = m.attachments AND position = 0)
            OR EXISTS (SELECT 1 FROM attachments AS a WHERE a.list = m.attachments AND (
                a.conversation IS NOT m.conversation OR a.timestamp IS NOT m.timestamp
                    OR \(hasOrderByID ? "a.message IS NOT m.id" : "a.sequence IS NOT m.sequence"))))
        """
    }
    private static let wrongContents = """
        SELECT count(*) FROM attachment_contents AS c LEFT JOIN file_contents AS f ON f.number = c.stored
        LEFT JOIN (SELECT content, count(*) AS lists, sum(source IS NULL) AS kept FROM attachments
            GROUP BY content) AS a ON a.content = c.number
        WHERE length(c.digest) <> \(AttachmentDigest.byteCount)
            OR c.byte_count IS NOT ifnull(f.byte_count, c.byte_count)
            OR (c.stored IS NOT NULL AND f.number IS NULL)
            OR c.reference_count <> ifnull(a.lists, 0) OR c.kept_count <> ifnull(a.kept, 0)
            OR (c.reference_count < 1 AND c.expires_at IS NULL)
        """
    private static let contents = StatementText(
        """
        SELECT c.digest, f.data FROM attachment_contents AS c CROSS JOIN file_contents AS f ON f.number = c.stored
        WHERE f.data IS NOT NULL
        """)
}
