import ReplicaModel
import SQLCipher
import StoreBasics

/// Checks that the rows about the group can be decoded. They cannot be compared with other data of the store.
extension IntegrityCheck {
    mutating func checkReplication() throws(StoreError) {
        guard try hasGroupTables else { return }
        let groups = try connection.rows(Self.groups)
        while try groups.next() {
            report.rowsChecked += 1
            let isSound = groups.bool(0) && ReplicaSelection(groups.borrowedBytes(1)) != nil
            if !isSound || (!groups.isNull(2) && ReplicaWalk(groups.borrowedBytes(2)) == nil) {
                report.add("the row about the store's replica group is invalid")
            }
        }
        if try integer("PRAGMA user_version") > 2 {
            try countUnread("rows about replica groups that the store has left are invalid", Self.formerGroups) { row in
                !row.bool(0) || ReplicaSelection(row.borrowedBytes(1)) == nil
            }
        }
        try countUnread("rows with the replication state of data other than messages are invalid", Self.things) { row in
            row.things == nil
        }
        try countUnread("messages have an invalid replication state", Self.marks) { row in row.mark == nil }
        try countUnread("sealed messages to or from other devices name an unknown channel", Self.channels) { row in
            row.channel == nil
        }
        try checkGroupDevices()
    }

    /// True if the database has the tables of replication; a backup of an earlier version has none.
    var hasGroupTables: Bool {
        get throws(StoreError) { try integer("PRAGMA user_version") > 1 }
    }

    mutating func countUnread(
        _ finding: String, _ query: StatementText, isUnread: (borrowing Rows) throws(StoreError) -> Bool
    ) throws(StoreError) {
        var unread = 0
        let rows = try connection.rows(query)
        while try rows.next() {
            report.rowsChecked += 1
            unread += try isUnread(rows) ? 1 : 0
        }
        if unread > 0 {
            report.add("\(finding) \(Self.found(unread))")
        }
    }

    private static let groups = StatementText(
        """
        SELECT length(id) = 16 AND length(history) = 16 AND length(last_hash) = 32 AND length(device_keys) = 64
            AND state BETWEEN 1 AND 4 AND collected_through >= 0 AND last_sequence >= 0 AND stored_through >= 0,
            selection, walk
        FROM replica_group
        """)
    private static let formerGroups = StatementText("SELECT collected_through >= 0, selection FROM replica_former")
    private static let things = StatementText("SELECT kind, name, state FROM replica_things")
    private static let marks = StatementText("SELECT mark FROM replica_messages")
    private static let channels = StatementText(
        "SELECT channel FROM replica_outgoing UNION ALL SELECT channel FROM replica_parts")
}

extension Rows {
    fileprivate var things: (ThingName, ThingState)? {
        guard let kind = UInt8(exactly: integer(0)).flatMap(ThingKind.init(rawValue:)),
            let name = ThingName(kind, bytes: borrowedBytes(1)), let state = ThingState(borrowedBytes(2))
        else { return nil }
        return (name, state)
    }

    fileprivate var mark: MessageMark? { MessageMark(borrowedBytes(0)) }

    /// The channel of a row; `nil` if the text describes no channel. If the text is not UTF-8, another check reports
    /// that, so the value is then any valid channel.
    fileprivate var channel: ReplicaChannel? {
        guard let text = try? text(0) else { return .device(0) }
        return ReplicaChannel(text: text)
    }
}
