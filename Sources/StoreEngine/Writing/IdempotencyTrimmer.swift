import SQLCipher

/// Forgets old idempotency keys a few at a time, going round the table: no commit pays for a big clean-up.
struct IdempotencyTrimmer {
    /// Rows looked at for each key that was added: more than one, so that the table stays bounded.
    private static let rowsPerKey = 4

    private var lastUser: Int64 = -1
    private var lastKey: [UInt8] = []

    mutating func trim(_ connection: Connection, added: Int, now: Timestamp, revision: UInt64) throws(StoreError) {
        guard added > 0 else { return }
        try mapped { () throws(SQLCipherError) in
            let select = try connection.statement(Self.nextRows)
            select.bind(1, lastUser)
            select.bind(2, lastKey)
            select.bind(3, added * Self.rowsPerKey)
            var expired: [(Int64, [UInt8])] = []
            var seen = 0
            while try select.step() {
                seen += 1
                lastUser = select.integer(0)
                lastKey = select.bytes(1)
                let age = now.microseconds - select.integer(2)
                let later = Int64(clamping: revision) - select.integer(3)
                if age > EngineLimits.idempotencyKeyAgeMicrosecondsMin || later > EngineLimits.idempotencyKeysMax {
                    expired.append((lastUser, lastKey))
                }
            }
            select.reset()
            if seen < added * Self.rowsPerKey {
                (lastUser, lastKey) = (-1, [])
            }
            let delete = try connection.statement(Self.deleteRow)
            for (user, key) in expired {
                delete.bind(1, user)
                delete.bind(2, key)
                try delete.run()
            }
        }
    }

    private static let nextRows = StatementText(
        """
        SELECT user, key, used_at, revision FROM idempotency_keys
        WHERE user >= ?1 AND (user > ?1 OR key > ?2) ORDER BY user, key LIMIT ?3
        """)
    private static let deleteRow = StatementText("DELETE FROM idempotency_keys WHERE user = ?1 AND key = ?2")
}
