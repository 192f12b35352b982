import ReplicaModel
import SQLCipher
import StoreBasics

/// The part of replication that collects local changes into batches for the other devices.
struct ReplicaCollecting: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Makes batches of local changes. This happens after the commits of the changes, so no client's request waits for it.
extension ReplicaCollecting {
    /// The number of payload bytes at which a batch ends. A single record may be longer.
    static var replicaBatchBytes: Int { 256 << 10 }

    /// Collects as many changes as fit in a step.
    ///
    /// - Parameter writes: True if the row of the group has already changed.
    /// - Returns: True if nothing is left to collect.
    func collectChanges(
        _ group: inout ReplicaGroupRow, _ order: ReplicaOrder, writing writes: Bool = false
    ) throws(StoreError) -> Bool {
        let (through, sequence) = (group.collectedThrough, group.lastSequence)
        let isComplete = try collectNext(&group, order)
        if writes || group.collectedThrough != through || group.lastSequence != sequence {
            try group.write(connection)
        }
        return isComplete
    }

    private func collectNext(
        _ group: inout ReplicaGroupRow, _ order: ReplicaOrder
    ) throws(StoreError) -> Bool {
        // Remove the rows of messages that were deleted with their conversation. This records the ids of the messages,
        // by which the removals are published below.
        guard try removeUnreachableMessages() else { return false }
        var collector = ReplicaCollector(group, now: stampTime)
        let through = try collectEntries(after: group.collectedThrough, order, &collector)
        collector.changedAt = stampTime
        var isDone = try collectUnsentRemovals(&collector)
        if through == statistics.revision {
            isDone = try replica.logs.collectLogs(&collector) && isDone
            isDone = try collectBehindChanges(order, &collector) && isDone
        }
        try collector.states.write(connection)
        group.collectedThrough = through
        try replica.channels.seal(collector.payload, &group)
        for name in collector.overtaken {
            try keepLatestTouch(of: name, &collector.states)
        }
        return isDone && through == statistics.revision
    }

    /// Stamps changes made while the store is in no group, as many as fit in a step. Puts nothing into a batch.
    ///
    /// - Returns: True if nothing is left to stamp.
    func stampChanges(outside former: inout FormerGroupRow) throws(StoreError) -> Bool {
        guard try removeUnreachableMessages() else { return false }
        var collector = ReplicaCollector(former, now: stampTime)
        let through = try collectEntries(after: former.collectedThrough, .recordsFirst, &collector)
        collector.changedAt = stampTime
        var isDone = try collectUnsentRemovals(&collector)
        if through == statistics.revision {
            isDone = try replica.files.publishPaths(.recordsFirst, &collector) && isDone
        }
        try collector.states.write(connection)
        former.collectedThrough = through
        return isDone && through == statistics.revision
    }

    /// Gives the contact or conversation in this store the latest time of update that its state has. The last local
    /// change may have an earlier time, because the clock was slow.
    private func keepLatestTouch(
        of name: ThingName, _ states: inout ReplicaStates
    ) throws(StoreError) {
        guard let present = try replica.things.present(name) else { return }
        let state = try states.state(of: name, connection)
        switch name.kind {
        case .contact: try replica.merging.apply(ThingState.Outcome(), toContact: name.parts[0], state)
        case .conversation: try replica.merging.makeConversation(name.parts[0], present.values, state)
        case .draft, .sceneValue, .reaction, .file, .log, .member: break
        }
    }

