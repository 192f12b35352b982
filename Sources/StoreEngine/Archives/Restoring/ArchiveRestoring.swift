import SQLCipher
import StoreBasics

/// How far a batch of records has come that takes several commits.
struct RestoreProgress: WorkProgress {
    /// Of the records, from the first on.
    var doneCount = 0
    var tally = RestoreTally()
    /// Of the next one, where its removal takes several commits.
    var removal: RemovalProgress?
}

/// What a step of a record came to.
enum RestoreStep {
    case done(RestoreOutcome, rowCount: Int = 1)
    case unfinished(RemovalProgress)
}

/// Writes the records of an archive into the store.
struct ArchiveRestoring: AreaWork {
    let areas: AreaWrites

    /// Restores records of an archive: what is not there is made as it was, and of what is there the newer stays
    /// (docs/decisions/2026-11-22-archives.md). What is too much for one commit goes on in the next, behind a whole
    /// record or within a removal.
    func restore(
        _ batch: RestoreBatch, after work: (any WorkProgress)?
    ) throws(StoreError) -> WorkStep<RestoreTally> {
        var progress = RestoreProgress()
        if let begun = work as? RestoreProgress {
            progress = begun
        }
        var keeping = KeptUpdateTimes()
        var rowCount = 0
        while progress.doneCount < batch.records.count {
            guard rowCount == 0 || (rowCount < EngineLimits.stepRowsMax && !slice.isOver) else {
                try areas.conversations.putBack(&keeping)
                return .unfinished(progress)
            }
            let record = batch.records[progress.doneCount]
            let mode = RestoreMode(
                isDryRun: batch.isDryRun, isOfChanges: batch.isOfChanges, changedAt: record.changedAt)
            switch try restore(record.thing, mode, progress.removal, &keeping) {
            case .done(let outcome, let count):
                progress.tally.note(outcome, record.thing.kind)
                progress.doneCount += 1
                progress.removal = nil
                rowCount += count
            case .unfinished(let removal):
                progress.removal = removal
                rowCount = EngineLimits.stepRowsMax
            }
        }
        try areas.conversations.putBack(&keeping)
        for digest in batch.settledContents {
            try AttachmentContents.endGraceIfBound(digest, connection)
            areas.attachments.hasStoredAttachments = true
        }
        return .done(progress.tally)
    }

    private func restore(
        _ thing: RestoredThing, _ mode: RestoreMode, _ removal: RemovalProgress?, _ keeping: inout KeptUpdateTimes
    ) throws(StoreError) -> RestoreStep {
        switch thing {
        case .removal(let removed): try restore(removed, mode, removal, &keeping)
        case .reactionRemoval(let kept, let message, let removedAt):
            try restoreReactions(kept, of: message, removedAt: removedAt, mode, after: removal)
        case .contact, .conversation, .message, .reaction, .draft, .sceneValue, .log, .logEntry, .directory, .file,
            .content:
            .done(try restore(thing, mode, &keeping), rowCount: thing.rowCount)
        }
    }

    private func restore(
        _ thing: RestoredThing, _ mode: RestoreMode, _ keeping: inout KeptUpdateTimes
    ) throws(StoreError) -> RestoreOutcome {
        switch thing {
        case .contact(let contact): return try restore(contact, mode)
        case .conversation(let conversation):
            try areas.conversations.putBack(&keeping)
            return try restore(conversation, mode)
        case .message(let message, let session): return try restore(message, in: session, mode, &keeping)
        case .reaction(let reaction, let message): return try restore(reaction, to: message, mode)
        case .draft(let draft): return try restore(draft, mode)
        case .sceneValue(let value): return try restore(value, mode)
        case .log(let log): return try restore(log, mode)
        case .logEntry(let entry, let log, let run): return try restore(entry, of: log, run, mode)
        case .directory(let directory): return try restore(directory, mode)
        case .file(let file, let bytes): return try restore(file, bytes, mode)
        case .content(let content, let bytes): return try restore(content, bytes, mode)
        case .removal, .reactionRemoval: throw StoreError(.internal, "entries must be removed in steps")
        }
    }
}

/// How a record is restored.
struct RestoreMode {
    var isDryRun: Bool
    var isOfChanges: Bool
    /// As `RestoredRecord` has it.
    var changedAt: Timestamp?

    /// Of two things under one name, from when each was last changed. What an archive of changes tells of counts as
    /// changed when that was committed, and of two times that are the same its own stays.
    ///
    /// - Parameter isSame: nothing would change.
    func outcome(_ archived: Timestamp, than present: Timestamp, isSame: Bool) -> RestoreOutcome {
        if isSame {
            return .equal
        }
        return isNewer(archived, than: present) ? .updated : .kept
    }

    func isNewer(_ archived: Timestamp, than present: Timestamp) -> Bool {
        guard let changedAt else { return archived > present }
        return max(archived, changedAt) >= present
    }

    /// Times are the same, where it matters: in an archive of changes.
    func hasSameTime(_ archived: Timestamp, as present: Timestamp) -> Bool {
        changedAt == nil || archived == present
    }
}

extension RestoreOutcome {
    /// Something is to be written.
    var writes: Bool {
        switch self {
        case .added, .updated: true
        case .kept, .equal: false
        }
    }
}
