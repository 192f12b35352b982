import SQLCipher
internal import StoreBasics

/// Forgets idempotency keys that are older than a day or that `EngineLimits.idempotencyKeysMax` revisions came after.
struct IdempotencyTrimmer {
    private var walk = KeyTableWalk(nextRows: nextRows, deleteRow: deleteRow)

    mutating func trim(_ connection: Connection, added: Int, now: Timestamp, revision: UInt64) throws(StoreError) {
        guard added > 0 else { return }
        try mapped { () throws(SQLCipherError) in
            try walk.advance(connection, added: added) { row in
                let age = now.microseconds - row.integer(2)
                let later = Int64(clamping: revision) - row.integer(3)
                return age > EngineLimits.idempotencyKeyAgeMicrosecondsMin || later > EngineLimits.idempotencyKeysMax
            }
        }
    }

    private static let nextRows = StatementText(
        """
        SELECT user, key, used_at, revision FROM idempotency_keys
        WHERE (user, key) > (?1, ?2) ORDER BY user, key LIMIT ?3
        """)
    private static let deleteRow = StatementText("DELETE FROM idempotency_keys WHERE user = ?1 AND key = ?2")
}
