import SQLCipher
import StoreBasics
import StoreCrypto

/// Brings a database up to the end of segments that follow one another.
struct JournalReplay {
    /// Where the last of them ends.
    struct End {
        var last: JournalPosition
        var offset = RecordLayout.firstOffset
        var records = 0
    }

    let connection: Connection
    /// Up to which record the database has them.
    let position: JournalPosition

    /// Runs what the database lacks in the open transaction.
    ///
    /// - Parameters:
    ///   - segments: in their order; the first begins at or before `position`.
    ///   - ran: called after each record that was run.
    /// - Throws: `.journalDamaged`; `.storeRolledBack` where the database is not the one the journal goes on from.
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
                the last record is \(end.last.record), but the database contains record \(position.record)
                """)
        }
        return end
    }

    private func check(_ record: JournalPosition) throws(StoreError) {
        guard record.record != position.record || record.tag == position.tag else {
            throw .storeRolledBack(
                """
                record \(position.record) of the journal is not the record that the database contains
                """)
        }
    }

    /// The one place where what a replay meets becomes a reason.
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
    /// The one message for damage of the journal.
    static func journalDamaged(_ cause: String) -> StoreError {
        StoreError(
            .journalDamaged,
            "the journal is damaged: \(cause); hint: stop the daemon, copy its state directory, then put the folder "
                + "\(JournalFolder.name) back as it was; 'man ghoststored' has all steps")
    }

    /// The one message for a database that is older than what was answered, or another one.
    static func storeRolledBack(_ cause: String) -> StoreError {
        StoreError(
            .storeRolledBack,
            "\(StateDirectory.databaseName) and the journal do not belong together: \(cause); hint: stop the daemon, "
                + "copy its state directory, then put back the newer \(StateDirectory.databaseName), or the missing "
                + "files of the folder \(JournalFolder.name); 'man ghoststored' has all steps")
    }
}
