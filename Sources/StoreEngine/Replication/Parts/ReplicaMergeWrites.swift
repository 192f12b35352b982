import ReplicaModel
import SQLCipher
import StoreBasics

/// The part of replication that merges records of other devices into the store.
struct ReplicaMergeWrites: ReplicaPart {
    unowned let replica: ReplicaWrites
}

/// Merges changes of other devices. The same batches give the same store in any order, and any number of times.
extension ReplicaMergeWrites {
    /// Merges the next records of another device's batch or snapshot, as many as fit in one step.
    func merge(_ begun: ReplicaMerging, _ group: inout ReplicaGroupRow) throws(StoreError) -> WorkStep<ReplicaResult> {
        var merging = begun
        // Local changes get their stamps before they are compared with changes from elsewhere.
        guard try replica.collecting.collectChanges(&group, .recordsFirst) else { return .unfinished(merging) }
        if let whole = try replica.channels.putTogether(merging) {
            switch whole {
            case .unfinished(let nextSequence): return .handedIn(.merged(nextSequence: nextSequence))
            case .waits(let wait): return .handedIn(.waits(wait))
            case .records(let records): merging = ReplicaMerging(origin: merging.origin, records: records)
            }
        }
        var merge = ReplicaMergeStep(group, merging.origin)
        if case .time(let record)? = merging.records.first {
            merge.transit = replica.group.transit(since: record)
        }
        var rowCount = 0
        while merging.doneCount < merging.records.count,
            rowCount == 0 || rowCount < EngineLimits.stepRowsMax && !slice.isOver
        {
            rowCount += try self.merge(merging.records[merging.doneCount], &merge)
            merging.doneCount += 1
        }
        try end(&merge)
        group = merge.group
        recordDeviceClock(merge.clock, &group)
        // The changes of this merge are known to the group, so they are not collected.
        group.collectedThrough = statistics.revision
        let isDone = merging.doneCount == merging.records.count
        let next =
            isDone ? try replica.channels.advancePosition(of: merging.origin, merge.aheadMilliseconds, &group) : 0
        if isDone {
            // The parts of a record were kept until all of it is merged, because after a restart they have to be joined
            // again.
            try ReplicaPartRows.delete(merging.origin.channel, connection)
            if !merging.origin.isSnapshot, merging.records.contains(where: \.isChange) {
                try NamedBatchRows.recordChanges(of: merging.origin.device, at: now, connection)
            }
            try replica.group.extendRemoval(&merge)
        }
        if merge.needsEpoch {
            try replica.group.startEpoch(&group, announcing: merge.announcements)
        } else {
            try replica.channels.seal(merge.announcements, &group)
        }
        try group.write(connection)
        return isDone ? .handedIn(.merged(nextSequence: next)) : .unfinished(merging)
    }

    /// Remembers the time of other devices if it is later than every time received before.
    private func recordDeviceClock(_ heard: HybridClock, _ group: inout ReplicaGroupRow) {
        guard heard != group.clock else { return }
        group.clock = heard
        let milliseconds = Int64(clamping: HybridClock.milliseconds(of: heard.last))
        clock.recordDeviceTime(Timestamp(microseconds: milliseconds * 1_000))
    }

    /// - Returns: The approximate number of rows that changed.
    private func merge(_ record: ReplicaRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) -> Int {
        guard merge.group.selection.contains(record) else { return 1 }
        switch record {
        case .thing(let record):
            merge.learn(record.newestTime, now: now)
            switch record.name.kind {
            case .conversation: try mergeConversation(record, &merge)
            case .file: try replica.files.mergeFile(record, &merge)
            case .contact, .draft, .sceneValue, .reaction, .log, .member: try mergeThing(record, &merge)
            }
            return 1 + (record.fields.first?.value?.count ?? 0) >> 10
        case .message(let record):
            merge.learn(record.content?.stamp.time ?? 0, now: now)
            try mergeMessage(record, &merge)
            return 1 + (record.content?.body.count ?? 0) >> 10
        case .contentPiece(let piece):
            try replica.contents.mergePiece(piece, &merge)
            return 1 + piece.bytes.count >> 10
        case .logEntries(let record):
            merge.learn(record.newestTime, now: now)
            return try replica.logs.mergeEntries(record, &merge)
        case .contentNotice(let notice):
            try replica.contents.mergeNotice(notice, merge)
        case .contentRequest(let request):
            try replica.contents.mergeRequest(request, merge)
        case .time(let record):
            try replica.group.mergeTime(record, merge)
        case .knownBatches(let record):
            try replica.group.recordMergedBatch(record, merge)
        case .member, .memberRemoval, .epoch, .snapshotRequest, .positions, .part:
            try mergeGroup(record, &merge)
        }
        return 1
    }

