import ReplicaModel
import SQLCipher
import StoreBasics

/// Makes batches of what was changed here, behind the commits of those who changed it: no request waits for it.
extension WriteSession {
    /// Payload bytes of a batch after which it ends. One record alone may be more.
    static var replicaBatchBytes: Int { 256 << 10 }

    /// Collects as much as fits a step.
    ///
    /// - Parameter writes: the group has changed already.
    /// - Returns: whether nothing is left, or of contents more than can wait.
    mutating func collectChanges(
        _ group: inout ReplicaGroupRow, _ order: ReplicaOrder, writing writes: Bool = false
    ) throws(StoreError) -> Bool {
        let (through, sequence, clock) = (group.collectedThrough, group.lastSequence, group.clock)
        let isComplete = try collectNext(&group, order)
        if writes || group.collectedThrough != through || group.lastSequence != sequence || group.clock != clock {
            try group.write(connection)
        }
        return isComplete
    }

    private mutating func collectNext(
        _ group: inout ReplicaGroupRow, _ order: ReplicaOrder
    ) throws(StoreError) -> Bool {
        // What went with its conversation is told by its id.
        guard try removeUnreachableMessages() else { return false }
        var collector = ReplicaCollector(group, now: now)
        let through = try collectEntries(after: group.collectedThrough, order, &collector)
        var isTold = try collectUntold(&collector)
        if through == statistics.revision {
            isTold = try collectLogs(&collector) && isTold
            isTold = try collectBehindChanges(order, &collector) && isTold
        }
        try collector.states.write(connection)
        group.clock = collector.clock
        group.collectedThrough = through
        try seal(collector.payload, &group)
        for name in collector.overtaken {
            try keepLatestTouch(of: name, &collector.states)
        }
        return isTold && through == statistics.revision
    }

    /// All stores have the latest touch, also the one that touched last by a clock that is behind.
    private mutating func keepLatestTouch(
        of name: ThingName, _ states: inout ReplicaStates
    ) throws(StoreError) {
        guard let present = try present(name) else { return }
        let state = try states.state(of: name, connection)
        switch name.kind {
        case .contact: try apply(ThingState.Outcome(), toContact: name.parts[0], state)
        case .conversation: try makeConversation(name.parts[0], present.values, state)
        case .draft, .sceneValue, .reaction, .file, .log: break
        }
    }

