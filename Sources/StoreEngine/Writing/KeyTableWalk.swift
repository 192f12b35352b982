import SQLCipher
import StoreBasics

/// Goes round a table of idempotency keys a few rows at a time and deletes what has expired: no commit pays for a big
/// clean-up, and what is added never outruns what is looked at.
struct KeyTableWalk {
    /// A row of the table: the walk goes on behind it.
    struct Position {
        /// Before every row: no key is empty.
        static let start = Position(user: 0, key: [])

        var user: Int64
        var key: [UInt8]
    }

    /// Rows looked at for each key that was added: more than one, so that the table stays bounded.
    private static let rowsPerKey = 4

    private let nextRows: StatementText
    private let deleteRow: StatementText
    private(set) var position: Position

    /// - Parameters:
    ///   - nextRows: selects user, key and what tells whether a row has expired, after user `?1` and key `?2`, in their
    ///     order, at most `?3` rows. It must seek its first row: the comparison of row values does, `user >= ?1 AND …`
    ///     reads every row before.
    ///   - deleteRow: deletes the row of user `?1` and key `?2`.
    init(nextRows: StatementText, deleteRow: StatementText, position: Position = .start) {
        self.nextRows = nextRows
        self.deleteRow = deleteRow
        self.position = position
    }

    /// - Parameters:
    ///   - added: keys added since the last call.
    ///   - isExpired: looks at the columns of `nextRows` from the third on.
    mutating func advance(
        _ connection: Connection, added: Int, isExpired: (borrowing Rows) -> Bool
    ) throws(StoreError) {
        for row in try next(added * Self.rowsPerKey, connection, where: isExpired) {
            try connection.run(deleteRow, row.user, row.key)
        }
    }

    private mutating func next(
        _ rowsMax: Int, _ connection: Connection, where isExpired: (borrowing Rows) -> Bool
    ) throws(StoreError) -> [Position] {
        let rows = try connection.rows(nextRows, position.user, position.key, rowsMax)
        var expired: [Position] = []
        var seen = 0
        while try rows.next() {
            seen += 1
            position = Position(user: rows.integer(0), key: rows.bytes(1))
            if isExpired(rows) {
                expired.append(position)
            }
        }
        if seen < rowsMax {
            position = .start
        }
        return expired
    }
}

/// Forgets idempotency keys that are older than a day or that `EngineLimits.idempotencyKeysMax` revisions came after.
struct IdempotencyTrimmer {
    private var walk = KeyTableWalk(nextRows: nextRows, deleteRow: deleteRow)

    mutating func trim(_ connection: Connection, added: Int, now: Timestamp, revision: UInt64) throws(StoreError) {
        guard added > 0 else { return }
        try walk.advance(connection, added: added) { row in
            let age = now.microseconds - row.integer(2)
            let later = Int64(clamping: revision) - row.integer(3)
            return age > EngineLimits.idempotencyKeyAgeMicrosecondsMin || later > EngineLimits.idempotencyKeysMax
        }
    }

    private static let nextRows = StatementText(
        """
        SELECT user, key, used_at, revision FROM idempotency_keys
        WHERE (user, key) > (?1, ?2) ORDER BY user, key LIMIT ?3
        """)
    private static let deleteRow = StatementText("DELETE FROM idempotency_keys WHERE user = ?1 AND key = ?2")
}
