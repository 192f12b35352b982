import SQLCipher
import StoreBasics

/// Updates the index in steps of a few milliseconds, each within one transaction. The order is: edited and deleted
/// messages, messages of a rebuild, new messages, merging of segments. An interrupted step loses nothing, because the
/// index and its progress are committed together.
struct SearchIndexing {
    private let connection: Connection
    private let index: SearchIndex
    private let state: SearchIndexState
    private let othersWait: () -> Bool

    init(_ connection: Connection, _ othersWait: @escaping () -> Bool) throws(StoreError) {
        self.connection = connection
        self.othersWait = othersWait
        index = SearchIndex(connection)
        state = try SearchIndexState.read(connection)
    }

    enum Progress: Hashable {
        /// Nothing is left to do.
        case none
        /// Only a few changes are new; they may wait until the writer is idle.
        case leftFew
        case merged
        case outdatedEntriesRemoved
        case messagesAdded(through: Int64, count: Int)
    }

    /// - Parameter few: if at most this many changes are new, they are left for later.
    func step(leaving few: UInt64 = 0, of revision: UInt64 = 0) throws(StoreError) -> Progress {
        // Too many segments slow down every search, because it opens all of them.
        if try index.hasTooManySegments(), try merge() {
            return .merged
        }
        if try removeOutdated() {
            return .outdatedEntriesRemoved
        }
        if state.phase == .rebuilding {
            return .messagesAdded(through: state.indexedThrough, count: try walk())
        }
        let isLeft = few > 0 && revision <= UInt64(max(0, state.indexedThrough)) + few
        if !isLeft, let added = try addNew() {
            return added
        }
        return try merge() ? .merged : isLeft ? .leftFew : .none
    }

    /// Returns the number of segments that a search may have to open.
    func segmentCount() throws(StoreError) -> Int {
        try index.segmentCount()
    }

    private func merge() throws(StoreError) -> Bool {
        let slice = WorkSlice.ofCommit(othersWait)
        return try index.mergeStep { slice.isOver }
    }

    // MARK: Edited and deleted messages

    private func removeOutdated() throws(StoreError) -> Bool {
        let slice = WorkSlice.ofCommit(othersWait)
        var isRemoved = false
        var current: [IndexedMessage] = []
        while !isRemoved || !slice.isOver, let entry = try SearchPending.entry(nil, connection) {
            try index.remove(entry.held)
            if let message = try message(entry.id, sequence: entry.held.posting.place.sequence),
                state.holds(message.posting)
            {
                current.append(message)
            }
            try SearchPending.remove(entry, connection)
            isRemoved = true
        }
        let sequences = current.map(\.posting.place.sequence)
        if let first = sequences.min(), let last = sequences.max() {
            try index.add(current, of: first...last)
        }
        return isRemoved
    }

    // MARK: New messages

    /// Adds messages of changes that are not indexed yet, as many as fit in a step.
    ///
    /// - Returns: `nil` if there are no such changes.
    private func addNew() throws(StoreError) -> Progress? {
        var messages: [IndexedMessage] = []
        let through = try collectNew(&messages)
        guard through > state.indexedThrough else { return nil }
        try index.add(messages, of: state.indexedThrough + 1...through)
        try SearchIndexState.setIndexedThrough(through, connection)
        return .messagesAdded(through: through, count: messages.count)
    }

    private func collectNew(_ messages: inout [IndexedMessage]) throws(StoreError) -> Int64 {
        let slice = WorkSlice.ofCollecting(othersWait)
        var through = state.indexedThrough
        let rows = try connection.rows(NewMessages.commitsAfter, through + 1)
        while try rows.next() {
            let first = rows.integer(0)
            for (offset, entry) in try ChangeCodec.decode(rows.borrowedBytes(1)).enumerated() {
                let revision = first + Int64(offset)
                guard revision > through else { continue }
                through = revision
                guard entry.kind == .message, entry.operation == .created,
                    let message = try message(EntityID(trusted: entry.id), sequence: revision)
                else { continue }
                messages.append(message)
                guard messages.count < Self.segmentMessagesMax, !slice.isOver else { return through }
            }
            guard !slice.isOver else { return through }
        }
        return through
    }

    /// Returns `nil` if the message is deleted, or if a later message has its id.
    private func message(_ id: EntityID, sequence: Int64) throws(StoreError) -> IndexedMessage? {
        guard let row = try connection.first(Self.messageByID, id), row.integer(2) == sequence else { return nil }
        return try IndexedMessage(row)
    }

    // MARK: Existing messages, for a rebuild

    /// Adds existing messages for a rebuild, as many as fit in a step.
    ///
    /// - Returns: The number of added messages.
    private func walk() throws(StoreError) -> Int {
        var messages: [IndexedMessage] = []
        var walked = state.walked
        let isAtEnd = try collect(&messages, from: &walked)
        let sequences = messages.map(\.posting.place.sequence)
        if let first = sequences.min(), let last = sequences.max() {
            try index.add(messages, of: first...last)
        }
        if isAtEnd {
            try SearchIndexState.endRebuilding(connection)
        } else {
            try SearchIndexState.setWalked(walked, connection)
        }
        return messages.count
    }

    /// Returns true if the end of all messages is reached.
    private func collect(
        _ messages: inout [IndexedMessage], from walked: inout MessagePlace
    ) throws(StoreError) -> Bool {
        let slice = WorkSlice.ofCollecting(othersWait)
        while true {
            let rows = try connection.rows(Self.messagesAfter, walked)
            while try rows.next() {
                walked = try MessagePlace(rows, conversation: 0, timestamp: 1, id: 3)
                if rows.integer(2) <= state.beginsAfter {
                    messages.append(try IndexedMessage(rows))
                }
                guard messages.count < Self.segmentMessagesMax, !slice.isOver else { return false }
            }
            guard let next = try connection.first(Self.conversationAfter, walked.conversation) else { return true }
            walked = .start(of: next.integer(0))
        }
    }

    /// The number of messages that fit one step.
    private static let segmentMessagesMax = 256

    // Includes messages of deleted conversations: they leave the index when their rows are removed.
    private static let messageByID = StatementText(
        "SELECT \(IndexedMessage.messageColumns) FROM messages WHERE id = ?1")
    private static let messagesAfter = StatementText(
        """
        SELECT \(IndexedMessage.messageColumns) FROM messages WHERE conversation = ?1 AND (timestamp, id) > (?2, ?3)
        ORDER BY timestamp, id
        """)
    private static let conversationAfter = StatementText(
        "SELECT conversation FROM messages WHERE conversation > ?1 ORDER BY conversation LIMIT 1")
}

/// The statements that find messages which are not indexed yet. The change log lists them.
enum NewMessages {
    /// Selects the rows of the change log from the row that contains a revision.
    static let commitsAfter = StatementText(
        """
        SELECT first_revision, entries FROM changes
        WHERE first_revision >= ifnull((SELECT max(first_revision) FROM changes WHERE first_revision <= ?1), 0)
            AND last_revision >= ?1
        ORDER BY first_revision
        """)
}
