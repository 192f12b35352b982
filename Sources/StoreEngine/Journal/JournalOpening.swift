import SQLCipher
import StoreBasics
import StoreCrypto

/// Brings the opened database up to what was answered, and takes the journal into use. On the writer thread.
struct JournalOpening {
    let directory: StateDirectory
    let keys: KeyHolder
    let segmentBytes: Int

    /// - Returns: what the operator has accepted to be missing.
    /// - Throws: `.journalDamaged`, `.storeRolledBack`; nothing has been changed then.
    func open(
        _ files: WriterOpening.Files, _ context: WriterContext, _ connection: Connection
    ) throws(StoreError) -> StoreLoss {
        let folder = try JournalFolder(in: directory)
        let key = try journalKey()
        let generation = try keys.withKeyring { keyring throws(StoreError) in
            UInt32(truncatingIfNeeded: keyring.keyring.generation)
        }
        var loss = StoreLoss()
        var found: (segments: JournalSegments, end: JournalReplay.End)
        do throws(StoreError) {
            found = try withReserve(context) { () throws(StoreError) in
                try recover(folder, under: key, generation, files, context, connection)
            }
        } catch {
            guard files == .foundAcceptingLoss, error.isAcceptableLoss else { throw error }
            loss = try accept(folder, under: key, generation, connection)
            found = try recover(folder, under: key, generation, files, context, connection)
        }
        try Schema.migrate(connection)
        let history = try StatisticsRow.read(connection).history
        let (segments, end) = found
        let journal = Journal(
            in: folder, under: try journalKey(), generation: generation, history: history,
            segmentBytes: segmentBytes, after: segments, end: end)
        context.take(journal)
        if segments.hasRecords(upTo: end) {
            // Whoever wrote them may have been killed between the emptying of the log behind a delete and theirs.
            context.noteRemovedContent()
        }
        if end.last == .start {
            // From here on a database without a journal is one whose journal is missing.
            try context.commit { connection throws(StoreError) in try JournalRow.make(connection) }
            _ = try context.checkpointPassively()
        }
        return loss
    }

    private func journalKey() throws(StoreError) -> JournalKey {
        let key = try keys.withKeyring { keyring throws(StoreError) in
            TakeOnce(try mappedKeys(keyring.journalKey(.current)))
        }
        guard let key = key.take() else { throw StoreState.locked.notOpenError }
        return key
    }

    /// Runs what the database lacks, in one transaction: all or nothing of it.
    private func recover(
        _ folder: JournalFolder, under key: borrowing JournalKey, _ generation: UInt32,
        _ files: WriterOpening.Files, _ context: WriterContext, _ connection: Connection
    ) throws(StoreError) -> (JournalSegments, JournalReplay.End) {
        let position = try JournalRow.read(connection)
        let history = try StatisticsRow.read(connection).history
        let segments = try JournalSegments(in: folder, under: key, generation: generation)
        let needed = try segments.needed(from: position, of: history)
        try connection.run(Self.beginText)
        defer { connection.rollBack() }
        let replay = JournalReplay(connection: connection, position: position)
        let end = try replay.run(needed, under: key)
        // Before anything of it is committed.
        try takeUpMark(files, context, connection)
        if end.records > 0 {
            // The last record may not have been synced when its writer was killed, and is seen from here on.
            try needed.last?.file.sync()
            try JournalRow.write(end.last, connection)
            try mapped(connection.commit())
        }
        return (segments, end)
    }

    private func withReserve<Result>(
        _ context: WriterContext, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.reason == .diskFull, context.reserve?.release() == true else { throw error }
            return try body()
        }
    }

    /// - Throws: `.storeRolledBack` where the mark says that the database file held more.
    private func takeUpMark(
        _ files: WriterOpening.Files, _ context: WriterContext, _ connection: Connection
    ) throws(StoreError) {
        let key = try keys.withKeyring { keyring throws(StoreError) in
            TakeOnce(try mappedKeys(keyring.markKey()))
        }
        guard let key = key.take() else { throw StoreState.locked.notOpenError }
        let found = StoreMarkFile.find(directory.mark, under: key).mark
        let revision = try StatisticsRow.read(connection).revision
        context.mark = StoreMarkFile(in: directory, under: key, found: found)
        guard files != .exchanged, let found, found.revision > revision else { return }
        throw .storeRolledBack("it holds revision \(revision) and has held \(found.revision)")
    }

    /// Keeps what can be replayed and begins another history and another journal.
    private func accept(
        _ folder: JournalFolder, under key: borrowing JournalKey, _ generation: UInt32, _ connection: Connection
    ) throws(StoreError) -> StoreLoss {
        try replayWhatCanBe(folder, under: key, generation, connection)
        var loss = StoreLoss()
        loss.isCertain = true
        let markKey = try keys.withKeyring { keyring throws(StoreError) in
            TakeOnce(try mappedKeys(keyring.markKey()))
        }
        let revision = try StatisticsRow.read(connection).revision
        if let key = markKey.take(), let mark = StoreMarkFile.find(directory.mark, under: key).mark {
            loss.missingRevisions = mark.revision > revision ? mark.revision - revision : 0
        }
        // Before the history, whose change is all that the next opening sees of the loss.
        try VaultFolder.noteLoss(in: directory)
        try connection.run(Self.beginText)
        do throws(StoreError) {
            try History.write(.random(), connection)
            try JournalRow.remove(connection)
            try mapped(connection.commit())
        } catch {
            connection.rollBack()
            throw error
        }
        guard try mapped(connection.checkpoint(.truncate)).isComplete else {
            throw StoreError(.storeBusy, "the store's log is in use; unlock it again")
        }
        try directory.remove(directory.mark)
        try folder.removeAll()
        return loss
    }

    /// Record by record, up to the first that cannot be.
    private func replayWhatCanBe(
        _ folder: JournalFolder, under key: borrowing JournalKey, _ generation: UInt32, _ connection: Connection
    ) throws(StoreError) {
        let position = try JournalRow.read(connection)
        let history = try StatisticsRow.read(connection).history
        do throws(StoreError) {
            let needed = try JournalSegments.usable(
                in: folder, under: key, generation: generation, from: position, of: history)
            try connection.run(Self.beginText)
            defer { connection.rollBack() }
            _ = try JournalReplay(connection: connection, position: position).run(needed, under: key) {
                record throws(StoreError) in
                try JournalRow.write(record, connection)
                try mapped(connection.commit())
                try connection.run(Self.beginText)
            }
        } catch {
            guard error.isAcceptableLoss else { throw error }
        }
    }

    private static let beginText = StatementText("BEGIN IMMEDIATE")
}

extension StoreError {
    /// An operator may go on without what is missing.
    fileprivate var isAcceptableLoss: Bool {
        reason == .journalDamaged || reason == .storeRolledBack
    }
}
