import SQLCipher

/// The idempotency keys of appends, in a table of their own: appends are many and small, so that keeping a key for a
/// day would take more room than the log. A key is kept for the `EngineLimits.appendKeysMax` keyed appends after it.
///
/// Each has the number of its keyed append. How many there were, and how far the walk over the keys has come, is kept
/// beside them: both are rolled back, and survive a restart, with the rest.
struct AppendKeys {
    /// Keyed appends so far, those of the open transaction included.
    private var count: Int64 = 0
    private var added = 0
    private var position = KeyTableWalk.Position.start

    init(_ connection: Connection) throws(StoreError) {
        guard let row = try connection.first(Self.selectProgress) else { return }
        count = row.integer(0)
        position = KeyTableWalk.Position(user: row.integer(1), key: row.bytes(2))
    }

    static func kept(
        for key: IdempotencyKey, _ connection: Connection
    ) throws(StoreError) -> MutationResultCodec.Kept? {
        guard let row = try connection.first(selectKey, key.userID, key.bytes) else { return nil }
        let first = max(1, row.unsigned(0))
        return MutationResultCodec.Kept(
            result: .appended(first...first + max(1, row.unsigned(1)) - 1, isReplayed: false),
            fingerprint: MutationFingerprint(value: UInt64(bitPattern: row.integer(2))))
    }

    mutating func remember(
        _ sequences: ClosedRange<UInt64>, for key: IdempotencyKey, _ fingerprint: MutationFingerprint,
        _ connection: Connection
    ) throws(StoreError) {
        count += 1
        added += 1
        try connection.run(
            Self.insertKey, key.userID, key.bytes, count, sequences.lowerBound, sequences.count,
            Int64(bitPattern: fingerprint.value))
    }

    /// Forgets old keys and keeps the progress, as the last work of a transaction.
    func finish(_ connection: Connection) throws(StoreError) {
        guard added > 0 else { return }
        var walk = KeyTableWalk(nextRows: Self.nextKeys, deleteRow: Self.deleteKey, position: position)
        try walk.advance(connection, added: added) { row in
            count - row.integer(2) > EngineLimits.appendKeysMax
        }
        try connection.run(Self.setProgress, count, walk.position.user, walk.position.key)
    }

    private static let selectKey = StatementText(
        "SELECT first_sequence, message_count, fingerprint FROM append_keys WHERE user = ?1 AND key = ?2")
    private static let insertKey = StatementText(
        """
        INSERT INTO append_keys (user, key, number, first_sequence, message_count, fingerprint)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        """)
    private static let nextKeys = StatementText(
        "SELECT user, key, number FROM append_keys WHERE (user, key) > (?1, ?2) ORDER BY user, key LIMIT ?3")
    private static let deleteKey = StatementText("DELETE FROM append_keys WHERE user = ?1 AND key = ?2")
    private static let selectProgress = StatementText("SELECT count, walked_user, walked_key FROM append_key_progress")
    private static let setProgress = StatementText(
        """
        INSERT OR REPLACE INTO append_key_progress (singleton, count, walked_user, walked_key)
        VALUES (1, ?1, ?2, ?3)
        """)
}

extension WriteSession {
    mutating func rememberAppend(
        _ sequences: ClosedRange<UInt64>, for key: IdempotencyKey, _ fingerprint: MutationFingerprint
    ) throws(StoreError) {
        if appendKeys == nil {
            appendKeys = try AppendKeys(connection)
        }
        try appendKeys?.remember(sequences, for: key, fingerprint, connection)
    }
}
