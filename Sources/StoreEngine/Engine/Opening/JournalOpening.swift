import SQLCipher
import StoreBasics
import StoreCrypto

/// Applies the acknowledged records of the journal to the opened database, and starts to use the journal. Runs on the
/// writer thread.
struct JournalOpening {
    let directory: StateDirectory
    let keys: KeyHolder
    let segmentBytes: Int

    /// Opens the journal.
    ///
    /// - Parameters:
    ///   - outcome: Receives the accepted loss, also if the opening fails afterwards.
    ///   - migrate: Upgrades the database. Existing records belong to the version before the upgrade, and new records
    ///     to the version after it.
    /// - Throws: `.journalDamaged`, `.storeRolledBack`; then nothing was changed, unless a loss was accepted.
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
        context.attach(journal)
        if found.segments.hasRecords(upTo: found.end) {
            // The process that wrote the records may have been killed after a delete emptied the WAL and before it
            // emptied the journal.
            context.scheduleWALEmptying()
        }
        if found.end.last == .start {
            // Set the statistics now, because the checkpoint below writes their revision into the mark.
            context.statistics = try StatisticsRow.read(connection)
            // From now on, a database without a journal is damaged: its journal is missing.
            try context.commit { connection throws(StoreError) in try JournalRow.make(connection) }
            _ = try context.checkpointPassively()
        }
    }

    /// The segments of the folder, and the position of the database after all of them were applied.
    private struct Recovered {
        let segments: JournalSegments
        let end: JournalReplay.End
        /// The history of the store, which replaying does not change.
        let history: HistoryID
    }

    private func journalKey() throws(StoreError) -> JournalKey {
        try keys.derive { keyring throws(CryptoError) in try keyring.journalKey(.current) }
    }

    /// Applies all records that the database lacks, in one transaction.
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
        // Check the mark before anything is committed, because a failed opening must not change the database.
        try openMark(files, context, connection)
        // The last record and the last segment's header may not be durable yet, because their writer was killed. Sync
        // both now: readers are about to see the record, and earlier segments, which the last segment continues, are
        // about to be deleted.
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

    private func openMark(
        _ files: WriterOpening.Files, _ context: WriterContext, _ connection: Connection
    ) throws(StoreError) {
        let revision = try StatisticsRow.read(connection).revision
        let found = try mark(expecting: files == .exchanged ? nil : revision)
        context.mark = StoreMarkFile(in: directory, under: try markKey(), found: found)
    }

    /// Returns the mark of the store; `nil` if there is no valid one.
    ///
    /// - Parameter revision: The revision of the database; `nil` to skip the comparison.
    /// - Throws: `.storeRolledBack` if the mark has a greater revision than the database.
    func mark(expecting revision: UInt64?) throws(StoreError) -> StoreMark? {
        let found = StoreMarkFile.find(directory.mark, under: try markKey()).mark
        guard let found, let revision, found.revision > revision else { return found }
        throw .storeRolledBack(
            "the database has revision \(revision), although it had revision \(found.revision) before")
    }

    private func markKey() throws(StoreError) -> AuthenticationKey {
        try keys.derive { keyring throws(CryptoError) in try keyring.markKey() }
    }

    /// Applies the records that can be applied, and then begins another history and another journal.
    private func accept(
        _ folder: JournalFolder, under key: borrowing JournalKey, _ generation: UInt32, _ connection: Connection,
        _ loss: inout StoreLoss
    ) throws(StoreError) {
        try replayWhatCanBe(folder, under: key, generation, connection)
        let revision = try StatisticsRow.read(connection).revision
        let mark = try mark(expecting: nil)
        // The number of missing records is only reported, so a failure to determine it is ignored.
        let missingRecords = (try? recordsBehind(folder, under: key, generation, connection)) ?? 0
        // Record the loss, which protects vault files, before the history changes: afterwards a new opening finds no
        // loss any more that it could record.
        try VaultFolder.recordLoss(in: directory)
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

    /// Applies records, one after the other, up to the first that cannot be applied.
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

    /// Returns the number of records, readable or not, that the journal has after the last record that the database
    /// contains.
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
    /// True for an error that reports lost acknowledged writes. An operator may accept such a loss.
    fileprivate var isAcceptableLoss: Bool {
        reason == .journalDamaged || reason == .storeRolledBack
    }
}
