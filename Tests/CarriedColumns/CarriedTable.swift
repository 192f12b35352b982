/// A way in which the content of one store gets into another store.
package enum CarryingPath: CaseIterable, Hashable, Sendable {
    /// An archive and its restore.
    case archive
    /// `ghoststorectl archive create --json-lines` and the restore of its output.
    case archiveLines
    /// `ghoststorectl messages export --all` and `messages import`.
    case messageLines
    /// The batches and snapshots of a replica group.
    case replication
}

/// The two ends of a path, each with a store.
package enum CarryingEnd: Hashable, Sendable {
    case origin
    case destination
}

/// A table whose rows are carried, and how its rows are compared between two stores.
///
/// Columns that hold numbers of one store are compared as what the numbers stand for, such as the session id of a
/// conversation. In the SQL of this type `t` is the table that is read.
struct CarriedTable: Sendable {
    let name: String
    /// The table that is read. It differs from `name` if the destination keeps the rows in another table; then only the
    /// columns in `values` can be read.
    var source: String
    /// SQL that gives the same text for a row in every store.
    let rowName: String
    /// SQL that is compared in place of a column.
    var values: [String: String] = [:]
    /// SQL that is 1 for rows that the path carries.
    var filter = "1"

    init(
        _ name: String, source: String? = nil, rowName: String, values: [String: String] = [:], filter: String = "1"
    ) {
        self.name = name
        self.source = source ?? name
        self.rowName = rowName
        self.values = values
        self.filter = filter
    }

    /// - Returns: the SQL of a column, or `nil` if the destination does not keep the column.
    func value(of column: String) -> String? {
        values[column] ?? (source == name ? "t.\(column)" : nil)
    }
}

extension CarriedTable {
    /// Returns the tables that a path carries, as they are read in the store at one of its ends.
    static func all(on path: CarryingPath, at end: CarryingEnd) -> [CarriedTable] {
        switch path {
        case .archive, .archiveLines: people + beside + logs
        // docs/cli.md: the lines of an export are contacts, conversations and messages.
        case .messageLines: people
        case .replication: people + beside + (end == .origin ? replicatedLogs : receivedLogs) + logsOfDevices
        }
    }

    private static let people = [
        CarriedTable("contacts", rowName: "t.session_id"),
        CarriedTable("contact_avatars", rowName: contact, values: ["contact": contact]),
        CarriedTable("contact_metadata", rowName: contact, values: ["contact": contact]),
        CarriedTable("conversations", rowName: "t.session_id"),
        CarriedTable("conversation_avatars", rowName: conversation, values: ["conversation": conversation]),
        CarriedTable("conversation_metadata", rowName: conversation, values: ["conversation": conversation]),
        CarriedTable(
            "messages", rowName: "t.id",
            values: [
                "conversation": conversation,
                "attachments": attachmentCount,
                // An age of the store, converted to the time that its wall clock shows at that age.
                "expires_at": "t.expires_at + (SELECT wall_time - age FROM clock)",
            ]),
        CarriedTable("message_texts", rowName: messageOfText, values: ["sequence": messageOfText]),
    ]

    private static let beside = [
        CarriedTable(
            "conversation_drafts", rowName: conversation,
            values: ["conversation": conversation, "attachments": attachmentCount]),
        CarriedTable(
            "conversation_members", rowName: "\(conversation) || ' ' || t.session_id",
            values: ["conversation": conversation]),
        CarriedTable(
            "reactions", rowName: "\(reactedMessage) || ' ' || t.author || ' ' || t.emoji",
            values: ["message_sequence": reactedMessage]),
        CarriedTable(
            "attachments", rowName: "\(listOwner) || ' ' || t.position",
            values: [
                "list": listOwner, "conversation": conversation,
                "content": "(SELECT hex(digest) FROM attachment_contents WHERE number = t.content)",
            ]),
        CarriedTable("scene_values", rowName: "t.scene || ' ' || t.key"),
    ]

    private static let logs = logs(filter: "1", entryFilter: "1")

    private static let replicatedLogs = logs(
        filter: "t.is_replicated", entryFilter: "(SELECT is_replicated FROM logs WHERE number = t.log)")

    private static func logs(filter: String, entryFilter: String) -> [CarriedTable] {
        let log = "(SELECT name FROM logs WHERE number = t.log)"
        return [
            CarriedTable("logs", rowName: "t.name", filter: filter),
            CarriedTable(
                "log_entries", rowName: "\(log) || ' ' || t.sequence", values: ["log": log], filter: entryFilter),
        ]
    }

    /// The tables in which a device keeps the entries of other devices. These entries have the times of their stamps
    /// instead of times of the clock.
    private static let receivedLogs = {
        let log = "(SELECT name FROM replica_logs WHERE number = t.log)"
        return [
            CarriedTable("logs", rowName: "t.name", filter: "t.is_replicated"),
            CarriedTable(
                "log_entries", source: entriesOfOthers, rowName: "\(log) || ' ' || t.sequence",
                values: [
                    "log": log, "sequence": "t.sequence", "data": "t.data", "metadata": "t.metadata",
                    "appended_at": "(t.time >> 16) * 1000",
                ]),
        ]
    }()

    // The entries of the device itself are left out, because its log may have the same name and the same numbers.
    private static let entriesOfOthers =
        "(SELECT * FROM replica_log_entries WHERE log IN (SELECT number FROM replica_logs WHERE own_log IS NULL))"

    /// The tables in which every device keeps the entries of all devices, including its own.
    private static let logsOfDevices = {
        let name = "name || ' ' || device || ' ' || opened"
        let log = "(SELECT \(name) FROM replica_logs WHERE number = t.log)"
        return [
            CarriedTable("replica_logs", rowName: name),
            CarriedTable("replica_log_entries", rowName: "\(log) || ' ' || t.sequence", values: ["log": log]),
        ]
    }()

    private static let contact = "(SELECT session_id FROM contacts WHERE number = t.contact)"
    private static let conversation = "(SELECT session_id FROM conversations WHERE number = t.conversation)"
    private static let messageOfText = "(SELECT id FROM messages WHERE sequence = t.sequence)"
    private static let reactedMessage = "(SELECT id FROM messages WHERE sequence = t.message_sequence)"
    private static let attachmentCount =
        "CASE WHEN t.attachments IS NOT NULL THEN (SELECT count(*) FROM attachments WHERE list = t.attachments) END"
    private static let listOwner = """
        coalesce((SELECT id FROM messages WHERE attachments = t.list),
            (SELECT 'draft to ' || c.session_id FROM conversation_drafts AS d
            JOIN conversations AS c ON c.number = d.conversation WHERE d.attachments = t.list))
        """
}
