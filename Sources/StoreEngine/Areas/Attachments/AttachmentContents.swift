import SQLCipher
import StoreBasics
import StoreCrypto

/// The rows of `attachment_contents`: each content has one row, however many attachments have it. Its bytes are a
/// content of the vault to which no path leads.
enum AttachmentContents {
    /// The row of a content.
    struct Known {
        let number: Int64
        /// The number under which `file_contents` has the bytes; `nil` if the store does not have them any more.
        let stored: Int64?
    }

    /// Returns the row of a content; `nil` if no attachment has it and it was not written.
    static func find(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Known? {
        guard let row = try connection.first(selectByDigest, digest.bytes) else { return nil }
        return Known(number: row.integer(0), stored: row.optionalInteger(1))
    }

    /// Returns true if the store lacks the bytes of a content, and all attachments that have the content have a source
    /// from which it can be fetched.
    static func canBeFetchedAgain(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(selectFetched, digest.bytes) != nil
    }

    /// Checks that an attachment can be saved.
    ///
    /// - Throws: `.attachmentContentNotFound` if its content does not exist, or if the bytes are missing and the
    ///   attachment has no source.
    static func check(_ attachment: NewAttachment, _ connection: Connection) throws(StoreError) {
        guard case .known(let digest) = attachment.content else { return }
        guard let known = try find(digest, connection), known.stored != nil || attachment.source != nil else {
            throw .attachmentContentNotFound
        }
    }

    /// Adds a reference to the content of an attachment, and stores its bytes if necessary.
    ///
    /// - Returns: The content's number.
    static func retain(
        _ attachment: NewAttachment, at age: Int64, _ connection: Connection
    ) throws(StoreError) -> Int64 {
        let number: Int64
        // True for an attachment from an archive. Its content keeps the grace period, because further attachments may
        // need the content after this one is deleted.
        var keepsGrace = false
        switch attachment.content {
        case .bytes(let bytes, let digest):
            number = try store(digest, byteCount: UInt64(bytes.count), at: age, connection) {
                (number, connection) throws(StoreError) in
                try FileContents.insert(bytes, number: number, connection)
            }
        case .known(let digest):
            guard let known = try find(digest, connection) else { throw .attachmentContentNotFound }
            number = known.number
        case .listed(let digest, let byteCount):
            number = try findOrInsert(digest, byteCount: byteCount, at: age, connection)
            keepsGrace = true
        }
        try EvictableBytes.counting(number, connection) { () throws(StoreError) in
            try connection.run(addReference, number, attachment.source == nil, age, keepsGrace)
        }
        return number
    }

    /// Returns the row of a content, and creates it if necessary. The bytes may be missing, and can be written later.
    private static func findOrInsert(
        _ digest: AttachmentDigest, byteCount: UInt64, at age: Int64, _ connection: Connection
    ) throws(StoreError) -> Int64 {
        if let known = try find(digest, connection) {
            return known.number
        }
        let number = try nextNumber(connection)
        try connection.run(insertContent, number, digest.bytes, byteCount, age, Int64?.none, Int64?.none)
        return number
    }

    /// Stores the bytes of a content unless the store has them.
    ///
    /// - Parameters:
    ///   - age: The store's present age.
    ///   - expiresAt: The store's age at which a new content expires if no attachment has it by then.
    ///   - insert: Inserts the rows of the bytes under a number.
    /// - Returns: The content's number.
    @discardableResult
    static func store(
        _ digest: AttachmentDigest, byteCount: UInt64, at age: Int64, expiringAt expiresAt: Int64? = nil,
        _ connection: Connection,
        _ insert: (Int64, Connection) throws(StoreError) -> Void
    ) throws(StoreError) -> Int64 {
        if let known = try find(digest, connection) {
            if known.stored == nil {
                let stored = try nextNumber(connection)
                try insert(stored, connection)
                try EvictableBytes.counting(known.number, connection) { () throws(StoreError) in
                    try connection.run(setStored, known.number, stored, byteCount, age)
                }
            }
            return known.number
        }
        let number = try nextNumber(connection)
        try insert(number, connection)
        try connection.run(insertContent, number, digest.bytes, byteCount, age, expiresAt, number)
        return number
    }

    /// Makes the attachment content with this digest refer to bytes that are already stored. Inserts its row if there
    /// is none.
    ///
    /// - Parameter expiresAt: The store's age at which the content expires if no attachment has it by then.
    static func link(
        _ digest: AttachmentDigest, _ stored: Int64, at age: Int64, expiringAt expiresAt: Int64,
        _ connection: Connection
    ) throws(StoreError) {
        let byteCount = try FileContents.byteCount(of: stored, connection)
        guard let known = try find(digest, connection) else {
            let number = try nextNumber(connection)
            return try connection.run(insertContent, number, digest.bytes, byteCount, age, expiresAt, stored)
        }
        guard known.stored == nil else { throw .fault("the bytes of this content are already stored") }
        try EvictableBytes.counting(known.number, connection) { () throws(StoreError) in
            try connection.run(setStored, known.number, stored, byteCount, age)
        }
    }

    /// Removes one reference to a content. The row of the content is deleted with the last reference, unless the grace
    /// period of the content still runs.
    ///
    /// - Parameter hasSource: True if the attachment has a source from which the content can be fetched again.
    /// - Returns: The number of the bytes in `file_contents` if they have to be released; otherwise `nil`.
    static func release(
        _ number: Int64, hasSource: Bool, _ connection: Connection
    ) throws(StoreError) -> Int64? {
        var stored: Int64?
        try EvictableBytes.counting(number, connection) { () throws(StoreError) in
            try connection.run(removeReference, number, !hasSource)
            guard let row = try connection.first(selectUnreferenced, number) else { return }
            stored = row.optionalInteger(0)
            try connection.run(deleteContent, number)
        }
        return stored
    }

    /// Returns a number for a content of attachments. It is above all revisions, which are the numbers of other
    /// contents, and is never used again.
    static func nextNumber(_ connection: Connection) throws(StoreError) -> Int64 {
        guard let row = try connection.first(selectLast) else {
            throw .databaseDamaged("the row of the table 'store' is missing")
        }
        let number = max(try row.number(0), numbersStart) + 1
        try connection.run(setLast, number)
        return number
    }

    static let numbersStart = Rows.countMax

    private static let selectFetched = StatementText(
        """
        SELECT 1 FROM attachment_contents
        WHERE digest = ?1 AND stored IS NULL AND kept_count = 0 AND reference_count > 0
        """)
    private static let selectByDigest = StatementText(
        "SELECT number, stored FROM attachment_contents WHERE digest = ?1")
    private static let insertContent = StatementText(
        """
        INSERT INTO attachment_contents (number, digest, byte_count, stored, reference_count, kept_count, used_at,
            expires_at)
        VALUES (?1, ?2, ?3, ?6, 0, 0, ?4, ?5)
        """)
    private static let setStored = StatementText(
        "UPDATE OR FAIL attachment_contents SET stored = ?2, byte_count = ?3, used_at = ?4 WHERE number = ?1")
    /// Starts the grace period of a content. The period ends at `expiresAt`, an age of the store, or when a client
    /// saves a message or draft with the content.
    static func keepUntil(_ expiresAt: Int64, _ number: Int64, _ connection: Connection) throws(StoreError) {
        try EvictableBytes.counting(number, connection) { () throws(StoreError) in
            try connection.run(setExpiry, number, expiresAt)
        }
    }

    /// Returns the first content whose grace period is over when the store has the given age, and whether any
    /// attachment has the content.
    static func firstExpired(
        at age: Int64, _ connection: Connection
    ) throws(StoreError) -> (content: Known, isBound: Bool)? {
        guard let row = try connection.first(selectExpired, age) else { return nil }
        return (Known(number: row.integer(0), stored: row.optionalInteger(1)), row.bool(2))
    }

    /// Ends the grace period of a content, which then stays as long as an attachment has it.
    static func endGrace(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try EvictableBytes.counting(number, connection) { () throws(StoreError) in
            try connection.run(clearExpiry, number)
        }
    }

    /// Ends the grace period of a content if any attachment has it.
    static func endGraceIfBound(_ digest: AttachmentDigest, _ connection: Connection) throws(StoreError) {
        guard let number = try connection.first(selectBoundGrace, digest.bytes)?.integer(0) else { return }
        try endGrace(number, connection)
    }

    static func delete(_ number: Int64, _ connection: Connection) throws(StoreError) {
        try EvictableBytes.counting(number, connection) { () throws(StoreError) in
            try connection.run(deleteContent, number)
        }
    }

    /// Returns the first age after the given one at which a content expires.
    static func nextExpiry(after age: Int64, _ connection: Connection) throws(StoreError) -> Int64? {
        try connection.first(selectNextExpiry, age)?.optionalInteger(0)
    }

    private static let setExpiry = StatementText(
        "UPDATE OR FAIL attachment_contents SET expires_at = max(ifnull(expires_at, ?2), ?2) WHERE number = ?1")
    private static let selectExpired = StatementText(
        """
        SELECT number, stored, reference_count > 0 FROM attachment_contents WHERE expires_at <= ?1
        ORDER BY expires_at, number LIMIT 1
        """)
    private static let clearExpiry = StatementText(
        "UPDATE OR FAIL attachment_contents SET expires_at = NULL WHERE number = ?1")
    private static let selectBoundGrace = StatementText(
        """
        SELECT number FROM attachment_contents
        WHERE digest = ?1 AND reference_count > 0 AND expires_at IS NOT NULL
        """)
    private static let selectNextExpiry = StatementText(
        "SELECT min(expires_at) FROM attachment_contents WHERE expires_at > ?1")
    private static let addReference = StatementText(
        """
        UPDATE OR FAIL attachment_contents SET reference_count = reference_count + 1, kept_count = kept_count + ?2,
            used_at = ?3, expires_at = CASE WHEN ?4 THEN expires_at END
        WHERE number = ?1
        """)
    private static let removeReference = StatementText(
        """
        UPDATE OR FAIL attachment_contents SET reference_count = reference_count - 1, kept_count = kept_count - ?2
        WHERE number = ?1
        """)
    private static let selectUnreferenced = StatementText(
        "SELECT stored FROM attachment_contents WHERE number = ?1 AND reference_count < 1 AND expires_at IS NULL")
    private static let deleteContent = StatementText("DELETE FROM attachment_contents WHERE number = ?1")
    private static let selectLast = StatementText("SELECT last_attachment_content FROM store")
    private static let setLast = StatementText("UPDATE OR FAIL store SET last_attachment_content = ?1")
}

extension Rows {
    /// Returns the number of the newest content of attachments; 0 before the first one. The number is so far from the
    /// maximum that adding to it cannot overflow.
    fileprivate borrowing func number(_ column: Int) throws(StoreError) -> Int64 {
        let number = integer(column)
        guard (0...2 * Self.countMax).contains(number) else {
            throw .databaseDamaged("the number of the newest content of attachments is invalid")
        }
        return number
    }
}

extension StoreError {
    static var attachmentContentNotFound: StoreError {
        StoreError(
            .attachmentContentNotFound,
            "the store has no content with the digest of an attachment; write the content, then save again")
    }
}
