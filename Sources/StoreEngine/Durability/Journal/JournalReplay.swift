import SQLCipher
import StoreBasics
import StoreCrypto

/// Applies the records that a database lacks, from consecutive segments of the journal.
struct JournalReplay {
    /// The result of a replay: the last record, the offset after it in the last segment, and the number of applied
    /// records.
    struct End {
        var last: JournalPosition
        var offset = RecordLayout.firstOffset
        var records = 0
    }

    let connection: Connection
    /// The last record that the database contains.
    let position: JournalPosition

    /// Applies the records after `position` in the open transaction.
    ///
    /// - Parameters:
    ///   - segments: in their order; the first begins at or before `position`.
    ///   - ran: called after each record that was applied.
    /// - Throws: `.journalDamaged`; `.storeRolledBack` if the journal does not continue this database.
    func run(
        _ segments: [FoundSegment], under key: borrowing JournalKey,
        ran: (JournalPosition) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> End {
        let replay = StatementReplay(connection)
        var end = End(last: position)
        for (index, segment) in segments.enumerated() {
            guard segment.header.previous == end.last || index == 0 else {
                throw .journalDamaged("a segment does not begin where the previous segment ends")
            }
            replay.forgetTexts()
            let scan = try SegmentScan(segment, under: key) { record, statements throws(StoreError) in
                try check(record)
                guard record.record > position.record else { return try mappedReplay(replay.skip(statements)) }
                try mappedReplay(replay.run(statements))
                end.records += 1
                try ran(record)
            }
            guard !scan.isClosed || index < segments.count - 1 else {
                throw .journalDamaged("the last segment is missing")
            }
            end.last = scan.last
            end.offset = scan.end
        }
        guard end.last.record >= position.record else {
            throw .journalDamaged(
                """
                the last record is \(end.last.record), but the database contains the changes of record \
                \(position.record)
                """)
        }
        return end
    }

    private func check(_ record: JournalPosition) throws(StoreError) {
        guard record.record != position.record || record.tag == position.tag else {
            throw .storeRolledBack(
                """
                record \(position.record) of the journal differs from the record \(position.record) whose changes the \
                database contains
                """)
        }
    }

    /// Maps every error of a replay to a reason. No other code maps them.
    private func mappedReplay(_ body: @autoclosure () throws(SQLCipherError) -> Void) throws(StoreError) {
        do throws(SQLCipherError) {
            try body()
        } catch {
            switch error.kind {
            case .malformedRecording: throw .journalDamaged("the content of a record is invalid")
            case .replayDiverged:
                throw .storeRolledBack(
                    """
                    the changes in the journal do not fit this \(StateDirectory.databaseName)
                    """)
            default: throw StoreError(error)
            }
        }
    }
}

extension StoreError {
    /// Returns the error for a damaged journal. All callers share its text.
    static func journalDamaged(_ cause: String) -> StoreError {
        StoreError(
            .journalDamaged,
            "the journal is damaged: \(cause); hint: stop the daemon, copy its state directory, then put the folder "
                + "\(JournalFolder.name) back as it was; 'man ghoststored' has all steps")
    }

    /// Returns the error for a database that is older than the acknowledged writes, or belongs to another store.
    static func storeRolledBack(_ cause: String) -> StoreError {
        StoreError(
            .storeRolledBack,
            "\(StateDirectory.databaseName) and the journal do not belong together: \(cause); hint: stop the daemon, "
                + "copy its state directory, then put back the newer \(StateDirectory.databaseName) with its "
                + "\(StateDirectory.databaseName)-wal, or the missing files of the folder \(JournalFolder.name); 'man "
                + "ghoststored' has all steps")
    }
}