    /// Merges a record about members, keys, positions or snapshots of the group. Other records are ignored.
    private func mergeGroup(_ record: ReplicaRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        switch record {
        case .member(let record): try replica.group.mergeMember(record, &merge)
        case .memberRemoval(let record): try replica.group.mergeRemoval(record, &merge)
        case .epoch(let record): try replica.group.mergeEpoch(record, &merge)
        case .snapshotRequest(let request) where request.maker == merge.group.device:
            try replica.snapshots.acceptSnapshotRequest(
                request, by: merge.device, in: merge.batchSequence, under: merge.origin.epoch, merge.group)
        case .positions(let record):
            try replica.group.recordMergedPosition(record, merge)
            if merge.origin.isSnapshot {
                try replica.snapshots.endAwaitedSnapshot(record, &merge.group)
            } else {
                try replica.group.recordReportedPositions(record, &merge)
            }
        case .snapshotRequest, .part, .thing, .message, .contentPiece, .contentNotice, .contentRequest, .logEntries,
            .time, .knownBatches:
            break
        }
    }

    /// Ends a step after its records: answers news of the group, restores update times of conversations, deletes
    /// conversations that are empty now, and writes the states of things.
    private func end(_ merge: inout ReplicaMergeStep) throws(StoreError) {
        try replica.group.answerNewsOfGroup(&merge)
        try areas.conversations.putBack(&merge.keeping)
        for sessionID in merge.touchedConversations {
            try removeUnlessSupported(sessionID, &merge)
        }
        try merge.states.write(connection)
        try replica.vault.sync()
    }

    private func mergeThing(_ record: ThingRecord, _ merge: inout ReplicaMergeStep) throws(StoreError) {
        let name = record.name
        guard try replica.collecting.isSelected(name, in: merge.group.selection) else { return }
        var state = try merge.states.state(of: name, connection)
        if name.kind == .draft || name.kind == .member {
            let conversation = try merge.states.state(of: ThingName(.conversation, name.parts[0]), connection)
            state.remove(at: max(conversation.removal, state.removal))
        }
        let before = state
        let outcome = try state.merge(record)
        try replica.lostEdits.compare(record, before, outcome)
        guard !outcome.isEmpty else { return }
        switch name.kind {
        case .contact: try apply(outcome, toContact: name.parts[0], state)
        case .conversation, .file: break
        case .draft: try apply(outcome, toDraftOf: name.parts[0], &merge)
        case .member: try apply(outcome, toMember: name.parts[1], of: name.parts[0], &merge)
        case .sceneValue: try apply(outcome, toValueOf: name.parts[1], in: name.parts[0])
        case .log: try replica.logs.apply(outcome, toLog: LogName(name.parts[0]), state)
        case .reaction:
            guard try apply(outcome, toReaction: name.parts) else { return }
        }
        merge.states.set(state, of: name)
    }
}

/// The state of one step of merging: the message that is merged, and the work that is left for the end of the step.
struct ReplicaMergeStep {
    var group: ReplicaGroupRow
    let origin: ReplicaOrigin
    var clock: HybridClock
    var states = ReplicaStates()
    /// The greatest lead of a stamp in milliseconds, among the stamps that are too far ahead for this store's clock to
    /// follow.
    private(set) var aheadMilliseconds: UInt64 = 0
    /// The update times of conversations before messages were merged into them. These times are restored, because a
    /// conversation gets its update time from its own record.
    var keeping = KeptUpdateTimes()
    /// The session ids of conversations from which something was removed.
    var touchedConversations: Set<String> = []
    /// Records about the group that this store publishes in answer to the merged ones.
    var announcements: [ReplicaRecord] = []
    /// True if the records contained new members or keys.
    var hasNewsOfGroup = false
    /// True if a removed device may have the newest key.
    var needsEpoch = false

    /// The microseconds that have certainly passed since the message was sealed.
    var transit: Int64 = 0
    /// The number of contents that did not match their digests.
    var refusedContentCount = 0
    /// The number of this store as a device of the group.
    var ownDevice: UInt64 { group.device }
    /// The device that made the merged message, and the message's sequence.
    var device: UInt64 { origin.device }
    var sequence: UInt64 { origin.sequence }
    /// The sequence of the batch; 0 in a snapshot, which sets the position of its maker only at its end.
    var batchSequence: UInt64 { if case .device = origin.channel { origin.sequence } else { 0 } }

    init(_ group: ReplicaGroupRow, _ origin: ReplicaOrigin) {
        self.group = group
        self.origin = origin
        clock = group.clock
    }

    mutating func learn(_ time: UInt64, now: Timestamp) {
        if !clock.learn(time, now: now) {
            let ahead = Int64(clamping: HybridClock.milliseconds(of: time)) - now.microseconds / 1_000
            aheadMilliseconds = max(aheadMilliseconds, UInt64(clamping: ahead))
        }
    }
}