    /// Collects entries of the change log. Many commits make one batch, because sealing, storing and transferring a
    /// batch costs about the same for one change as for many.
    ///
    /// - Returns: The revision up to which all changes are in the batch.
    private func collectEntries(
        after revision: UInt64, _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> UInt64 {
        var through = revision
        while through < statistics.revision {
            for change in try uncollectedChanges(after: through) {
                guard collector.payload.count < Self.replicaBatchBytes, through == revision || !slice.isOver else {
                    return through
                }
                // If the clock was ahead at the commit and is correct now, the change gets at most the present time.
                collector.changedAt = min(change.changedAt, stampTime)
                if !change.isRepeated {
                    guard try collect(change, through + 1, order, &collector) else { return through }
                }
                through += 1
            }
        }
        return through
    }

    /// Returns the next changes, at least one, including changes of this transaction.
    private func uncollectedChanges(after revision: UInt64) throws(StoreError) -> [UncollectedChange] {
        let firstHere = statistics.revision - UInt64(transaction.changes.count) + 1
        guard revision + 1 < firstHere else {
            let entries = transaction.changes.dropFirst(Int(revision + 1 - firstHere))
            return UncollectedChange.looked(at: entries.map { UncollectedChange(entry: $0, changedAt: stampTime) })
        }
        let rows = try connection.rows(Self.commitsBehind, revision + 1)
        guard try rows.next(), rows.unsigned(0) <= revision + 1 else {
            throw .databaseDamaged("changes that are not published yet are missing")
        }
        let skipped = revision + 1 - rows.unsigned(0)
        var found = try Self.changes(rows)
        guard skipped < UInt64(found.count) else {
            throw .databaseDamaged("a commit has fewer changes than it declares")
        }
        let first = rows.unsigned(0)
        // Commits with consecutive revisions are read together. A gap between two commits ends the read.
        while found.count < Self.entriesOfLook, try rows.next(), rows.unsigned(0) == first + UInt64(found.count) {
            found += try Self.changes(rows)
        }
        return UncollectedChange.looked(at: Array(found.dropFirst(Int(skipped))))
    }

    /// Decodes a row of the change log, which contains the changes of one commit.
    private static func changes(_ row: borrowing Rows) throws(StoreError) -> [UncollectedChange] {
        let changedAt = row.timestamp(2)
        return try ChangeCodec.decode(row.borrowedBytes(1)).map {
            UncollectedChange(entry: $0, changedAt: changedAt)
        }
    }

    private static let entriesOfLook = 64

    /// Collects what has no entry in the change log: trees of paths, and contents.
    ///
    /// - Returns: True if nothing is left to collect.
    private func collectBehindChanges(
        _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        guard try replica.contents.maintainStagedContents(&collector.states),
            try replica.files.publishPaths(order, &collector)
        else { return false }
        guard order == .contentsFirst else { return true }
        guard try replica.contents.resolvePendingFiles(&collector) else { return false }
        try replica.contents.askForContents(&collector)
        guard try replica.contents.publishPieces(&collector) else { return false }
        return try collectDelayedMessages(&collector)
    }

    /// Collects one change.
    ///
    /// - Returns: False if the next step has to continue it.
    private func collect(
        _ change: UncollectedChange, _ revision: UInt64, _ order: ReplicaOrder, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> Bool {
        let entry = change.entry
        switch entry.kind {
        case .file:
            return try replica.files.collectFile(entry, revision, order, &collector)
        case .message:
            let row = try areas.messages.findMessage(EntityID(trusted: entry.id))
            if let row, let sessionID = try collector.sessionID(of: row.conversation, connection),
                collector.selection.contains(.conversations, sessionID)
            {
                let attachments = try AttachmentRows.readWhole(row.attachments, connection)
                guard try replica.contents.publishContents(of: attachments, order, &collector) else { return false }
            }
            try collectMessage(entry, as: row, &collector)
        case .reaction, .draft:
            let attachments = try isSelected(entry, in: collector.selection) ? attachments(named: entry) : []
            guard try replica.contents.publishContents(of: attachments, order, &collector) else { return false }
            try collect(change, &collector)
        case .contact, .conversation, .sceneValue, .store, .log, .member:
            try collect(change, &collector)
        }
        return true
    }

    /// Returns the attachments that the changed message or draft has now.
    private func attachments(named entry: ChangeEntry) throws(StoreError) -> [NewAttachment] {
        let text = entry.kind == .draft ? Self.draftAttachments : Self.messageAttachments
        return try AttachmentRows.readWhole(connection.first(text, entry.id)?.optionalInteger(0), connection)
    }

    private func collect(
        _ change: UncollectedChange, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        let entry = change.entry
        switch entry.kind {
        case .contact:
            try collectNamed(.contact, change, &collector)
        case .conversation:
            try collectNamed(.conversation, change, &collector)
        case .reaction:
            try collectReactions(to: entry.id, entry.detail, &collector)
        case .draft:
            guard let sessionID = try sessionID(.conversation, id: entry.id),
                collector.selection.contains(.conversations, sessionID)
            else { return }
            try collectOwned(ThingName(.draft, sessionID), &collector)
        case .member:
            guard let sessionID = try sessionID(.conversation, id: entry.parent),
                collector.selection.contains(.conversations, sessionID)
            else { return }
            try collectOwned(ThingName(.member, sessionID, entry.id), &collector)
        case .sceneValue where !collector.selection.contains(.scenes, entry.parent):
            break
        case .sceneValue where entry.operation == .cleared:
            for name in try ReplicaThingRows.names(.sceneValue, beginningWith: [entry.parent], connection) {
                try collectValue(name, &collector)
            }
        case .sceneValue:
            try collectValue(ThingName(.sceneValue, entry.parent, entry.id), &collector)
        case .log:
            try replica.logs.collectLog(entry, &collector)
        case .store, .file, .message:
            break
        }
    }

    /// Returns the session id of a contact or a conversation, even if the contact or conversation has been deleted;
    /// `nil` if the store knows no session id for the id.
    ///
    /// - Parameter id: The id of the contact or conversation, as the change log contains it.
    func sessionID(_ kind: ThingKind, id: String) throws(StoreError) -> String? {
        let text = kind == .contact ? Self.contactSession : Self.conversationSession
        if let row = try connection.first(text, id) { return try row.text(0) }
        return try ReplicaNameRows.sessionID(kind, id: id, connection)
    }

    private func collectNamed(
        _ kind: ThingKind, _ change: UncollectedChange, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        guard let sessionID = try sessionID(kind, id: change.entry.id),
            collector.selection.contains(kind == .contact ? .contacts : .conversations, sessionID)
        else { return }
        let name = ThingName(kind, sessionID)
        let present = try replica.things.present(name)
        if let present {
            try recordSessionID(kind, present, sessionID: sessionID)
        }
        let isRemoval = change.entry.operation == .deleted
        // A conversation's removal also removes its draft and its members, even if their stamps are ahead of the clock.
        let mayOwn = kind == .conversation && (isRemoval || present == nil)
        let owned = mayOwn ? try ownedThings(of: sessionID, &collector) : []
        var ownedTime: UInt64 = 0
        for name in owned {
            ownedTime = max(ownedTime, try collector.states.state(of: name, connection).newestTime)
        }
        let captured = try collector.capture(
            name, as: present, wasRemoved: isRemoval, in: change.scope, after: ownedTime, connection)
        guard let record = captured else { return }
        if isRemoval {
            try removeStates(of: owned, &collector)
        }
        collector.add(.thing(record))
    }

    /// Returns the name of a conversation's draft, which need not exist, and the names of members that have a state.
    private func ownedThings(
        of sessionID: String, _ collector: inout ReplicaCollector
    ) throws(StoreError) -> [ThingName] {
        try collector.states.write(connection)
        let members = try ReplicaThingRows.names(.member, beginningWith: [sessionID], connection)
        return [ThingName(.draft, sessionID)] + members
    }

    /// Forgets the states of a draft and of members that were removed with their conversation. The batch needs no
    /// records about them, because the record of the conversation's removal also removes them.
    private func removeStates(of owned: [ThingName], _ collector: inout ReplicaCollector) throws(StoreError) {
        for name in owned where try replica.things.present(name) == nil {
            try collector.states.forget(name.kind, beginningWith: name.parts, connection)
        }
    }

    /// Collects a draft or a member.
    private func collectOwned(_ name: ThingName, _ collector: inout ReplicaCollector) throws(StoreError) {
        let sessionID = name.parts[0]
        if try replica.things.present(ThingName(.conversation, sessionID)) != nil {
            try collector.publishConversation(sessionID, replica)
        }
        // The draft or member needs a stamp after the removal of its conversation, or that removal would delete it.
        let conversation = try collector.states.state(of: ThingName(.conversation, sessionID), connection)
        var state = try collector.states.state(of: name, connection)
        if state.removal < conversation.removal {
            state.remove(at: conversation.removal)
            collector.states.set(state, of: name)
        }
        try collectValue(name, &collector)
    }

    private func collectValue(
        _ name: ThingName, _ collector: inout ReplicaCollector
    ) throws(StoreError) {
        let present = try replica.things.present(name)
        let scope = ChangeScope(changed: .all)
        guard let record = try collector.capture(name, as: present, wasRemoved: false, in: scope, connection)
        else { return }
        collector.add(.thing(record))
    }

    private static let commitsBehind = StatementText(
        """
        SELECT first_revision, entries, ifnull(stamped_at, committed_at) FROM changes
        WHERE last_revision >= ?1
            AND first_revision >= (SELECT max(first_revision) FROM changes WHERE first_revision <= ?1)
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
