import SQLCipher
import StoreBasics

extension ArchiveRestoring {
    func restore(
        _ message: ArchivedMessage, in session: SessionID, _ mode: RestoreMode, _ keeping: inout KeptUpdateTimes
    ) throws(StoreError) -> RestoreOutcome {
        let expiresAt = message.expiresAt.map(clock.age(reportedAs:))
        // The message has expired since the archive was made.
        if let expiresAt, expiresAt <= clock.age {
            return .kept
        }
        let old = try areas.messages.findMessage(message.id)
        guard !mode.isDryRun else {
            let known = try areas.conversations.findConversation(.session(session))
            return try old.map { (old) throws(StoreError) in
                try merged(
                    message, expiresAt, in: known ?? KnownConversation(number: 0, id: message.id), over: old, mode
                ).outcome
            } ?? .added
        }
        let conversation = try areas.conversations.conversationToSaveTo(.session(session))
        guard let old else {
            try areas.conversations.keepUpdateTime(of: conversation.number, &keeping)
            try areas.messages.insert(message, expiresAt, in: conversation)
            return .added
        }
        let (row, outcome) = try merged(message, expiresAt, in: conversation, over: old, mode)
        guard outcome.writes else { return outcome }
        try areas.conversations.keepUpdateTime(of: conversation.number, &keeping)
        try areas.conversations.keepUpdateTime(of: old.conversation, &keeping)
        if row.attachments != old.attachments {
            try areas.attachments.replaceAttachments(
                old.attachments, by: message.attachments, list: row.attachments, at: row.place)
        }
        _ = try areas.messages.write(row, over: old)
        try areas.retention.scheduleOldestDeletion(row, under: conversation.retention)
        return outcome
    }

    /// Merges an archived message with an existing one. The result has the fields of the message that was edited or
    /// saved later, with two exceptions: it counts as read if one of the two is marked read, and it has the more
    /// advanced of the two statuses. If the message of an archive of changes is the newer one, there are no exceptions.
    private func merged(
        _ message: ArchivedMessage, _ expiresAt: Int64?, in conversation: KnownConversation, over old: MessageRow,
        _ mode: RestoreMode
    ) throws(StoreError) -> (row: MessageRow, outcome: RestoreOutcome) {
        var archived = MessageRow(message, in: conversation, sequence: old.sequence)
        let hasSameAttachments = try AttachmentRows.isSame(old.attachments, as: message.attachments, connection)
        let newList = message.attachments.isEmpty ? nil : Int64(nextRevision)
        archived.attachments = hasSameAttachments ? old.attachments : newList
        archived.reactions = old.reactions
        let isNewer = mode.isNewer(archived.changedAt, than: old.changedAt)
        var row = isNewer ? archived : old
        if mode.changedAt == nil || !isNewer {
            row.isRead = old.isRead || archived.isRead
            row.status = old.status.progress >= archived.status.progress ? old.status : archived.status
        }
        row.expiresAt = try mergedExpiry(of: row, archived.timer, expiresAt, over: old, isNewer: isNewer)
        guard row == old, row.hasSameBytes(as: old) else { return (row, .updated) }
        let isSame =
            archived.changedAt == old.changedAt && archived.hasSameBytes(as: old) && hasSameAttachments
            && archived.unknownFields == old.unknownFields && archived.metadata == old.metadata
        return (row, isSame ? .equal : .kept)
    }

    /// Returns the store's age at which the merged message expires; `nil` if its timer does not run.
    ///
    /// - Parameters:
    ///   - timer: The timer of the archived message, which expires at `expiresAt`.
    private func mergedExpiry(
        of row: MessageRow, _ timer: MessageTimer?, _ expiresAt: Int64?, over old: MessageRow, isNewer: Bool
    ) throws(StoreError) -> Int64? {
        // The archived time counts only if the merged message has the same timer.
        let archivedExpiry = row.timer == timer ? expiresAt : nil
        let expiry = isNewer && old.expiresAt == nil ? archivedExpiry : old.expiresAt
        guard row.timer != old.timer || expiry == nil else { return expiry }
        if let archivedExpiry { return archivedExpiry }
        return try self.areas.expiries.expiry(of: row, replacing: old)
    }

    func restore(
        _ reaction: ArchivedReaction, to message: EntityID, _ mode: RestoreMode
    ) throws(StoreError) -> RestoreOutcome {
        guard let found = try areas.messages.findMessage(message) else { return mode.isDryRun ? .added : .kept }
        let reference = ReactionReference(
            messageID: message, authorSessionID: reaction.authorSessionID, emoji: reaction.emoji)
        guard
            try connection.first(
                Self.selectPresentReaction, found.sequence, reaction.authorSessionID, reaction.emoji.text) == nil
        else { return .equal }
        guard !mode.isDryRun else { return .added }
        return try areas.reactions.reactIfRoom(reference, at: reaction.createdAt) ? .added : .kept
    }

    private static let selectPresentReaction = StatementText(
        "SELECT 1 FROM reactions WHERE message_sequence = ?1 AND author = ?2 AND emoji = ?3")
}

extension MessageRow {
    /// The time at which the content of the message was last set.
    var changedAt: Timestamp { editedAt ?? createdAt }
}

extension MessageStatus {
    /// The position of the status in the order of progress. A merge keeps the status that is further.
    fileprivate var progress: Int {
        switch self {
        case .pending: 0
        case .failed: 1
        case .sent: 2
        case .delivered: 3
        }
    }
}
