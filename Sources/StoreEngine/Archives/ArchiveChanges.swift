import SQLCipher
import StoreBasics

/// What has happened since a revision: which things are to be looked at, and which went, each with the time of the last
/// commit that the change log tells of. Things are known by the numbers of their rows.
struct ArchiveChanges {
    struct ChangedMessage {
        var changedAt: Timestamp
        /// Reactions to it were removed.
        var lostReactions = false
    }

    struct ChangedConversation {
        /// `nil`: it did not, and messages hang on it that did.
        var changedAt: Timestamp?
    }

    private(set) var contacts: [Int64: Timestamp] = [:]
    private(set) var conversations: [Int64: ChangedConversation] = [:]
    private(set) var messages: [MessagePlace: ChangedMessage] = [:]
    /// By their conversations.
    private(set) var drafts: [Int64: Timestamp] = [:]
    /// Made, written or moved to.
    private(set) var files: [FilePath: Timestamp] = [:]
    /// Whose times tell of what they hold.
    private(set) var directories: [FilePath: Timestamp] = [:]
    /// Lists of attachments that are older than the changes, but of messages that were removed and are there again.
    private(set) var movedLists: Set<Int64> = []
    private var removalTimes: [ArchivedRemoval.Subject: Timestamp] = [:]
    private var removalOrder: [ArchivedRemoval.Subject] = []

    /// In the order in which they first happened.
    var removals: [ArchivedRemoval] {
        removalOrder.compactMap { subject in
            removalTimes[subject].map { ArchivedRemoval(subject, removedAt: $0) }
        }
    }

    /// Of all that is kept here.
    private var count: Int {
        contacts.count + conversations.count + messages.count + drafts.count + files.count + directories.count
            + movedLists.count + removalOrder.count
    }

    /// - Throws: `.changesCompacted` where everything was deleted since, and for more than is kept in memory.
    mutating func note(
        _ entry: ChangeEntry, at time: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        let isRemoval = entry.operation == .deleted
        switch entry.kind {
        case .store: throw Self.tooMuch("everything was deleted")
        case .contact:
            let id = EntityID(trusted: entry.id)
            if isRemoval { remove(.contact(id), at: time) }
            if let number = try number(Self.contactNumber, id, connection) { contacts[number] = time }
        case .conversation:
            let id = EntityID(trusted: entry.id)
            if isRemoval { remove(.conversation(id), at: time) }
            try noteConversation(id, changedAt: time, connection)
        case .message, .reaction: try noteMessage(entry, at: time, connection)
        case .draft:
            let id = EntityID(trusted: entry.id)
            guard let number = try number(Self.draftNumber, id, connection) else {
                remove(.draft(id), at: time)
                break
            }
            drafts[number] = time
        case .sceneValue:
            let scene = entry.parent == SceneTiers.globalScene ? nil : SceneName(trusted: entry.parent)
            if isRemoval { remove(.sceneValue(scene, SceneKey(trusted: entry.id)), at: time) }
            if entry.operation == .cleared, let scene { remove(.scene(scene), at: time) }
        case .log:
            if isRemoval { remove(.log(LogName(trusted: entry.id)), at: time) }
        case .file: try noteFile(entry, at: time)
        }
        guard count <= Self.countMax else { throw Self.tooMuch("more than \(Self.countMax) things changed") }
    }

    private mutating func noteMessage(
        _ entry: ChangeEntry, at time: Timestamp, _ connection: Connection
    ) throws(StoreError) {
        let id = EntityID(trusted: entry.id)
        let isRemoved = entry.kind == .message && entry.operation == .deleted
        // A message that comes or goes updates its conversation; an edit, a status or a reaction does not.
        let isUpdate = entry.kind == .reaction || entry.operation == .updated
        try noteConversation(EntityID(trusted: entry.parent), changedAt: isUpdate ? nil : time, connection)
        if isRemoved { remove(.message(id), at: time) }
        guard let row = try connection.first(Self.messagePlace, id) else { return }
        let place = MessagePlace(
            conversation: row.integer(0), timestamp: row.timestamp(1), sequence: row.integer(2))
        var message = messages[place] ?? ChangedMessage(changedAt: time)
        message.changedAt = time
        if entry.kind == .reaction, entry.operation == .deleted { message.lostReactions = true }
        messages[place] = message
        if isRemoved, let list = row.optionalInteger(3) { movedLists.insert(list) }
    }

    private mutating func noteConversation(
        _ id: EntityID, changedAt time: Timestamp?, _ connection: Connection
    ) throws(StoreError) {
        guard let number = try number(Self.conversationNumber, id, connection) else { return }
        conversations[number] = ChangedConversation(changedAt: time ?? conversations[number]?.changedAt)
    }

    private mutating func noteFile(_ entry: ChangeEntry, at time: Timestamp) throws(StoreError) {
        let path = try FilePath(text: entry.id)
        if let parent = path.parent { directories[parent] = time }
        if entry.operation == .deleted {
            remove(.file(path), at: time)
        } else {
            files[path] = time
        }
    }

    private mutating func remove(_ subject: ArchivedRemoval.Subject, at time: Timestamp) {
        if removalTimes.updateValue(time, forKey: subject) == nil { removalOrder.append(subject) }
    }

    private func number(
        _ text: StatementText, _ id: EntityID, _ connection: Connection
    ) throws(StoreError) -> Int64? {
        try connection.first(text, id)?.integer(0)
    }

    static func tooMuch(_ cause: String) -> StoreError {
        StoreError(.changesCompacted, "\(cause) since that revision; make an archive of everything")
    }

    /// About 100 MB.
    private static let countMax = 1 << 20
    private static let contactNumber = StatementText("SELECT number FROM contacts WHERE id = ?1")
    private static let conversationNumber = StatementText("SELECT number FROM conversations WHERE id = ?1")
    private static let draftNumber = StatementText(
        """
        SELECT c.number FROM conversations AS c CROSS JOIN conversation_drafts AS d ON d.conversation = c.number
        WHERE c.id = ?1
        """)
    private static let messagePlace = StatementText(
        MessageRow.selectByID("m.conversation, m.timestamp, m.sequence, m.attachments"))
}
