import SQLCipher
import StoreBasics

/// The progress of a batch of records that takes several commits.
struct RestoreProgress: WorkProgress {
    /// The number of restored records: the first ones of the batch.
    var doneCount = 0
    var tally = RestoreTally()
    /// The progress of the next record, if the record is a removal that takes several commits.
    var removal: RemovalProgress?
}

/// The result of one step of restoring a record.
enum RestoreStep {
    case done(RestoreOutcome, rowCount: Int = 1)
    case unfinished(RemovalProgress)
}

/// The part of a transaction that writes the records of an archive into the store.
struct ArchiveRestoring: AreaWork {
    let areas: AreaWrites

    /// Restores records of an archive. Missing things are created with all their properties. If a thing exists, the
    /// newer version is kept (docs/decisions/2026-11-22-archives.md). If the batch is too large for one commit, the
    /// next commit continues after a whole record or within a removal.
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
                progress.tally.increment(outcome, record.thing.kind)
                progress.doneCount += 1
                progress.removal = nil
                rowCount += count
            case .unfinished(let removal):
                progress.removal = removal
                rowCount = EngineLimits.stepRowsMax
            }
        }
        try areas.conversations.putBack(&keeping)
        for digest in batch.contentsEndingGrace {
            try AttachmentContents.endGraceIfBound(digest, connection)
            areas.attachments.hasStoredAttachments = true
        }
        return .done(progress.tally)
    }

    private func restore(
        _ thing: RestoredThing, _ mode: RestoreMode, _ removal: RemovalProgress?, _ keeping: inout KeptUpdateTimes
    ) throws(StoreError) -> RestoreStep {
        let outcome: RestoreOutcome
        switch thing {
        case .removal(let removed): return try restore(removed, mode, removal, &keeping)
        case .reactionRemoval(let kept, let message, let removedAt):
            return try restoreReactions(kept, of: message, removedAt: removedAt, mode, after: removal)
        case .contact(let contact): outcome = try restore(contact, mode)
        case .conversation(let conversation):
            try areas.conversations.putBack(&keeping)
            outcome = try restore(conversation, mode)
        case .message(let message, let session): outcome = try restore(message, in: session, mode, &keeping)
        case .reaction(let reaction, let message): outcome = try restore(reaction, to: message, mode)
        case .draft(let draft): outcome = try restore(draft, mode)
        case .sceneValue(let value): outcome = try restore(value, mode)
        case .log(let log): outcome = try restore(log, mode)
        case .logEntry(let entry, let log, let run): outcome = try restore(entry, of: log, run, mode)
        case .directory(let directory): outcome = try restore(directory, mode)
        case .file(let file, let bytes): outcome = try restore(file, bytes, mode)
        case .content(let content, let bytes): outcome = try restore(content, bytes, mode)
        }
        return .done(outcome, rowCount: thing.rowCount)
    }
}

struct RestoreMode {
    var isDryRun: Bool
    var isOfChanges: Bool
    /// See `RestoredRecord.changedAt`.
    var changedAt: Timestamp?

    /// Returns the outcome for a thing that the store already has, from the times of the last changes. The newer
    /// version wins. If `changedAt` is set, the later of `archived` and `changedAt` is compared with `present`, and the
    /// archived version wins if these times are equal.
    ///
    /// - Parameter isSame: True if restoring would change nothing.
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

    /// Returns true if the times are equal. Without `changedAt` the times do not matter, so returns true.
    func hasSameTime(_ archived: Timestamp, as present: Timestamp) -> Bool {
        changedAt == nil || archived == present
    }
}

extension RestoreOutcome {
    /// True if restoring the record changes the store.
    var writes: Bool {
        switch self {
        case .added, .updated: true
        case .kept, .equal: false
        }
    }
}
