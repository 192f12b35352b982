import ReplicaModel
import SQLCipher
import StoreBasics

/// Changes the messages of the store as merged records say.
extension ReplicaMergeWrites {
    func mergeMessage(_ record: MessageRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        let id = try EntityID(record.id)
        let known = try ReplicaMessageRows.read(id.text, connection)
        var mark = known
        let row = try areas.messages.findMessage(id)
        if let row, try !replica.collecting.isSelected(row, in: merge.group.selection) { return }
        if row == nil, try isOverHere(id, merge.group.selection) {
            mark = .over(generation: mark.generation)
        }
        switch mark.fate(of: record, isThere: row != nil) {
        case .stays:
            return
        case .goes:
            try remove(row, &merge)
            try merge.states.forget(.reaction, beginningWith: [id.text], connection)
        case .isMade:
            try remove(row, &merge)
            guard let content = record.content else { return }
            try make(id, content, &mark, &merge)
        case .isMerged:
            guard let content = record.content, let row else { return }
            try self.merge(content, into: row, &mark, &merge)
        case .isStarted:
            if let row {
                try startTimer(of: row)
            }
        }
        try ReplicaMessageRows.write(mark, insteadOf: known, of: id.text, connection)
    }

    private func remove(_ row: MessageRow?, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        guard let row, let head = try areas.messages.head(row.id) else { return }
        try areas.conversations.keepUpdateTime(of: row.conversation, &merge.keeping)
        try areas.messages.delete([head])
        if let sessionID = try replica.collecting.sessionID(of: row.conversation) {
            merge.touchedConversations.insert(sessionID)
        }
    }

    /// Returns whether the timer of a message has run out here, although the message is not deleted yet.
    private func isOverHere(_ id: EntityID, _ selection: ReplicaSelection) throws(StoreError) -> Bool {
        guard let head = try areas.messages.head(id), clock.isOver(head.expiresAt) else { return false }
        return try replica.collecting.isSelected(conversationID: head.conversationID.text, in: selection)
    }

    /// Starts the timer of a message, because another device has started it.
    private func startTimer(of row: MessageRow) throws(StoreError) {
        guard let timer = row.timer, row.expiresAt == nil else { return }
        try areas.expiries.setExpiry(of: row.place, at: clock.age + timer.lifetime.microseconds)
        record(.message, .updated, id: row.id.text, parent: row.conversationID.text, kindName: row.kind)
    }

    private func make(
        _ id: EntityID, _ content: MessageContent, _ mark: inout MessageMark, _ merge: inout ReplicaMergeStep
    ) throws(StoreError) {
        let body = try WholeMessage(body: content.body)
        // A message that its timer has deleted does not come back from a device on which the timer started later or not
        // at all. It comes back only if it has no timer any more.
        guard !mark.isOver || body.timer == nil else { return }
        let expiresAt = expiry(received: content, body, mark, merge)
        if let expiresAt, expiresAt <= clock.age {
            mark = .over(generation: mark.generation)
            return
        }
        guard try !areas.retention.isDue(body.timestamp, id, inConversationOf: content.sessionID) else { return }
        let conversation = try ensureConversation(content.sessionID, &merge)
        try areas.conversations.keepUpdateTime(of: conversation.number, &merge.keeping)
        let message = try body.whole(id, content.progress)
        try replica.contents.linkContents(of: body.attachments)
        try areas.messages.insert(message, expiresAt, in: conversation)
        try replica.contents.recordContentsEndingGrace(of: body.attachments, merge)
        mark.isOver = false
        mark.isTimerStarted = false
        mark.recordMergeState(content)
    }

    /// Returns the age of the store at which a received message has to be deleted; `nil` if its timer does not run. The
    /// timer continues with the time that was left on the other device, minus the time for which the record was
    /// certainly on its way.
    private func expiry(
        received content: MessageContent, _ body: WholeMessage, _ mark: MessageMark, _ merge: ReplicaMergeStep
    ) -> Int64? {
        guard let lifetime = body.timer?.lifetime.microseconds else { return nil }
        let remaining = content.remaining ?? (mark.isTimerStarted ? lifetime : nil)
        return remaining.map { clock.age + max(0, min($0, lifetime) - merge.transit) }
    }

