import SQLCipher
import StoreBasics

/// Reads the change log from a revision on.
struct ArchiveChangeScan {
    /// The last revision that was read.
    private var revision: UInt64

    /// - Throws: `.revisionAhead`; `.changesCompacted` if the change log does not go back so far.
    init(since revision: UInt64, _ statistics: Statistics) throws(StoreError) {
        guard revision <= statistics.revision else {
            throw StoreError(
                .revisionAhead,
                "the request names revision \(revision), but the newest revision of the store is "
                    + "\(statistics.revision); was the store restored from a backup?")
        }
        guard revision >= statistics.compactedThroughRevision else {
            throw StoreError(
                .changesCompacted,
                "changes through revision \(statistics.compactedThroughRevision) are no longer kept; "
                    + "create a full archive")
        }
        self.revision = revision
    }

    /// Reads the next changes for a few milliseconds.
    ///
    /// - Returns: False at the end.
    mutating func readPage(_ connection: Connection, _ changes: inout ArchiveChanges) throws(StoreError) -> Bool {
        let slice = WorkSlice.ofScan
        let rows = try connection.rows(Self.commitsAfter, revision + 1)
        while try rows.next() {
            let (first, time) = (rows.unsigned(0), rows.timestamp(1))
            let entries = try ChangeCodec.decode(rows.borrowedBytes(2))
            for (offset, entry) in entries.enumerated() where first + UInt64(offset) > revision {
                revision = first + UInt64(offset)
                try changes.recordChange(entry, revision, at: time, connection)
                guard !slice.isOver else { return true }
            }
        }
        return false
    }

    static let commitsAfter = StatementText(
        """
        SELECT first_revision, committed_at, entries FROM changes
        WHERE first_revision >= ifnull((SELECT max(first_revision) FROM changes WHERE first_revision <= ?1), 0)
        ORDER BY first_revision
        """)
}
