import SQLCipher
import StoreBasics

/// Statements that several walks use.
enum ArchiveRowTexts {
    static let contactsAfter = StatementText(WholeContact.selectSQL + " WHERE c.number > ?1 ORDER BY c.number")
    static let contact = StatementText(WholeContact.selectSQL + " WHERE c.number = ?1")
    static let nextConversation = StatementText(
        WholeConversation.selectSQL + " WHERE c.number > ?1 ORDER BY c.number LIMIT 1")
    static let conversation = StatementText(WholeConversation.selectSQL + " WHERE c.number = ?1")
    static let nextLog = StatementText(LogRow.selectSQL + " WHERE l.number > ?1 ORDER BY l.number LIMIT 1")
    fileprivate static let reactions = StatementText(
        "SELECT author, emoji, created_at FROM reactions WHERE message_sequence = ?1 ORDER BY \(ReactionCursor.order)")
    fileprivate static let entries = StatementText(
        """
        SELECT sequence, offset, position, data, metadata FROM log_entries WHERE log = ?1 AND sequence > ?2
        ORDER BY sequence
        """)
}

extension ArchivedReaction {
    /// Passes the reactions to a message to `body`.
    ///
    /// - Returns: The approximate number of their bytes.
    static func read(
        to sequence: Int64, _ connection: Connection, _ body: (ArchiveEntry) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        var bytes = 0
        for reaction in try all(to: sequence, connection) {
            let record = ArchiveRecord.reaction(reaction)
            try body(ArchiveEntry(record))
            bytes += record.byteCount
        }
        return bytes
    }

    /// Returns the reactions to a message, in the order in which clients list them.
    static func all(to sequence: Int64, _ connection: Connection) throws(StoreError) -> [ArchivedReaction] {
        let rows = try connection.rows(ArchiveRowTexts.reactions, sequence)
        var reactions: [ArchivedReaction] = []
        while try rows.next() {
            reactions.append(
                ArchivedReaction(
                    authorSessionID: try rows.name(0), emoji: Emoji(trusted: try rows.text(1)),
                    createdAt: rows.timestamp(2)))
        }
        return reactions
    }
}

extension ArchivedConversation {
    /// - Parameter row: A row of `selectSQL`.
    init(withMembers row: borrowing Rows, _ connection: Connection) throws(StoreError) {
        try self.init(row)
        members = try MemberRows.all(of: row.integer(0), connection)
    }
}

extension ArchivedSceneValue {
    /// - Parameter row: The columns scene, key, time and value.
    init(_ row: borrowing Rows) throws(StoreError) {
        let scene = try row.text(0)
        self.init(
            scene: scene == SceneTiers.globalScene ? nil : SceneName(trusted: scene), key: try row.name(1),
            value: row.bytes(3), updatedAt: row.timestamp(2))
    }
}

extension ArchivedLogEntry {
    /// Passes some entries of a log to `body`.
    ///
    /// - Returns: The sequence number of the last passed entry; `nil` at the end.
    static func readPage(
        of log: Int64, after sequence: Int64, _ connection: Connection,
        _ body: (ArchiveRecord) throws(StoreError) -> Void
    ) throws(StoreError) -> Int64? {
        var bytes = 0
        let rows = try connection.rows(ArchiveRowTexts.entries, log, sequence)
        while try rows.next() {
            let sequence = try rows.count(0)
            let record = ArchiveRecord.logEntry(
                ArchivedLogEntry(
                    sequence: UInt64(sequence), offset: UInt64(try rows.count(1)), position: UInt64(try rows.count(2)),
                    data: rows.bytes(3), metadata: rows.metadata(4)))
            try body(record)
            bytes += record.byteCount
            guard bytes < ArchiveLimits.pageBytes else { return sequence }
        }
        return nil
    }
}
