import SQLCipher
import StoreBasics

extension WriteSession {
    /// Restores records of an archive: what is not there is made as it was, and of what is there the newer stays
    /// (docs/decisions/2026-11-22-archives.md).
    mutating func restore(_ batch: RestoreBatch) throws(StoreError) -> RestoreTally {
        var tally = RestoreTally()
        var keeping = KeptUpdateTime()
        for record in batch.records {
            let mode = RestoreMode(isDryRun: batch.isDryRun, changedAt: record.changedAt)
            tally.note(try restore(record.thing, mode, &keeping), record.thing.kind)
        }
        try putBack(&keeping)
        return tally
    }

    private mutating func restore(
        _ thing: RestoredThing, _ mode: RestoreMode, _ keeping: inout KeptUpdateTime
    ) throws(StoreError) -> RestoreOutcome {
        switch thing {
        case .contact(let contact): return try restore(contact, mode)
        case .conversation(let conversation):
            try putBack(&keeping)
            return try restore(conversation, mode)
        case .message(let message, let session): return try restore(message, in: session, mode, &keeping)
        case .reaction(let reaction, let message): return try restore(reaction, to: message, mode)
        case .draft(let draft): return try restore(draft, mode)
        case .sceneValue(let value): return try restore(value, mode)
        case .log(let log): return try restore(log, mode)
        case .logEntry(let entry, let log): return try restore(entry, of: log, mode)
        case .directory(let directory): return try restore(directory, mode)
        case .file(let file, let bytes): return try restore(file, bytes, mode)
        case .content(let content, let bytes): return try restore(content, bytes, mode)
        }
    }
}

/// How a record is restored.
struct RestoreMode {
    var isDryRun: Bool
    /// As `RestoredRecord` has it.
    var changedAt: Timestamp?
}

/// When a conversation was last updated, before messages were restored to it: they are no news.
struct KeptUpdateTime {
    fileprivate var kept: (conversation: Int64, time: Timestamp)?
}

extension WriteSession {
    /// Messages of this conversation are about to be restored.
    func keepUpdateTime(of conversation: Int64, _ keeping: inout KeptUpdateTime) throws(StoreError) {
        guard keeping.kept?.conversation != conversation else { return }
        try putBack(&keeping)
        guard let row = try connection.first(Self.selectUpdateTime, conversation) else { return }
        keeping.kept = (conversation, row.timestamp(0))
    }

    fileprivate func putBack(_ keeping: inout KeptUpdateTime) throws(StoreError) {
        guard let kept = keeping.kept else { return }
        try connection.run(Self.setUpdateTime, kept.conversation, kept.time)
        keeping.kept = nil
    }

    private static let selectUpdateTime = StatementText("SELECT updated_at FROM conversations WHERE number = ?1")
    private static let setUpdateTime = StatementText("UPDATE conversations SET updated_at = ?2 WHERE number = ?1")
}

extension RestoreOutcome {
    /// Of two things under one name, from when each was last changed.
    ///
    /// - Parameter isSame: nothing would change.
    static func newer(_ archived: Timestamp, than present: Timestamp, isSame: Bool) -> RestoreOutcome {
        if isSame {
            return .equal
        }
        return archived > present ? .updated : .kept
    }

    /// Something is to be written.
    var writes: Bool {
        switch self {
        case .added, .updated: true
        case .kept, .equal: false
        }
    }
}
