import ReplicaModel
import SQLCipher
import StoreBasics

/// Collects messages that were changed here, with their reactions.
extension ReplicaCollecting {
    /// Collects a message that was saved, changed or removed, and that may exist again.
    ///
    /// - Parameter row: The message as it is now; `nil` if it does not exist.
    func collectMessage(
        _ entry: ChangeEntry, as row: MessageRow?, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        let (id, conversationID) = (entry.id, entry.parent)
        let cause = entry.operation == .deleted ? entry.cause : nil
        let known = try ReplicaMessageRows.read(id, connection)
        var mark = known
        guard let row, let sessionID = try collector.sessionID(of: row.conversation, connection) else {
            // Without a cause, the message was removed with its conversation, and `collectUnsentRemovals` publishes the
            // removal.
            guard let cause, try isSelected(conversationID: conversationID, in: collector.selection) else { return }
            // The deletion has changed the conversation here even if another device had removed the message before.
            try publishConversation(id: conversationID, &collector)
            guard !mark.isRemoved else { return }
            try collectRemoval(of: id, mark.generation, because: cause, &collector)
            return
        }
        let isRemoval = cause != nil
        guard collector.selection.contains(.conversations, sessionID) else { return }
        let isNextGeneration = isRemoval || mark.isRemoved || mark.isOver
        if isNextGeneration {
            mark.startNextGeneration()
        }
        try publishConversation(id: conversationID, &collector)
        try collector.publishConversation(sessionID, replica)
        if entry.detail == .messageContent, mark.stamp.time < HybridClock.time(at: collector.changedAt) {
            mark.isChanged = true
        }
        let content = try content(of: row, sessionID, &mark, collector)
        try ReplicaMessageRows.write(mark, insteadOf: known, of: id, connection)
        let attachments = try AttachmentRows.readWhole(row.attachments, connection)
        guard try !replica.contents.isAwaited(by: attachments) else {
            return try DelayedMessageRows.insert(id, connection)
        }
        collector.add(.message(MessageRecord(id: id, generation: mark.generation, content: content)))
        if isNextGeneration, row.reactions != nil {
            try collectReactions(to: id, .none, &collector)
        }
    }

    /// Collects messages that have waited until their large contents were published, with the reactions that were added
    /// meanwhile.
    ///
    /// - Returns: False if the next step has to continue.
    func collectDelayedMessages(_ collector: inout ReplicaCollector) throws(StoreError) -> Bool {
        var last = ""
        while true {
            let ids = try DelayedMessageRows.next(after: last, limit: EngineLimits.stepRowsMax, connection)
            for id in ids {
                guard collector.payload.count < Self.replicaBatchBytes else { return false }
                try collectDelayedMessage(id, &collector)
            }
            guard ids.count == EngineLimits.stepRowsMax, let end = ids.last else { return true }
            last = end
        }
    }

    private func collectDelayedMessage(_ id: String, _ collector: inout ReplicaCollector) throws(StoreError) {
        guard let row = try areas.messages.findMessage(EntityID(trusted: id)),
            let sessionID = try collector.sessionID(of: row.conversation, connection),
            collector.selection.contains(.conversations, sessionID)
        else { return try DelayedMessageRows.delete(id, connection) }
        let attachments = try AttachmentRows.readWhole(row.attachments, connection)
        guard try !replica.contents.isAwaited(by: attachments) else { return }
        try DelayedMessageRows.delete(id, connection)
        let mark = try ReplicaMessageRows.read(id, connection)
        try collector.publishConversation(sessionID, replica)
        let content = try replicaContent(of: row, sessionID, mark)
        collector.add(.message(MessageRecord(id: id, generation: mark.generation, content: content)))
        try collectReactions(to: id, .none, &collector)
    }

    /// Publishes the deletion by an application as a final removal. A deletion by a timer or by the conversation's
    /// retention is not published, because every device decides on it with the time that it trusts. After a deletion by
    /// a timer, a record only reports that the timer was started, in case no record said so while the message existed.
    private func collectRemoval(
        of id: String, _ generation: UInt64, because cause: ChangeCause, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        try collector.states.forget(.reaction, beginningWith: [id], connection)
        var mark = MessageMark()
        mark.generation = generation
        switch cause {
        case .request:
            mark = .removed(generation: generation)
            collector.add(.message(MessageRecord(id: id, generation: generation, content: nil)))
        case .timer:
            mark = .over(generation: generation)
            collector.add(
                .message(MessageRecord(id: id, generation: generation, content: nil, isTimerStarted: true)))
        case .retention:
            break
        }
        try ReplicaMessageRows.write(mark, of: id, connection)
    }

