import SQLCipher

/// The idempotency keys of appends, in a table of their own: appends are many and small, so that keeping a key for a
/// day would take more room than the log. A key is kept for the `EngineLimits.appendKeysMax` keyed appends after it.
///
/// A row has the number of its keyed append in `used_at` and the fingerprint of its mutation in `revision`. Rows made
/// before there were numbers have a time and a revision there instead. One row of no user holds the count of keyed
/// appends and how far the walk over the table has come: they are rolled back, and survive a restart, with the rest.
struct AppendKeys {
    /// The user of the row that holds the count and the walk's position: users are not negative.
    private static let countUser: Int64 = -1
    /// Microseconds of January 1973: a time is greater, a number never gets there.
    private static let numbersMax: Int64 = 100_000_000_000_000

    /// Keyed appends so far, those of the open transaction included.
    private var count: Int64 = 0
    private var added = 0
    private var position = KeyTableWalk.Position.start

    init(_ connection: Connection) throws(StoreError) {
        guard let row = try connection.first(Self.selectCount, Self.countUser) else { return }
        count = row.integer(0)
        position = KeyTableWalk.Position(user: row.integer(1), key: row.bytes(2))
    }

    static func receipt(
        for key: IdempotencyKey, _ connection: Connection
    ) throws(StoreError) -> ReceiptCodec.Kept? {
        guard let select = try connection.first(selectKey, key.userID, key.bytes) else { return nil }
        var receipt = Receipt()
        receipt.ids = [String(select.integer(0))]
        receipt.created = select.int(1)
        let isNumbered = select.integer(2) < numbersMax
        let fingerprint = MutationFingerprint(value: UInt64(bitPattern: select.integer(3)))
        return ReceiptCodec.Kept(receipt: receipt, fingerprint: isNumbered ? fingerprint : nil)
    }

    mutating func remember(
        _ receipt: Receipt, for key: IdempotencyKey, _ fingerprint: MutationFingerprint, _ connection: Connection
    ) throws(StoreError) {
        count += 1
        added += 1
        try connection.run(
            Self.insertRow, key.userID, key.bytes, count, receipt.ids.first.flatMap { Int64($0) } ?? 0,
            receipt.created, Int64(bitPattern: fingerprint.value))
    }

    /// Forgets old keys and keeps the count, as the last work of a transaction.
    func finish(_ connection: Connection) throws(StoreError) {
        guard added > 0 else { return }
        var walk = KeyTableWalk(nextRows: Self.nextRows, deleteRow: Self.deleteRow, position: position)
        try walk.advance(connection, added: added) { row in
            let number = row.integer(2) < Self.numbersMax ? row.integer(2) : 0
            return count - number > EngineLimits.appendKeysMax
        }
        try connection.run(Self.deleteCount, Self.countUser)
        try connection.run(Self.insertRow, Self.countUser, walk.position.key, count, walk.position.user, 0, 0)
    }

    private static let selectKey = StatementText(
        "SELECT first_sequence, message_count, used_at, revision FROM append_keys WHERE user = ?1 AND key = ?2")
    private static let insertRow = StatementText(
        """
        INSERT INTO append_keys (user, key, used_at, first_sequence, message_count, revision)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
    private static let nextRows = StatementText(
        """
        SELECT user, key, used_at FROM append_keys
        WHERE (user, key) > (?1, ?2) ORDER BY user, key LIMIT ?3
        """)
    private static let deleteRow = StatementText("DELETE FROM append_keys WHERE user = ?1 AND key = ?2")
    private static let selectCount = StatementText(
        "SELECT used_at, first_sequence, key FROM append_keys WHERE user = ?1")
    private static let deleteCount = StatementText("DELETE FROM append_keys WHERE user = ?1")
}

extension WriteSession {
    func appendReceipt(for key: IdempotencyKey) throws(StoreError) -> ReceiptCodec.Kept? {
        var kept = try AppendKeys.receipt(for: key, connection)
        kept?.receipt.revision = statistics.revision
        return kept
    }

    mutating func rememberAppend(
        _ receipt: Receipt, for key: IdempotencyKey, _ fingerprint: MutationFingerprint
    ) throws(StoreError) {
        var keys: AppendKeys
        if let known = appendKeys {
            keys = known
        } else {
            keys = try AppendKeys(connection)
        }
        try keys.remember(receipt, for: key, fingerprint, connection)
        appendKeys = keys
    }

    func trimAppendKeys() throws(StoreError) {
        guard let appendKeys else { return }
        try appendKeys.finish(connection)
    }
}
