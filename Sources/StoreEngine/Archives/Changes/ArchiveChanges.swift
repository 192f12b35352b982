import SQLCipher
import StoreBasics

/// The changes since a revision: the things that changed and the things that were removed, each with the time of its
/// last change, from the change log. Things are identified by the numbers of their rows, which need little memory; only
/// removed things are identified by name.
struct ArchiveChanges {
    struct ChangedMessage {
        var changedAt: Timestamp
        /// True if reactions to the message were removed.
        var lostReactions = false
    }

    struct ChangedConversation {
        /// The time of the last change of the conversation; `nil` if only its messages changed.
        var changedAt: Timestamp?
    }

    private(set) var contacts = SortedTable<Int64, Timestamp>()
    private(set) var conversations = SortedTable<Int64, ChangedConversation>()
    private(set) var messages = SortedTable<MessagePlace, ChangedMessage>()
    /// The drafts, by the numbers of their conversations.
    private(set) var drafts = SortedTable<Int64, Timestamp>()
    /// The logs that were created or got other properties. A log that only received new entries is missing here,
    /// because the change log does not contain appended entries.
    private(set) var logs = SortedTable<Int64, Void>()
    private(set) var files = ChangedFiles()
    /// The attachment lists of messages that were removed and exist again. A list's number is the revision that created
    /// the list. The archive includes the contents of all lists that are newer than the revision at which its changes
    /// begin. The lists in this table may be older; their contents are included too.
    private(set) var movedLists = SortedTable<Int64, Void>()
    private(set) var removals = SortedTable<RemovedName, Timestamp>()
    private var removalBytes = 0
    private let removalBytesMax: Int

    /// - Parameter removalBytesMax: The approximate limit of memory for the names of removed things.
    init(removalBytesMax: Int = 128 << 20) {
        self.removalBytesMax = removalBytesMax
    }

    /// The number of all changes in memory.
    private var count: Int {
        contacts.count + conversations.count + messages.count + drafts.count + logs.count + files.count
            + movedLists.count
            + removals.count
    }

    /// Adds the thing that a change created, changed or removed.
    ///
    /// - Throws: `.changesCompacted` if the change deleted all data, and if there are too many changes for the memory.
    mutating func recordChange(
        _ entry: ChangeEntry, _ revision: UInt64, at time: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        let isRemoval = entry.operation == .deleted
        switch entry.kind {
        case .store: throw Self.tooMuch("all data was deleted")
        case .contact:
            if isRemoval { remove(entry, at: time) }
            let id = EntityID(trusted: entry.id)
            if let number = try number(Self.contactNumber, id, connection) { contacts.set(number, time) }
        case .conversation:
            if isRemoval { remove(entry, at: time) }
            try recordConversationChange(EntityID(trusted: entry.id), changedAt: time, connection)
        case .member: try recordConversationChange(EntityID(trusted: entry.parent), changedAt: time, connection)
        case .message, .reaction: try recordMessageChange(entry, at: time, connection)
        case .draft:
            guard let number = try number(Self.draftNumber, EntityID(trusted: entry.id), connection) else {
                remove(entry, at: time)
                break
            }
            drafts.set(number, time)
        case .sceneValue:
            if isRemoval || entry.operation == .cleared { remove(entry, at: time) }
        case .log:
            if isRemoval { remove(entry, at: time) }
            if let row = try connection.first(Self.logNumber, LogName(trusted: entry.id)) {
                logs.set(row.integer(0), ())
            }
        case .file:
            if isRemoval { remove(entry, at: time) }
            try files.recordChange(entry, revision, at: time, connection)
        }
        guard count <= Self.countMax, removalBytes <= removalBytesMax else {
            throw Self.tooMuch("too much has changed")
        }
    }

    private mutating func recordMessageChange(
        _ entry: ChangeEntry, at time: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        let isRemoved = entry.kind == .message && entry.operation == .deleted
        // Adding or removing a message also changes the update time of its conversation. An edit, a new status and a
        // reaction do not.
        let isUpdate = entry.kind == .reaction || entry.operation == .updated
        try recordConversationChange(EntityID(trusted: entry.parent), changedAt: isUpdate ? nil : time, connection)
        if isRemoved { remove(entry, at: time) }
        guard let row = try connection.first(Self.messagePlace, EntityID(trusted: entry.id)) else { return }
        let place = MessagePlace(
            conversation: row.integer(0), timestamp: row.timestamp(1), id: EntityID(trusted: entry.id))
        messages.update(place, ChangedMessage(changedAt: time)) { message in
            message.changedAt = time
            if entry.kind == .reaction, entry.operation == .deleted { message.lostReactions = true }
        }
        if isRemoved, let list = row.optionalInteger(2) { movedLists.set(list, ()) }
    }

    private mutating func recordConversationChange(
        _ id: EntityID, changedAt time: Timestamp?, _ connection: Connection
    ) throws(StoreError) {
        guard let number = try number(Self.conversationNumber, id, connection) else { return }
        conversations.update(number, ChangedConversation()) { $0.changedAt = time ?? $0.changedAt }
    }

    private mutating func remove(_ entry: ChangeEntry, at time: Timestamp) {
        guard let name = RemovedName(entry) else { return }
        let countBefore = removals.count
        removals.set(name, time)
        if removals.count > countBefore { removalBytes += name.byteCount }
    }

    private func number(
        _ text: StatementText, _ id: EntityID, _ connection: Connection
    ) throws(StoreError) -> Int64? {
        try connection.first(text, id)?.integer(0)
    }

    static func tooMuch(_ cause: String) -> StoreError {
        StoreError(
            .changesCompacted,
            "\(cause) since the requested revision, so no archive of changes is possible; hint: create a full archive")
    }

    /// The most changes in memory, at most 50 bytes each.
    private static let countMax = 1 << 20
    private static let logNumber = StatementText("SELECT number FROM logs WHERE name = ?1")
    private static let contactNumber = StatementText("SELECT number FROM contacts WHERE id = ?1")
    private static let conversationNumber = StatementText("SELECT number FROM conversations WHERE id = ?1")
    private static let draftNumber = StatementText(
        """
        SELECT c.number FROM conversations AS c CROSS JOIN conversation_drafts AS d ON d.conversation = c.number
        WHERE c.id = ?1
        """)
    private static let messagePlace = StatementText(
        MessageRow.selectByID("m.conversation, m.timestamp, m.attachments"))
}
