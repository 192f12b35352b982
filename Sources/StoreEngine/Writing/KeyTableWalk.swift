import SQLCipher

/// Goes round a table of idempotency keys a few rows at a time and deletes what has expired: no commit pays for a big
/// clean-up, and what is added never outruns what is looked at.
struct KeyTableWalk {
    /// Rows looked at for each key that was added: more than one, so that the table stays bounded.
    private static let rowsPerKey = 4

    private let nextRows: StatementText
    private let deleteRow: StatementText
    private var lastUser: Int64 = -1
    private var lastKey: [UInt8] = []

    /// - Parameters:
    ///   - nextRows: selects user, key and what tells whether a row has expired, after user `?1` and key `?2`, in their
    ///     order, at most `?3` rows.
    ///   - deleteRow: deletes the row of user `?1` and key `?2`.
    init(nextRows: StatementText, deleteRow: StatementText) {
        self.nextRows = nextRows
        self.deleteRow = deleteRow
    }

    /// - Parameters:
    ///   - added: keys added since the last call.
    ///   - isExpired: looks at the columns of `nextRows` from the third on.
    mutating func advance(
        _ connection: Connection, added: Int, isExpired: (Statement) -> Bool
    ) throws(SQLCipherError) {
        let rowsMax = added * Self.rowsPerKey
        let select = try connection.statement(nextRows)
        select.bind(1, lastUser)
        select.bind(2, lastKey)
        select.bind(3, rowsMax)
        var expired: [(Int64, [UInt8])] = []
        var seen = 0
        while try select.step() {
            seen += 1
            lastUser = select.integer(0)
            lastKey = select.bytes(1)
            if isExpired(select) {
                expired.append((lastUser, lastKey))
            }
        }
        select.reset()
        if seen < rowsMax {
            (lastUser, lastKey) = (-1, [])
        }
        let delete = try connection.statement(deleteRow)
        for (user, key) in expired {
            delete.bind(1, user)
            delete.bind(2, key)
            try delete.run()
        }
    }
}
