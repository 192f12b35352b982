import SQLCipher

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
        _ connection: Connection, added: Int, isExpired: (Statement) -> Bool
    ) throws(SQLCipherError) {
        let rowsMax = added * Self.rowsPerKey
        let select = try connection.statement(nextRows)
        select.bind(1, position.user)
        select.bind(2, position.key)
        select.bind(3, rowsMax)
        var expired: [Position] = []
        var seen = 0
        while try select.step() {
            seen += 1
            position = Position(user: select.integer(0), key: select.bytes(1))
            if isExpired(select) {
                expired.append(position)
            }
        }
        select.reset()
        if seen < rowsMax {
            position = .start
        }
        let delete = try connection.statement(deleteRow)
        for row in expired {
            delete.bind(1, row.user)
            delete.bind(2, row.key)
            try delete.run()
        }
    }
}
