import SQLCipher
import StoreBasics
import StoreCrypto

/// Brings the opened database up to what was answered, and takes the journal into use. On the writer thread.
struct JournalOpening {
    let directory: StateDirectory
    let keys: KeyHolder
    let segmentBytes: Int

    /// - Parameters:
    ///   - outcome: gets what the operator has accepted to be missing, also where the opening fails behind that.
    ///   - migrate: what the journal holds is of the version before, what it gets of the one after.
    /// - Throws: `.journalDamaged`, `.storeRolledBack`; nothing has been changed then, unless a loss was accepted.
    func open(
        _ files: WriterOpening.Files, _ context: WriterContext, _ connection: Connection,
        _ outcome: inout WriterOpening.Outcome, migrate: () throws(StoreError) -> Void
    ) throws(StoreError) {
        let folder = try JournalFolder(in: directory)
        let key = try journalKey()
        let generation = try keys.withKeyring { keyring throws(StoreError) in
            UInt32(truncatingIfNeeded: keyring.keyring.generation)
        }
        var found: Recovered
        do throws(StoreError) {
            found = try withReserve(context) { () throws(StoreError) in
                try recover(folder, under: key, generation, files, context, connection)
            }
        } catch {
            guard files == .foundAcceptingLoss, error.isAcceptableLoss else {
                folder.removeIfNew()
                throw error
            }
            try accept(folder, under: key, generation, connection, &outcome.loss)
            found = try recover(folder, under: key, generation, files, context, connection)
        }
        outcome.isCaughtUp = true
        try migrate()
        let journal = Journal(
            in: folder, under: try journalKey(), generation: generation, history: found.history,
            segmentBytes: segmentBytes, after: found.segments, end: found.end)
        context.take(journal)
        if found.segments.hasRecords(upTo: found.end) {
            // Whoever wrote them may have been killed between the emptying of the log behind a delete and theirs.
            context.noteRemovedContent()
        }
        if found.end.last == .start {
            // Which the mark is to have.
            context.statistics = try StatisticsRow.read(connection)
            // From here on a database without a journal is one whose journal is missing.
            try context.commit { connection throws(StoreError) in try JournalRow.make(connection) }
            _ = try context.checkpointPassively()
        }
    }

    /// What the folder held, and where the database stands with all of it.
    private struct Recovered {
        let segments: JournalSegments
        let end: JournalReplay.End
        /// No replay changes it.
        let history: HistoryID
    }

    private func journalKey() throws(StoreError) -> JournalKey {
        try keys.derive { keyring throws(CryptoError) in try keyring.journalKey(.current) }
    }

    /// Runs what the database lacks, in one transaction: all or nothing of it.
    private func recover(
        _ folder: JournalFolder, under key: borrowing JournalKey, _ generation: UInt32,
        _ files: WriterOpening.Files, _ context: WriterContext, _ connection: Connection
    ) throws(StoreError) -> Recovered {
        let position = try JournalRow.read(connection)
        let history = try StatisticsRow.read(connection).history
        let segments = try JournalSegments(in: folder, under: key, generation: generation)
        let needed = try segments.needed(from: position, of: history)
        try connection.run(WriterContext.beginText)
        defer { connection.rollBack() }
        let replay = JournalReplay(connection: connection, position: position)
        let end = try replay.run(needed, under: key)
        // Before anything of it is committed.
        try takeUpMark(files, context, connection)
        // Neither the last record nor the last segment's header may have been synced when their writer was killed. The
        // one is seen from here on, and for the other the segments before it are let go.
        try segments.following.last?.file.sync()
        if end.records > 0 {
            try JournalRow.write(end.last, connection)
            try mapped(connection.commit())
        }
        return Recovered(segments: segments, end: end, history: history)
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

    private func takeUpMark(
        _ files: WriterOpening.Files, _ context: WriterContext, _ connection: Connection
    ) throws(StoreError) {
        let revision = try StatisticsRow.read(connection).revision
        let found = try mark(expecting: files == .exchanged ? nil : revision)
        context.mark = StoreMarkFile(in: directory, under: try markKey(), found: found)
    }

    /// - Parameter revision: that of the database; `nil` where it does not matter.
    /// - Throws: `.storeRolledBack` where the mark says that the database file held more.
    func mark(expecting revision: UInt64?) throws(StoreError) -> StoreMark? {
        let found = StoreMarkFile.find(directory.mark, under: try markKey()).mark
        guard let found, let revision, found.revision > revision else { return found }
        throw .storeRolledBack("the database has revision \(revision), but it had reached revision \(found.revision)")
    }

    private func markKey() throws(StoreError) -> AuthenticationKey {
        try keys.derive { keyring throws(CryptoError) in try keyring.markKey() }
    }

    /// Keeps what can be replayed and begins another history and another journal.
    private func accept(
        _ folder: JournalFolder, under key: borrowing JournalKey, _ generation: UInt32, _ connection: Connection,
        _ loss: inout StoreLoss
    ) throws(StoreError) {
        try replayWhatCanBe(folder, under: key, generation, connection)
        let revision = try StatisticsRow.read(connection).revision
        let mark = try mark(expecting: nil)
        // Only told: what cannot be read is not counted.
        let missingRecords = (try? recordsBehind(folder, under: key, generation, connection)) ?? 0
        // Before the history, whose change is all that the next opening sees of the loss.
        try VaultFolder.noteLoss(in: directory)
        try connection.run(WriterContext.beginText)
        do throws(StoreError) {
            try History.write(.random(), connection)
            try JournalRow.remove(connection)
            try mapped(connection.commit())
        } catch {
            connection.rollBack()
            throw error
        }
        loss.isCertain = true
        loss.missingRecords = missingRecords
        if let mark, mark.revision > revision {
            loss.missingRevisions = mark.revision - revision
        }
        guard try mapped(connection.checkpoint(.truncate)).isComplete else {
            throw StoreError(.storeBusy, "the store's write-ahead log is in use; unlock the store again")
        }
        try directory.remove(directory.mark)
        try folder.removeAll()
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
            try connection.run(WriterContext.beginText)
            defer { connection.rollBack() }
            _ = try JournalReplay(connection: connection, position: position).run(needed, under: key) {
                record throws(StoreError) in
                try JournalRow.write(record, connection)
                try mapped(connection.commit())
                try connection.run(WriterContext.beginText)
            }
        } catch {
            guard error.isAcceptableLoss else { throw error }
        }
    }

    /// How many records the journal shows behind that of the database, readable or not.
    private func recordsBehind(
        _ folder: JournalFolder, under key: borrowing JournalKey, _ generation: UInt32, _ connection: Connection
    ) throws(StoreError) -> UInt64 {
        let position = try JournalRow.read(connection)
        let history = try StatisticsRow.read(connection).history
        let newest = try JournalSegments.newestRecord(in: folder, under: key, generation: generation, of: history)
        return newest > position.record ? newest - position.record : 0
    }
}

extension StoreError {
    /// An operator may go on without what is missing.
    fileprivate var isAcceptableLoss: Bool {
        reason == .journalDamaged || reason == .storeRolledBack
    }
}