    /// Publishes a conversation from which a message was removed or moved, because its time of update has changed.
    private func publishConversation(id: String, _ collector: inout ReplicaCollector) throws(StoreError) {
        guard collector.beginConversation(id: id), let sessionID = try sessionID(.conversation, id: id),
            try replica.things.present(ThingName(.conversation, sessionID)) != nil
        else { return }
        try collector.publishConversation(sessionID, replica)
    }

    /// Returns the content of a message for its record. If the message was changed, its mark gets a new stamp.
    private func content(
        of row: MessageRow, _ sessionID: String, _ mark: inout MessageMark, _ collector: ReplicaCollector
    ) throws(StoreError) -> MessageContent {
        guard mark.isChanged else { return try replicaContent(of: row, sessionID, mark) }
        let basis = mark.stamp
        mark.stamp = collector.stamp(after: basis.time)
        mark.isChanged = false
        // The new edit replaces this device's earlier edit, even if the earlier edit was stored as a lost edit.
        try LostEditRows.delete(at: .message, row.id.text, by: collector.device, connection)
        var content = try replicaContent(of: row, sessionID, mark)
        content.basis = basis
        return content
    }

    /// Returns the content of a message in the form that records have.
    func replicaContent(
        of row: MessageRow, _ sessionID: String, _ mark: MessageMark
    ) throws(StoreError) -> MessageContent {
        let attachments = try AttachmentRows.readWhole(row.attachments, connection)
        return MessageContent(
            sessionID: sessionID, stamp: mark.stamp, body: WholeMessage(row, attachments).body,
            progress: MessageProgress(
                restarts: mark.restarts, isRead: row.isRead, step: row.status.replicaStep),
            remaining: row.expiresAt.map { max(0, $0 - clock.age) })
    }

    func sessionID(of conversation: Int64) throws(StoreError) -> String? {
        try Self.sessionID(of: conversation, connection)
    }

    static func sessionID(of conversation: Int64, _ connection: Connection) throws(StoreError) -> String? {
        try connection.first(sessionOfNumber, conversation)?.text(0)
    }

    /// Collects added and removed reactions of a message.
    ///
    /// - Parameter detail: Names the reaction that the change is about.
    func collectReactions(
        to id: String, _ detail: ChangeDetail, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        guard let row = try areas.messages.findMessage(EntityID(trusted: id)),
            let sessionID = try sessionID(of: row.conversation),
            collector.selection.contains(.conversations, sessionID)
        else { return }
        // Other devices do not accept reactions to a message that they do not have, so the reactions to a delayed
        // message are published with the message.
        guard try !DelayedMessageRows.isThere(id, connection) else { return }
        let known = try ReplicaMessageRows.read(id, connection)
        var mark = known
        if mark.isRemoved || mark.isOver {
            // A later change recreates the message, and its record includes the reactions.
            return
        }
        let generation = String(mark.generation)
        try collector.states.write(connection)
        var names = Set(try ReplicaThingRows.names(.reaction, beginningWith: [id, generation], connection))
        let rows = try connection.rows(Self.reactions, row.sequence)
        while try rows.next() {
            names.insert(ThingName(.reaction, id, generation, try rows.text(0), try rows.text(1)))
        }
        var records: [ThingRecord] = []
        for name in names.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            let present = try replica.things.present(name)
            let isChanged = ChangeDetail(reactionOf: name.parts[2], emoji: name.parts[3]) == detail
            let scope = ChangeScope(changed: isChanged ? .all : [])
            if let record = try collector.capture(name, as: present, wasRemoved: false, in: scope, connection) {
                records.append(record)
            }
        }
        guard !records.isEmpty else { return }
        try collector.publishConversation(sessionID, replica)
        let content = try content(of: row, sessionID, &mark, collector)
        try ReplicaMessageRows.write(mark, insteadOf: known, of: id, connection)
        collector.add(.message(MessageRecord(id: id, generation: mark.generation, content: content)))
        records.forEach { collector.add(.thing($0)) }
    }

    private static let sessionOfNumber = StatementText("SELECT session_id FROM conversations WHERE number = ?1")
    private static let reactions = StatementText(
        "SELECT author, emoji FROM reactions WHERE message_sequence = ?1 ORDER BY revision")
}

extension StoreError {
    static var notReplicated: StoreError {
        StoreError(.replicaGroupAbsent, "the store belongs to no replica group; create or join one first")
    }
}
