import SQLCipher
import StoreBasics

/// The part of a transaction that creates, changes and deletes conversations, and keeps their counts and last messages
/// up to date.
final class ConversationWrites: TransactionWork {
    let transaction: Transaction
    let leftovers: Leftovers
    let expiries: ExpiryWrites
    let attachments: AttachmentWrites
    let listeners: AreaListeners
    let knownConversations: ConversationNumberCache
    let newMessageSums: NewMessageSums
    /// True while the current request does not read the rows of conversations, so that it may leave sums of new
    /// messages pending.
    var leavesSums = false

    init(
        _ transaction: Transaction, _ leftovers: Leftovers, _ expiries: ExpiryWrites,
        _ attachments:
            AttachmentWrites, _ listeners: AreaListeners, _ knownConversations: ConversationNumberCache,
        _ newMessageSums: NewMessageSums
    ) {
        self.transaction = transaction
        self.leftovers = leftovers
        self.expiries = expiries
        self.attachments = attachments
        self.listeners = listeners
        self.knownConversations = knownConversations
        self.newMessageSums = newMessageSums
    }
}

extension ConversationWrites {
    func getOrCreateConversation(
        _ sessionID: SessionID, id: EntityID?, displayName: String?
    ) throws(StoreError) -> (conversation: Conversation, isNew: Bool) {
        try FieldLimits.checkDisplayName(displayName)
        let isNew = try findConversation(.session(sessionID)) == nil
        if isNew {
            _ = try createConversation(sessionID, id: id, displayName: displayName?.nilIfEmpty)
        }
        let conversation = try StoreReader.conversation(
            .session(sessionID), includeAvatar: false, in: connection, clock)
        guard let conversation else { throw .databaseDamaged("a conversation that was just found is missing") }
        return (conversation, isNew)
    }

    func updateConversation(
        _ reference: ConversationReference, _ update: ConversationUpdate
    ) throws(StoreError) -> Commit {
        try update.check()
        let conversation = try conversation(reference)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        let update = try Self.whatChanges(update, in: conversation.number, connection)
        guard update != ConversationUpdate() else { return commit }
        try connection.run(
            Self.updateConversation, conversation.number, update.displayName != nil, update.displayName?.nilIfEmpty,
            update.isPinned, update.isMuted, update.avatar.map { !$0.isEmpty }, now, update.kind != nil,
            update.kind?.nilIfEmpty, update.metadata.map { $0.ifSet != nil })
        if let avatar = update.avatar {
            try LargeValueRows.conversationAvatars.set(avatar, of: conversation.number, connection)
        }
        if let metadata = update.metadata {
            try LargeValueRows.conversationMetadata.set(metadata.bytes, of: conversation.number, connection)
        }
        if let retention = update.retention {
            try set(retention.applied(to: ConversationRetention()), of: conversation.number)
        }
        commit.updatedCount = 1
        removedContent = true
        record(
            .conversation, .updated, id: conversation.id.text, detail: ChangeDetail(update.fields),
            kindName: try kind(of: conversation.number))
        return commit
    }

    /// Returns the update without the values that the conversation already has. If any rule of the retention changes,
    /// the returned update sets all its rules.
    static func whatChanges(
        _ update: ConversationUpdate, in conversation: Int64, _ connection: Connection
    ) throws(StoreError) -> ConversationUpdate {
        guard let row = try connection.first(selectProperties, conversation) else {
            throw .databaseDamaged("a conversation that was just found is missing")
        }
        var update = update
        update.displayName = try update.displayName.unlessSame(as: row.optionalText(0))
        update.isPinned = update.isPinned == row.bool(1) ? nil : update.isPinned
        update.isMuted = update.isMuted == row.bool(2) ? nil : update.isMuted
        let retention = try row.conversationRetention(4)
        update.retention = update.retention.map { $0.applied(to: retention) }
            .flatMap { $0 == retention ? nil : RetentionUpdate(all: $0) }
        if let avatar = update.avatar,
            try LargeValueRows.conversationAvatars.has(avatar, of: conversation, isThere: row.bool(3), connection)
        {
            update.avatar = nil
        }
        update.kind = try update.kind.unlessSame(as: row.optionalText(8))
        if let metadata = update.metadata,
            try LargeValueRows.conversationMetadata.has(
                metadata.bytes, of: conversation, isThere: row.bool(9), connection)
        {
            update.metadata = nil
        }
        return update
    }

    /// Deletes a conversation. Its messages become unreachable at once, and background maintenance removes their rows.
    func deleteConversation(_ reference: ConversationReference) throws(StoreError) -> Commit {
        let conversation = try conversation(reference)
        let (messages, unread) = try counts(of: conversation.number)
        let kind = try kind(of: conversation.number)
        let needsRemovals = try listeners.needsRemovals(inConversation: conversation.number)
        try listeners.conversationDeleted(conversation.number)
        try attachments.leaveAttachmentsBehind(ofDraftIn: conversation.number)
        try connection.run(Self.deleteConversation, conversation.number)
        try leftovers.leaveBehind(
            needsRemovals ? .messages : .untoldMessages, conversation.number...conversation.number)
        if try connection.first(Self.anyMember, conversation.number) != nil {
            try leftovers.leaveBehind(.members, conversation.number...conversation.number)
        }
        knownConversations.removeAll()
        statistics.conversationCount -= 1
        statistics.messageCount -= messages
        statistics.unreadCount -= unread
        removedContent = true
        record(.conversation, .deleted, id: conversation.id.text, kindName: kind)
        var commit = Commit()
        commit.ids = [conversation.id.text]
        commit.deletedCount = 1
        return commit
    }