    /// Many commits make one batch: sealing, keeping and handing it in cost about the same for one change as for many.
    ///
    /// - Returns: up to where all changes are in the batch.
    private mutating func collectEntries(
        after revision: UInt64, _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> UInt64 {
        var through = revision
        while through < statistics.revision {
            for entry in try uncollectedEntries(after: through) {
                guard collector.payload.count < Self.replicaBatchBytes, through == revision || !slice.isOver,
                    try collect(entry, through + 1, order, &collector)
                else { return through }
                through += 1
            }
        }
        return through
    }

    /// The next changes, some at least, those of this transaction with them.
    private func uncollectedEntries(after revision: UInt64) throws(StoreError) -> ArraySlice<ChangeEntry> {
        let firstHere = statistics.revision - UInt64(changes.count) + 1
        guard revision + 1 < firstHere else { return changes.dropFirst(Int(revision + 1 - firstHere)) }
        let rows = try connection.rows(Self.commitsBehind, revision + 1)
        guard try rows.next() else { throw .databaseDamaged("changes are missing that were not told to the group yet") }
        let skipped = revision + 1 - rows.unsigned(0)
        var entries = try ChangeCodec.decode(rows.borrowedBytes(1))
        guard skipped < UInt64(entries.count) else { throw .databaseDamaged("a commit has fewer changes than it says") }
        let first = rows.unsigned(0)
        // Commits of one change each are read together. What is missing between them is met by the next look.
        while entries.count < Self.entriesOfLook, try rows.next(), rows.unsigned(0) == first + UInt64(entries.count) {
            entries += try ChangeCodec.decode(rows.borrowedBytes(1))
        }
        return entries.dropFirst(Int(skipped))
    }

    private static let entriesOfLook = 64

    /// What no change tells of: paths that are to be told, and contents.
    ///
    /// - Returns: whether nothing is left.
    private mutating func collectBehindChanges(
        _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        guard try lookAfterStaged(&collector.states), try tellPaths(order, &collector) else { return false }
        guard order == .contentsFirst else { return true }
        try settleWantedFiles(&collector)
        try askForContents(&collector)
        return try tellContents(&collector, orAgain: true)
    }

    /// - Returns: false where it goes on in the next step.
    private mutating func collect(
        _ entry: ChangeEntry, _ revision: UInt64, _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        switch entry.kind {
        case .file:
            return try collectFile(entry, revision, order, &collector)
        case .message:
            let row = try findMessage(EntityID(trusted: entry.id))
            if let row, let sessionID = try collector.sessionID(of: row.conversation, self),
                collector.selection.contains(.conversations, sessionID)
            {
                let attachments = try AttachmentRows.readWhole(row.attachments, connection)
                guard try tellContents(of: attachments, order, &collector) else { return false }
            }
            let isRemoval = entry.operation == .deleted
            try collectMessage(
                entry.id, as: row, conversationID: entry.parent, isRemoval: isRemoval, &collector)
        case .reaction, .draft:
            let attachments = try takesPart(entry, in: collector.selection) ? attachments(named: entry) : []
            guard try tellContents(of: attachments, order, &collector) else { return false }
            try collect(entry, &collector)
        case .contact, .conversation, .sceneValue, .store, .log:
            try collect(entry, &collector)
        }
        return true
    }

    /// Those that what changed has now.
    private func attachments(named entry: ChangeEntry) throws(StoreError) -> [NewAttachment] {
        let text = entry.kind == .draft ? Self.draftAttachments : Self.messageAttachments
        return try AttachmentRows.readWhole(connection.first(text, entry.id)?.optionalInteger(0), connection)
    }

    private mutating func collect(_ entry: ChangeEntry, _ collector: inout ReplicaCollector) throws(StoreError) {
        let isRemoval = entry.operation == .deleted
        switch entry.kind {
        case .contact:
            try collectNamed(.contact, id: entry.id, isRemoval: isRemoval, &collector)
        case .conversation:
            try collectNamed(.conversation, id: entry.id, isRemoval: isRemoval, &collector)
        case .reaction:
            try collectReactions(to: entry.id, &collector)
        case .draft:
            guard let sessionID = try sessionID(.conversation, id: entry.id),
                collector.selection.contains(.conversations, sessionID)
            else { return }
            try collectDraft(of: sessionID, &collector)
        case .sceneValue where !collector.selection.contains(.scenes, entry.parent):
            break
        case .sceneValue where entry.operation == .cleared:
            for name in try ReplicaThingRows.names(.sceneValue, beginningWith: [entry.parent], connection) {
                try collectValue(name, &collector)
            }
        case .sceneValue:
            try collectValue(ThingName(.sceneValue, entry.parent, entry.id), &collector)
        case .log:
            try collectLog(entry.id, &collector)
        case .store, .file, .message:
            break
        }
    }

    /// - Parameter id: that changes name it by.
    func sessionID(_ kind: ThingKind, id: String) throws(StoreError) -> String? {
        let text = kind == .contact ? Self.contactSession : Self.conversationSession
        if let row = try connection.first(text, id) { return try row.text(0) }
        return try ReplicaNameRows.sessionID(kind, id: id, connection)
    }

    private mutating func collectNamed(
        _ kind: ThingKind, id: String, isRemoval: Bool, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        guard let sessionID = try sessionID(kind, id: id),
            collector.selection.contains(kind == .contact ? .contacts : .conversations, sessionID)
        else { return }
        let name = ThingName(kind, sessionID)
        let present = try present(name)
        if let present {
            try noteName(kind, present, sessionID: sessionID)
        }
        guard let record = try collector.capture(name, as: present, wasRemoved: isRemoval, connection) else { return }
        if kind == .conversation, isRemoval {
            try removeDraftState(of: sessionID, &collector)
        }
        collector.add(.thing(record))
    }

    /// The draft of a conversation goes with it, without a record of its own.
    private mutating func removeDraftState(
        of sessionID: String, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        let name = ThingName(.draft, sessionID)
        guard try present(name) == nil else { return }
        try collector.states.forget(.draft, beginningWith: [sessionID], connection)
    }

    private mutating func collectDraft(
        of sessionID: String, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        if try present(ThingName(.conversation, sessionID)) != nil {
            try collector.tellConversation(sessionID, self)
        }
        // Behind the removal of its conversation, which would take it else.
        let conversation = try collector.states.state(of: ThingName(.conversation, sessionID), connection)
        let name = ThingName(.draft, sessionID)
        var state = try collector.states.state(of: name, connection)
        if state.removal < conversation.removal {
            state.remove(at: conversation.removal)
            collector.states.set(state, of: name)
        }
        try collectValue(name, &collector)
    }

    private mutating func collectValue(
        _ name: ThingName, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        let present = try present(name)
        guard let record = try collector.capture(name, as: present, wasRemoved: false, connection) else { return }
        collector.add(.thing(record))
    }

    private static let commitsBehind = StatementText(
        """
        SELECT first_revision, entries FROM changes WHERE last_revision >= ?1 AND first_revision >=
            (SELECT max(first_revision) FROM changes WHERE first_revision <= ?1)
        ORDER BY first_revision
        """)
    private static let messageAttachments = StatementText("SELECT attachments FROM messages WHERE id = ?1")
    private static let draftAttachments = StatementText(
        """
        SELECT d.attachments FROM conversations AS c CROSS JOIN conversation_drafts AS d ON d.conversation = c.number
        WHERE c.id = ?1
        """)
    private static let contactSession = StatementText("SELECT session_id FROM contacts WHERE id = ?1")
    private static let conversationSession = StatementText("SELECT session_id FROM conversations WHERE id = ?1")
}

extension WriteSession {
    /// A message was saved, changed or removed, and may be there again.
    ///
    /// - Parameter row: as it is now; `nil` where there is none.
    private mutating func collectMessage(
        _ id: String, as row: MessageRow?, conversationID: String, isRemoval: Bool,
        _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        let known = try ReplicaMessageRows.read(id, connection)
        var mark = known
        guard let row, let sessionID = try collector.sessionID(of: row.conversation, self) else {
            // Others that are gone went with their conversation.
            guard isRemoval, try takesPart(conversationID: conversationID, in: collector.selection) else { return }
            // One that others have removed before its time was over here has changed its conversation all the same.
            try tellConversation(id: conversationID, &collector)
            guard !mark.isRemoved else { return }
            try collectRemoval(of: id, mark.generation, &collector)
            return
        }
        guard collector.selection.contains(.conversations, sessionID) else { return }
        let isNextGeneration = isRemoval || mark.isRemoved
        if isNextGeneration {
            mark.startNextGeneration()
        }
        try tellConversation(id: conversationID, &collector)
        try collector.tellConversation(sessionID, self)
        let content = try content(of: row, sessionID, &mark, &collector)
        try ReplicaMessageRows.write(mark, insteadOf: known, of: id, connection)
        collector.add(.message(MessageRecord(id: id, generation: mark.generation, content: content)))
        if isNextGeneration, row.reactions != nil {
            try collectReactions(to: id, &collector)
        }
    }

