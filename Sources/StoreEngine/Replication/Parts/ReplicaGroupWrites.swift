import ReplicaModel
import SQLCipher
import StoreBasics
import StoreCrypto

/// The progress of remembering everything that exists when a store joins a group.
struct ReplicaStarting: WorkProgress {
    enum Place: Sendable {
        /// All kinds before this one are done, and the rows of this kind up to a number.
        case things(ThingKind, after: Int64)
        /// Edits of messages and reactions to them are done, up to a message.
        case reactions(after: MessagePlace)
        /// Files and directories of the vault up to a row are done.
        case files(after: Int64)
    }

    /// The store's revision when the work began. Later changes are collected as changes.
    var revision: UInt64
    var place = Place.things(.contact, after: .min)
}

/// The part of replication that creates, joins and leaves the replica group, and manages its members, epochs and
/// positions.
struct ReplicaGroupWrites: ReplicaPart {
    unowned let replica: ReplicaWrites

    /// Creates a group of which this store is the first member.
    func createReplicaGroup(
        _ deviceName: ReplicaDeviceName, _ selection: ReplicaSelection, after work: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<ReplicaResult> {
        try start(after: work) { (session, walk, former) throws(StoreError) in
            let keys = try mappedKeys(ReplicaDeviceKeys.generate())
            var group = session.newGroup(keys.number, deviceName, .member, selection, walk, former)
            group.id = ReplicaID.random()
            try group.insert(keys, session.connection)
            try session.startEpoch(&group, announcing: [])
            return group.device
        }
    }

    /// Asks for admission to the group to which the code is an invitation.
    func joinReplicaGroup(
        _ code: ReplicaInvitationCode, _ deviceName: ReplicaDeviceName, after work: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<ReplicaResult> {
        try start(after: work) { (session, walk, former) throws(StoreError) in
            let keys = try mappedKeys(ReplicaDeviceKeys.generate())
            var group = session.newGroup(keys.number, deviceName, .joining, .everything, walk, former)
            // If no thing was remembered, there is nothing to publish: every message is in a conversation, which is a
            // thing.
            group.walk = try ReplicaThingRows.areThere(session.connection) ? .start : nil
            try group.insert(keys, session.connection)
            try session.ask(group, keys, code)
            return group.device
        }
    }

    private func newGroup(
        _ device: UInt64, _ deviceName: ReplicaDeviceName, _ state: ReplicaGroupRow.State,
        _ selection: ReplicaSelection, _ walk: ReplicaStarting, _ former: FormerGroupRow?
    ) -> ReplicaGroupRow {
        ReplicaGroupRow(
            id: .none, device: device, deviceName: deviceName.text,
            history: statistics.history, state: state, selection: selection,
            clock: former?.clock ?? HybridClock(last: 0),
            collectedThrough: walk.revision, lastSequence: 0, lastHash: ReplicaGroupRow.noHash, storedThrough: 0,
            positionsPublishedAt: now)
    }

    /// Remembers when the existing things were last changed, as many things as fit in a step. After the last step,
    /// calls `end`, which makes the store a device of a group and returns its number.
    private func start(
        after work: (any WorkProgress)?,
        end: (ReplicaGroupWrites, ReplicaStarting, FormerGroupRow?) throws(StoreError) -> UInt64
    ) throws(StoreError) -> WorkStep<ReplicaResult> {
        guard try !ReplicaGroupRow.isThere(connection) else {
            throw StoreError(.alreadyExists, "the store already belongs to a replica group; leave that group first")
        }
        var walk = ReplicaStarting(revision: statistics.revision)
        if let begun = work as? ReplicaStarting, begun.revision >= statistics.compactedThroughRevision {
            walk = begun
        }
        let former = try FormerGroupRow.newest(connection)
        if var former {
            let isDone = try replica.collecting.stampChanges(outside: &former)
            try former.write(connection)
            guard isDone else { return .unfinished(walk) }
            walk.revision = former.collectedThrough
        }
        var isDone = false
        repeat {
            isDone = try rememberNext(&walk.place)
        } while !isDone && !slice.isOver
        guard isDone else { return .unfinished(walk) }
        if former == nil {
            try Leftovers.excludeMessagesFromPublication(connection)
        }
        return .done(.device(try end(self, walk, former)))
    }

    /// Leaves the group. The content of the store and the times of its changes stay; everything else about the group is
    /// deleted, its keys first.
    func leaveReplicaGroup() throws(StoreError) -> WorkStep<ReplicaResult> {
        guard let group = try ReplicaGroupRow.read(connection) else { throw .notReplicated }
        while let staged = try StagedContentRows.unchanged(since: Timestamp(microseconds: .max), connection) {
            try replica.contents.dropStaged(staged)
        }
        try FormerGroupRow(group).write(connection)
        try ClearedTables.replace(ReplicaTables.namesOfGroup, connection)
        try DeviceLogRow.clearOwnLogs(connection)
        areas.leftovers.leftRowsBehind = true
        removedContent = true
        return .done(.done)
    }

    /// - Returns: True if nothing is left to remember.
    private func rememberNext(_ walk: inout ReplicaStarting.Place) throws(StoreError) -> Bool {
        switch walk {
        case .things(let kind, let number):
            if let last = try rememberNext(kind, after: number) {
                walk = .things(kind, after: last)
            } else {
                walk = Self.kind(after: kind).map { .things($0, after: .min) } ?? .reactions(after: .start(of: .min))
            }
            return false
        case .reactions(let place):
            let last = try rememberReactions(after: place)
            walk = last.map { .reactions(after: $0) } ?? .files(after: .min)
            return false
        case .files(let number):
            guard let last = try replica.files.rememberFiles(after: number) else { return true }
            walk = .files(after: last)
            return false
        }
    }

    /// Returns the next kind whose things are found by the numbers of their rows.
    private static func kind(after kind: ThingKind) -> ThingKind? {
        switch kind {
        case .contact: .conversation
        case .conversation: .draft
        case .draft: .member
        case .member: .sceneValue
        case .sceneValue: .log
        case .log, .reaction, .file: nil
        }
    }

    /// - Returns: The last row that was examined; `nil` if there was none.
    private func rememberNext(_ kind: ThingKind, after number: Int64) throws(StoreError) -> Int64? {
        var things: [(number: Int64, name: ThingName)] = []
        let rows = try connection.rows(Self.next(kind), number, EngineLimits.stepRowsMax)
        while try rows.next() {
            let name =
                kind == .sceneValue || kind == .member
                ? ThingName(kind, try rows.text(1), try rows.text(2)) : ThingName(kind, try rows.text(1))
            things.append((rows.integer(0), name))
        }
        for thing in things {
            try remember(thing.name)
        }
        return things.last?.number
    }

    /// - Returns: The last message that was examined; `nil` if there was none.
    private func rememberReactions(after place: MessagePlace) throws(StoreError) -> MessagePlace? {
        var last: MessagePlace?
        var edited: [(id: String, at: Timestamp)] = []
        var reacted: [(sequence: Int64, id: String)] = []
        let messages = try connection.rows(Self.nextMessages, place, EngineLimits.stepRowsMax)
        while try messages.next() {
            let place = try MessagePlace(messages, conversation: 0, timestamp: 1, id: 2)
            last = place
            if messages.bool(4) {
                reacted.append((messages.integer(3), place.id.text))
            }
            if let time = messages.optionalTimestamp(5) {
                edited.append((place.id.text, time))
            }
        }
        for message in edited {
            try rememberEdit(of: message.id, at: message.at)
        }
        for message in reacted {
            let rows = try connection.rows(Self.reactionsOf, message.sequence)
            while try rows.next() {
                try remember(ThingName(.reaction, message.id, "0", try rows.text(0), try rows.text(1)))
            }
        }
        return last
    }

    /// Stamps a message that was edited before the store joined the group. The stamp has the time of that edit,
    /// but not a time in the future.
    private func rememberEdit(of id: String, at time: Timestamp) throws(StoreError) {
        let known = try ReplicaMessageRows.read(id, connection)
        guard known.stamp == .zero, !known.isRemoved, !known.isOver else { return }
        var mark = known
        mark.stamp = .beforeGroup(at: min(time, stampTime))
        try ReplicaMessageRows.write(mark, insteadOf: known, of: id, connection)
    }

    func remember(_ name: ThingName) throws(StoreError) {
        // A stamp from an earlier group stays.
        guard try ReplicaThingRows.read(name, connection) == nil, let present = try replica.things.present(name) else {
            return
        }
        var state = ThingState()
        state.touchedAt = present.touchedAt
        // Timestamps from an archive may be in the future.
        let stamp = ReplicaStamp.beforeGroup(
            at: Timestamp(microseconds: min(present.touchedAt, stampTime.microseconds)))
        for field in name.kind.fields {
            guard let value = present.values[field] else { continue }
            state.set(FieldRecord(field: field, stamp: stamp, value: value), ValueDigest(of: value))
        }
        try ReplicaThingRows.write(state, of: name, connection)
        if name.kind.hasRemovals {
            try replica.collecting.recordSessionID(name.kind, present, sessionID: name.parts[0])
        }
    }

    private static func next(_ kind: ThingKind) -> StatementText {
        switch kind {
        case .contact: nextContacts
        case .conversation, .reaction, .file: nextConversations
        case .draft: nextDrafts
        case .member: nextMembers
        case .sceneValue: nextSceneValues
        case .log: nextLogs
        }
    }

    private static let nextContacts = StatementText(
        "SELECT number, session_id FROM contacts WHERE number > ?1 ORDER BY number LIMIT ?2")
    private static let nextConversations = StatementText(
        "SELECT number, session_id FROM conversations WHERE number > ?1 ORDER BY number LIMIT ?2")
    private static let nextDrafts = StatementText(
        """
        SELECT d.conversation, c.session_id FROM conversation_drafts AS d
        CROSS JOIN conversations AS c ON c.number = d.conversation
        WHERE d.conversation > ?1 ORDER BY d.conversation LIMIT ?2
        """)
    private static let nextMembers = StatementText(
        """
        SELECT m.number, c.session_id, m.session_id FROM conversation_members AS m
        CROSS JOIN conversations AS c ON c.number = m.conversation
        WHERE m.number > ?1 ORDER BY m.number LIMIT ?2
        """)
    private static let nextSceneValues = StatementText(
        "SELECT number, scene, key FROM scene_values WHERE number > ?1 ORDER BY number LIMIT ?2")
    private static let nextLogs = StatementText(
        "SELECT number, name FROM logs WHERE number > ?1 AND is_replicated = 1 ORDER BY number LIMIT ?2")
    private static let nextMessages = StatementText(
        """
        SELECT conversation, timestamp, id, sequence, reactions IS NOT NULL, edited_at FROM messages
        WHERE (conversation, timestamp, id) > (?1, ?2, ?3)
        ORDER BY conversation, timestamp, id LIMIT ?4
        """)
    private static let reactionsOf = StatementText(
        "SELECT author, emoji FROM reactions WHERE message_sequence = ?1 ORDER BY revision")
}
