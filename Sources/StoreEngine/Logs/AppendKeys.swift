import SQLCipher

/// The idempotency keys of appends, in a table of their own: appends are many and small, so that keeping a key for a
/// day would take more room than the log. A key is kept for the `EngineLimits.appendKeysMax` keyed appends after it.
struct AppendKeys {
    /// Marks among which the kept keys are spread.
    private static let marksMax = 16

    /// When each of the last `marksMax` parts of `appendKeysMax` keys was begun, oldest first.
    private var marks: [Int64] = []
    private var addedSinceMark = 0
    private var walk = KeyTableWalk(nextRows: nextRows, deleteRow: deleteRow)

    static func receipt(for key: IdempotencyKey, _ connection: Connection) throws(SQLCipherError) -> Receipt? {
        let select = try connection.statement(selectKey)
        select.bind(1, Int64(key.userID))
        select.bind(2, key.bytes)
        defer { select.reset() }
        guard try select.step() else { return nil }
        var receipt = Receipt()
        receipt.ids = [String(select.integer(0))]
        receipt.created = select.int(1)
        receipt.revision = UInt64(max(0, select.integer(2)))
        receipt.isReplayed = true
        return receipt
    }

    static func remember(
        _ receipt: Receipt, for key: IdempotencyKey, now: Timestamp, _ connection: Connection
    ) throws(SQLCipherError) {
        let insert = try connection.statement(insertKey)
        insert.bind(1, Int64(key.userID))
        insert.bind(2, key.bytes)
        insert.bind(3, now.microseconds)
        insert.bind(4, receipt.ids.first.flatMap { Int64($0) } ?? 0)
        insert.bind(5, receipt.created)
        insert.bind(6, Int64(clamping: receipt.revision))
        try insert.run()
    }

    /// Forgets old keys.
    mutating func trim(_ connection: Connection, added: Int, now: Timestamp) throws(SQLCipherError) {
        guard added > 0 else { return }
        addedSinceMark += added
        if marks.isEmpty || addedSinceMark >= EngineLimits.appendKeysMax / Self.marksMax {
            addedSinceMark = 0
            marks.append(now.microseconds)
        }
        guard marks.count > Self.marksMax else { return }
        marks.removeFirst(marks.count - Self.marksMax - 1)
        let keptSince = marks[0]
        try walk.advance(connection, added: added) { row in row.integer(2) < keptSince }
    }

    private static let selectKey = StatementText(
        "SELECT first_sequence, message_count, revision FROM append_keys WHERE user = ?1 AND key = ?2")
    private static let insertKey = StatementText("INSERT INTO append_keys VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    private static let nextRows = StatementText(
        """
        SELECT user, key, used_at FROM append_keys
        WHERE user >= ?1 AND (user > ?1 OR key > ?2) ORDER BY user, key LIMIT ?3
        """)
    private static let deleteRow = StatementText("DELETE FROM append_keys WHERE user = ?1 AND key = ?2")
}