    private func collectRemoval(
        of id: String, _ generation: UInt64, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        try ReplicaMessageRows.write(.removed(generation: generation), of: id, connection)
        try collector.states.forget(.reaction, beginningWith: [id], connection)
        collector.add(.message(MessageRecord(id: id, generation: generation, content: nil)))
    }

    /// When the conversation counts as updated has changed, from which a message was removed or moved.
    private func tellConversation(id: String, _ collector: inout ReplicaCollector) throws(StoreError) {
        guard collector.beginConversation(id: id), let sessionID = try sessionID(.conversation, id: id),
            try present(ThingName(.conversation, sessionID)) != nil
        else { return }
        try collector.tellConversation(sessionID, self)
    }

    /// What is to be told of a message, with a stamp where what it says was changed.
    private func content(
        of row: MessageRow, _ sessionID: String, _ mark: inout MessageMark, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> MessageContent {
        if mark.isChanged {
            mark.stamp = collector.stamp(after: mark.stamp.time)
            mark.isChanged = false
        }
        return try replicaContent(of: row, sessionID, mark)
    }

    /// A message as records tell it.
    func replicaContent(
        of row: MessageRow, _ sessionID: String, _ mark: MessageMark
    ) throws(StoreError) -> MessageContent {
        let attachments = try AttachmentRows.readWhole(row.attachments, connection)
        return MessageContent(
            sessionID: sessionID, stamp: mark.stamp, body: MessageBody(row, attachments).bytes,
            progress: MessageProgress(
                restarts: mark.restarts, isRead: row.isRead, step: row.status.replicaStep),
            expiresAt: row.expiresAt.map { clock.time(ofAge: $0).microseconds })
    }

    func sessionID(of conversation: Int64) throws(StoreError) -> String? {
        try connection.first(Self.sessionOfNumber, conversation)?.text(0)
    }

    /// Those that were added, and those that are gone.
    private mutating func collectReactions(
        to id: String, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        guard let row = try findMessage(EntityID(trusted: id)), let sessionID = try sessionID(of: row.conversation),
            collector.selection.contains(.conversations, sessionID)
        else { return }
        let known = try ReplicaMessageRows.read(id, connection)
        var mark = known
        if mark.isRemoved {
            // Its being there again is told behind this, with its reactions.
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
            let present = try present(name)
            if let record = try collector.capture(name, as: present, wasRemoved: false, connection) {
                records.append(record)
            }
        }
        guard !records.isEmpty else { return }
        try collector.tellConversation(sessionID, self)
        let content = try content(of: row, sessionID, &mark, &collector)
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
        StoreError(.replicaGroupAbsent, "the store belongs to no group of stores; create or join one first")
    }
}
