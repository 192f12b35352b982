import SQLCipher

/// The idempotency keys of appends, in a table of their own: appends are many and small, so that keeping a key for a
/// day would take more room than the log. A key is kept for the `EngineLimits.appendKeysMax` keyed appends after it.
///
/// A row has the number of its keyed append in `used_at` and the fingerprint of its mutation in `revision`. One row of
/// no user holds the count of keyed appends and how far the walk over the table has come: they are rolled back, and
/// survive a restart, with the rest.
struct AppendKeys {
    /// The user of the row that holds the count and the walk's position: users are not negative.
    private static let countUser: Int64 = -1

    /// Keyed appends so far, those of the open transaction included.
    private var count: Int64 = 0
    private var added = 0
    private var position = KeyTableWalk.Position.start

    init(_ connection: Connection) throws(SQLCipherError) {
        let select = try connection.statement(Self.selectCount)
        select.bind(1, Self.countUser)
        defer { select.reset() }
        guard try select.step() else { return }
        count = select.integer(0)
        position = KeyTableWalk.Position(user: select.integer(1), key: select.bytes(2))
    }

    static func kept(
        for key: IdempotencyKey, _ connection: Connection
    ) throws(SQLCipherError) -> MutationResultCodec.Kept? {
        let select = try connection.statement(selectKey)
        select.bind(1, Int64(key.userID))
        select.bind(2, key.bytes)
        defer { select.reset() }
        guard try select.step() else { return nil }
        let first = UInt64(max(1, select.integer(0)))
        return MutationResultCodec.Kept(
            result: .appended(first...first + UInt64(max(0, select.integer(1) - 1)), isReplayed: false),
            fingerprint: MutationFingerprint(value: UInt64(bitPattern: select.integer(2))))
    }

    mutating func remember(
        _ sequences: ClosedRange<UInt64>, for key: IdempotencyKey, _ fingerprint: MutationFingerprint,
        _ connection: Connection
    ) throws(SQLCipherError) {
        count += 1
        added += 1
        let insert = try connection.statement(Self.insertRow)
        insert.bind(1, Int64(key.userID))
        insert.bind(2, key.bytes)
        insert.bind(3, count)
        insert.bind(4, Int64(sequences.lowerBound))
        insert.bind(5, sequences.count)
        insert.bind(6, Int64(bitPattern: fingerprint.value))
        try insert.run()
    }

    /// Forgets old keys and keeps the count, as the last work of a transaction.
    func finish(_ connection: Connection) throws(SQLCipherError) {
        guard added > 0 else { return }
        var walk = KeyTableWalk(nextRows: Self.nextRows, deleteRow: Self.deleteRow, position: position)
        try walk.advance(connection, added: added) { row in
            count - row.integer(2) > EngineLimits.appendKeysMax
        }
        let delete = try connection.statement(Self.deleteCount)
        delete.bind(1, Self.countUser)
        try delete.run()
        let insert = try connection.statement(Self.insertRow)
        insert.bind(1, Self.countUser)
        insert.bind(2, walk.position.key)
        insert.bind(3, count)
        insert.bind(4, walk.position.user)
        insert.bind(5, 0)
        insert.bind(6, 0)
        try insert.run()
    }

    private static let selectKey = StatementText(
        "SELECT first_sequence, message_count, revision FROM append_keys WHERE user = ?1 AND key = ?2")
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
    func keptAppend(for key: IdempotencyKey) throws(StoreError) -> MutationResultCodec.Kept? {
        try mapped { () throws(SQLCipherError) in try AppendKeys.kept(for: key, connection) }
    }

    mutating func rememberAppend(
        _ sequences: ClosedRange<UInt64>, for key: IdempotencyKey, _ fingerprint: MutationFingerprint
    ) throws(StoreError) {
        var keys: AppendKeys
        if let known = appendKeys {
            keys = known
        } else {
            keys = try mapped { () throws(SQLCipherError) in try AppendKeys(connection) }
        }
        try mapped { () throws(SQLCipherError) in
            try keys.remember(sequences, for: key, fingerprint, connection)
        }
        appendKeys = keys
    }

    func trimAppendKeys() throws(StoreError) {
        guard let appendKeys else { return }
        try mapped { () throws(SQLCipherError) in try appendKeys.finish(connection) }
    }
}