    private func counts(of conversation: Int64) throws(StoreError) -> (messages: Int, unread: Int) {
        guard let row = try connection.first(Self.conversationCounts, conversation) else { return (0, 0) }
        return (row.int(0), row.int(1))
    }

    /// Returns the kind of a conversation, which a change of the conversation contains.
    func kind(of conversation: Int64) throws(StoreError) -> String? {
        try connection.first(Self.selectKind, conversation)?.optionalText(0)
    }

    private static let anyMember = StatementText("SELECT 1 FROM conversation_members WHERE conversation = ?1 LIMIT 1")
    private static let selectKind = StatementText("SELECT kind FROM conversations WHERE number = ?1")
    private static let selectProperties = StatementText(
        """
        SELECT display_name, is_pinned, is_muted, has_avatar, \(ConversationRetention.columns), kind, has_metadata
        FROM conversations WHERE number = ?1
        """)
    private static let updateConversation = StatementText(
        """
        UPDATE OR FAIL conversations SET
            display_name = CASE WHEN ?2 THEN ?3 ELSE display_name END,
            is_pinned = ifnull(?4, is_pinned),
            is_muted = ifnull(?5, is_muted),
            has_avatar = ifnull(?6, has_avatar),
            updated_at = ?7,
            kind = CASE WHEN ?8 THEN ?9 ELSE kind END,
            has_metadata = ifnull(?10, has_metadata)
        WHERE number = ?1
        """)
    private static let conversationCounts = StatementText(
        "SELECT message_count, unread_count FROM conversations WHERE number = ?1")
    private static let deleteConversation = StatementText("DELETE FROM conversations WHERE number = ?1")
}

extension String {
    var nilIfEmpty: String? {
        isEmpty ? nil : self
    }
}

extension String? {
    /// Returns the text to set; `nil` if the stored text has the same bytes. An empty text equals no text.
    func unlessSame(as stored: String?) -> String? {
        flatMap { $0.hasSameBytes(as: stored ?? "") ? nil : $0 }
    }
}

/// Updates the counts, the last message and the list position of a conversation.
extension ConversationWrites {
    /// Counts an inserted message. The row of its conversation may be updated later, with the sums of other messages.
    func summarizeInsertion(_ row: MessageRow) throws(StoreError) {
        let unread = UnreadCounts(row)
        let isWaiting = try connection.runLater(
            if: leavesSums && newMessageSums.hasBegun(row.conversation), NewMessageSums.addMessages, row.conversation,
            row.timestamp, row.id,
            unread.incoming, unread.outgoing, now, 1)
        if isWaiting {
            newMessageSums.add(row, now: now)
        } else if leavesSums {
            newMessageSums.begin(row, now: now)
        }
    }

    /// Writes the pending sums. Must be called before the rows of conversations are read or changed.
    func writeSums() throws(StoreError) {
        try newMessageSums.write(connection)
    }

    /// Adjusts the counts after messages were added, removed or moved, and finds the last message again.
    func summarizeChange(conversation: Int64, messages: Int, unread: UnreadCounts) throws(StoreError) {
        try writeSums()
        try connection.run(
            Self.recomputeLastMessage, conversation, messages, unread.incoming, unread.outgoing, now)
    }

    /// Adds `unread` to the numbers of unread messages of a conversation. Negative counts subtract.
    func summarizeRead(conversation: Int64, unread: UnreadCounts) throws(StoreError) {
        try writeSums()
        try connection.run(Self.adjustUnread, conversation, unread.incoming, unread.outgoing)
    }

    private static let recomputeLastMessage = StatementText(
        """
        UPDATE OR FAIL conversations SET
            message_count = message_count + ?2,
            unread_count = unread_count + ?3,
            unread_outgoing_count = unread_outgoing_count + ?4,
            last_message_at = (SELECT timestamp FROM messages WHERE conversation = ?1
                ORDER BY timestamp DESC, id DESC LIMIT 1),
            last_message_id = (SELECT id FROM messages WHERE conversation = ?1
                ORDER BY timestamp DESC, id DESC LIMIT 1),
            last_activity_at = ifnull((SELECT timestamp FROM messages WHERE conversation = ?1
                ORDER BY timestamp DESC, id DESC LIMIT 1), created_at),
            updated_at = ?5
        WHERE number = ?1
        """)
    private static let adjustUnread = StatementText(
        """
        UPDATE OR FAIL conversations SET
            unread_count = unread_count + ?2,
            unread_outgoing_count = unread_outgoing_count + ?3
        WHERE number = ?1
        """)
}

/// The number of messages that are not marked as read. A conversation's count of unread messages includes only the
/// incoming ones.
struct UnreadCounts: Equatable {
    var incoming = 0
    var outgoing = 0

    var all: Int { incoming + outgoing }

    mutating func add(isOutgoing: Bool, isRead: Bool, _ count: Int = 1) {
        guard !isRead else { return }
        if isOutgoing {
            outgoing += count
        } else {
            incoming += count
        }
    }

    static func - (left: UnreadCounts, right: UnreadCounts) -> UnreadCounts {
        UnreadCounts(incoming: left.incoming - right.incoming, outgoing: left.outgoing - right.outgoing)
    }

    static prefix func - (counts: UnreadCounts) -> UnreadCounts { UnreadCounts() - counts }
}

extension UnreadCounts {
    /// Creates the counts of a single message.
    init(_ row: MessageRow) {
        add(isOutgoing: row.isOutgoing, isRead: row.isRead)
    }

    init(_ heads: some Sequence<MessageHead>) {
        for head in heads {
            add(isOutgoing: head.isOutgoing, isRead: head.isRead)
        }
    }
}
