import ReplicaModel
import SQLCipher
import StoreBasics

/// Merges what other devices have changed. The same batches in any order, and any number of times, come to the same store.
extension WriteSession {
    /// A step: some of the batch's records.
    mutating func mergeReplicaBatch(_ batch: ReplicaBatch, after work: LongWork?) throws(StoreError) -> WorkStep {
        guard var group = try ReplicaGroupRow.read(connection) else { throw .notReplicated }
        var merging = ReplicaMerging()
        if case .replicaMerging(let begun) = work {
            merging = begun
        } else if batch.sequence <= (try ReplicaMemberRows.mergedSequence(of: batch.device, connection)) {
            return .commit(Commit())
        }
        // What was changed here has its stamps before it meets what was changed elsewhere.
        guard try collectChanges(&group, .recordsFirst) else {
            try group.write(connection)
            return .unfinished(.replicaMerging(merging))
        }
        var merge = ReplicaMerge(group, batch)
        var rowCount = 0
        while merging.doneCount < batch.records.count,
            rowCount == 0 || rowCount < EngineLimits.stepRowsMax && !slice.isOver
        {
            rowCount += try self.merge(batch.records[merging.doneCount], &merge)
            merging.doneCount += 1
        }
        try end(&merge)
        group.clock = merge.clock
        // What merging has changed is known to the group.
        group.collectedThrough = statistics.revision
        try group.write(connection)
        guard merging.doneCount == batch.records.count else { return .unfinished(.replicaMerging(merging)) }
        try ReplicaMemberRows.setMergedSequence(batch.sequence, of: batch.device, connection)
        return .commit(Commit())
    }

    /// - Returns: about how many rows it took.
    private mutating func merge(_ record: ReplicaRecord, _ merge: inout ReplicaMerge) throws(StoreError) -> Int {
        switch record {
        case .thing(let record):
            merge.learn(record.newestTime, now: now)
            switch record.name.kind {
            case .conversation: try mergeConversation(record, &merge)
            case .file: try mergeFile(record, &merge)
            case .contact, .draft, .sceneValue, .reaction: try mergeThing(record, &merge)
            }
            return 1 + (record.fields.first?.value?.count ?? 0) >> 10
        case .message(let record):
            merge.learn(record.content?.stamp.time ?? 0, now: now)
            try mergeMessage(record, &merge)
            return 1 + (record.content?.body.count ?? 0) >> 10
        case .member, .memberRemoval, .epoch:
            return 1
        case .contentPiece(let piece):
            try mergePiece(piece, &merge)
            return 1 + piece.bytes.count >> 10
        case .contentNotice(let notice):
            try mergeNotice(notice, merge)
            return 1
        case .contentRequest(let request):
            try mergeRequest(request, merge)
            return 1
        }
    }

    /// The last work of a step.
    private mutating func end(_ merge: inout ReplicaMerge) throws(StoreError) {
        try putBack(&merge.keeping)
        for sessionID in merge.touchedConversations {
            try removeUnlessSupported(sessionID, &merge)
        }
        try merge.states.write(connection)
        try vault?.sync()
    }

    private mutating func mergeThing(_ record: ThingRecord, _ merge: inout ReplicaMerge) throws(StoreError) {
        let name = record.name
        var state = try merge.states.state(of: name, connection)
        if name.kind == .draft {
            let conversation = try merge.states.state(of: ThingName(.conversation, name.parts[0]), connection)
            state.remove(at: max(conversation.removal, state.removal))
        }
        let outcome = state.merge(record) { ValueDigest(of: $0) }
        guard !outcome.isEmpty else { return }
        switch name.kind {
        case .contact: try apply(outcome, toContact: name.parts[0], state)
        case .conversation, .file: break
        case .draft: try apply(outcome, toDraftOf: name.parts[0], &merge)
        case .sceneValue: try apply(outcome, toValueOf: name.parts[1], in: name.parts[0])
        case .reaction:
            guard try apply(outcome, toReaction: name.parts) else { return }
        }
        merge.states.set(state, of: name)
    }
}

/// What a step of merging works with.
struct ReplicaMerge {
    var clock: HybridClock
    var states = ReplicaStates()
    /// Stamps that were too far ahead to be learned.
    private(set) var farAheadCount = 0
    /// When conversations counted as updated before messages were merged into them: their own records tell that.
    var keeping = KeptUpdateTimes()
    /// Of which something was removed.
    var touchedConversations: Set<String> = []

    /// This store's.
    let ownDevice: UInt64
    /// Of the batch.
    let device: UInt64
    let sequence: UInt64
    /// Contents that were not what they were told to be.
    var refusedContentCount = 0

    init(_ group: ReplicaGroupRow, _ batch: ReplicaBatch) {
        clock = group.clock
        ownDevice = group.device
        device = batch.device
        sequence = batch.sequence
    }

    mutating func learn(_ time: UInt64, now: Timestamp) {
        if !clock.learn(time, now: now) {
            farAheadCount += 1
        }
    }
}