    private func merge(
        _ received: MessageContent, into old: MessageRow, _ mark: inout MessageMark, _ merge: inout ReplicaMergeStep
    ) throws(StoreError) {
        guard let sessionID = try replica.collecting.sessionID(of: old.conversation) else { return }
        let own = try replica.collecting.replicaContent(of: old, sessionID, mark)
        let receivedMessage = try WholeMessage(body: received.body)
        // Compare the received message in the form in which this store would write it, so that equal contents have
        // equal bytes.
        var incoming = received
        incoming.body = receivedMessage.body
        let isReplaced = incoming.says(insteadOf: own)
        try replica.lostEdits.compare(
            old.id, TextChange(stamp: own.stamp, text: old.text),
            with: TextChange(stamp: incoming.stamp, text: receivedMessage.text), replacing: incoming.basis,
            isReplaced: isReplaced)
        var merged = isReplaced ? incoming : own
        merged.progress = own.progress.merged(with: incoming.progress)
        let body = try WholeMessage(body: merged.body)
        // If the timer that the merged message has runs on both sides, the earlier end counts.
        let ends = [
            old.timer == body.timer ? old.expiresAt : nil,
            receivedMessage.timer == body.timer ? expiry(received: incoming, body, mark, merge) : nil,
        ]
        let expiresAt = ends.compactMap { $0 }.min()
        merged.remaining = own.remaining
        guard merged != own || expiresAt != old.expiresAt else {
            return try replica.contents.recordContents(of: body.attachments, insteadOf: body.attachments, merge)
        }
        mark.recordMergeState(merged)
        let conversation = try ensureConversation(merged.sessionID, &merge)
        try areas.conversations.keepUpdateTime(of: conversation.number, &merge.keeping)
        try areas.conversations.keepUpdateTime(of: old.conversation, &merge.keeping)
        merge.touchedConversations.insert(sessionID)
        var row = MessageRow(
            try body.whole(old.id, merged.progress), in: conversation, sequence: old.sequence)
        row.reactions = old.reactions
        row.attachments =
            try AttachmentRows.isSame(old.attachments, as: body.attachments, connection)
            ? old.attachments : body.attachments.isEmpty ? nil : Int64(nextRevision)
        row.expiresAt = row.timer == nil ? nil : expiresAt
        if row.timer != nil, row.expiresAt == nil {
            row.expiresAt = try areas.expiries.expiry(of: row, replacing: old)
        }
        if row.attachments != old.attachments {
            let before = try AttachmentRows.readWhole(old.attachments, connection)
            try replica.contents.linkContents(of: body.attachments)
            try areas.attachments.replaceAttachments(
                old.attachments, by: body.attachments, list: row.attachments, at: row.place)
            try replica.contents.recordContentsEndingGrace(of: body.attachments, insteadOf: before, merge)
        } else {
            try replica.contents.recordContents(of: body.attachments, insteadOf: body.attachments, merge)
        }
        if try areas.messages.write(row, over: old) {
            try areas.retention.scheduleOldestDeletion(row, under: conversation.retention)
        }
    }
}

extension MessageMark {
    /// Records the parts of a merged message that its row does not contain.
    fileprivate mutating func recordMergeState(_ content: MessageContent) {
        stamp = content.stamp
        restarts = content.progress.restarts
    }
}

extension WholeMessage {
    /// Returns this message, which was decoded from the body of a record, with the values that the record has outside
    /// of the body.
    fileprivate func whole(_ id: EntityID, _ progress: MessageProgress) throws(StoreError) -> WholeMessage {
        var message = self
        message.id = id
        message.status = try MessageStatus(replicaStep: progress.step)
        message.isRead = progress.isRead
        return message
    }
}
