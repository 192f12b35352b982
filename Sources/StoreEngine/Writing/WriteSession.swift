import SQLCipher
import StoreBasics
import StoreCrypto

/// What one group has done so far: the open transaction, the counters as they will be, and the changes that still have
/// to be logged. Ends with the group's record.
struct WriteSession {
    let connection: Connection
    /// The wall clock's time of the commit, as clients see it.
    let now: Timestamp
    /// The time that changes of the commit have in the store's replica group: `now`, unless the wall clock was set
    /// forward and is not believed yet.
    let stampTime: Timestamp
    var statistics: Statistics
    private(set) var changes: [ChangeEntry] = []
    /// The first changes that are told to watchers, and not kept.
    private var forgottenChangeCount = 0
    var knownConversations: ConversationNumberCache
    let openLogs: OpenLogs
    let newMessageSums: NewMessageSums
    /// By the requests of the group and before.
    var rowsWritten: Int { newMessageSums.rowsWrittenByRequests(connection) }
    /// The request under way looks at no row of a conversation that the sums are about.
    var leavesSums = false
    var keptKeys: KeptKeys
    var sharedSceneValues = SharedSceneValues()
    /// The group deleted or replaced content, so that the WAL must soon be emptied.
    var removedContent = false
    /// The group made rows unreachable that are still to be removed.
    var leftRowsBehind = false
    /// Messages that the group made, and such that the search index now holds by what they said before.
    var newMessages = 0
    var outdatedIndexEntries = 0
    /// What the group let go of that has a file in the vault.
    var releasedContents: [ContentID] = []
    /// The group let go of all that have.
    var hasReleasedAllContents = false
    /// The group may have made contents of attachments more than they may be.
    var hasStoredAttachments = false
    /// How many displaced messages of logs the transaction may still delete.
    var displacedRowsLeft = EngineLimits.displacedRowsMax
    /// When the transaction is to give way to others.
    var slice: WorkSlice
    let clock: StoreClock
    let fileQuotas: FileQuotas
    /// `nil` where no content is read or written.
    let vault: WriterVault?
    let replicaKeys: ReplicaKeyCache
    /// What has become of devices of the store's group.
    var replicaNews: [ReplicaNews] = []
    let wantedFiles: WantedFilesPlace
    let missingContents: MissingContentsPlace
    /// The store's age when something goes that the transaction has made or changed: the earliest.
    private(set) var retentionDue: Int64?
    /// The anchor that the transaction has written to the table `clock`.
    var keptAnchor: StoreClock.Anchor?

    init(
        connection: Connection, statistics: Statistics, knownConversations: ConversationNumberCache,
        openLogs: OpenLogs, newMessageSums: NewMessageSums, keptKeys: KeptKeys, now: Timestamp, slice: WorkSlice,
        clock: StoreClock, fileQuotas: FileQuotas, vault: WriterVault? = nil,
        replicaKeys: ReplicaKeyCache = ReplicaKeyCache(), wantedFiles: WantedFilesPlace = WantedFilesPlace(),
        missingContents: MissingContentsPlace = MissingContentsPlace()
    ) {
        self.connection = connection
        self.statistics = statistics
        self.knownConversations = knownConversations
        self.openLogs = openLogs
        self.newMessageSums = newMessageSums
        self.keptKeys = keptKeys
        self.now = now
        stampTime = min(now, clock.stampTime)
        self.slice = slice
        self.clock = clock
        self.fileQuotas = fileQuotas
        self.vault = vault
        self.replicaKeys = replicaKeys
        self.wantedFiles = wantedFiles
        self.missingContents = missingContents
    }

    /// Something is due at this age of the store.
    mutating func noteRetention(dueAt age: Int64) {
        retentionDue = min(retentionDue ?? age, age)
    }

    /// Gives the next revision to a change.
    @discardableResult
    mutating func record(
        _ kind: EntityKind, _ operation: ChangeOperation, id: String, parent: String = "",
        cause: ChangeCause = .request, detail: ChangeDetail = .none
    ) -> UInt64 {
        statistics.revision += 1
        changes.append(
            ChangeEntry(kind: kind, operation: operation, id: id, parent: parent, cause: cause, detail: detail))
        return statistics.revision
    }

    /// The changes so far are not written to the change log.
    mutating func forgetChanges() {
        forgottenChangeCount = changes.count
    }

    /// Whether areas of the vault may hold more or less than before.
    var hasChangedFiles: Bool {
        changes.contains { $0.kind == .file || $0.kind == .store }
    }

    /// The revision the next recorded change will get.
    var nextRevision: UInt64 { statistics.revision + 1 }
}

extension WriteSession {
    /// The last work of the group's transaction.
    mutating func finish() throws(StoreError) {
        try deleteDisplacedEntries()
        try writeSharedSceneValues()
        try keptKeys.trim(connection)
        // A rule about time is stored together with the anchor from which its time is counted.
        if !changes.isEmpty || retentionDue != nil {
            try keepAnchor()
        }
        try writeChangeLog()
    }

    /// Writes the group's changes and counters.
    private func writeChangeLog() throws(StoreError) {
        var rest = changes.dropFirst(forgottenChangeCount)
        var first = statistics.revision - UInt64(rest.count) + 1
        let isNowBelieved = now.microseconds - stampTime.microseconds < Self.stampDifferenceMax
        while !rest.isEmpty {
            let slice = rest.prefix(Self.entriesPerRowMax)
            rest = rest.dropFirst(slice.count)
            try connection.run(
                Self.insertChanges, first, first + UInt64(slice.count) - 1, now, statistics.conversationCount,
                statistics.messageCount, statistics.contactCount, statistics.unreadCount, ChangeCodec.encode(slice),
                isNowBelieved ? nil : stampTime)
            first += UInt64(slice.count)
        }
    }

    /// The changes of the committed group, as watchers get them.
    func committedChanges() -> [Change] {
        let first = statistics.revision - UInt64(changes.count) + 1
        return changes.enumerated().map { offset, entry in
            Change(
                revision: first + UInt64(offset), kind: entry.kind, operation: entry.operation, id: entry.id,
                parent: entry.parent, committedAt: now)
        }
    }

    /// Bounds what one row of the change log holds; a larger commit has several rows.
    private static let entriesPerRowMax = 1_024
    /// Up to this difference the time of the commit serves as both, which keeps the row small.
    private static let stampDifferenceMax: Int64 = 1_000_000

    private static let insertChanges = StatementText(
        """
        INSERT INTO changes (first_revision, last_revision, committed_at, conversation_count, message_count,
            contact_count, unread_count, entries, stamped_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        """)
}
