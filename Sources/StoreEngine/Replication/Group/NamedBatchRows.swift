import ReplicaModel
import SQLCipher
import StoreBasics

/// The columns of `replica_members` that record which merged batches this store has named in its own batches.
/// `named_sequence` is the last batch of a device that was named. `unanswered_since` is the time at which a batch with
/// changes was merged that is not named yet; it is NULL if all are named.
enum NamedBatchRows {
    /// Returns the last merged batch of each device that is not named yet, and records these batches as named. A
    /// position that no batch of the device has confirmed is left out.
    static func takeUnnamed(_ connection: Connection) throws(StoreError) -> [KnownBatchesRecord.Last] {
        var unnamed: [KnownBatchesRecord.Last] = []
        let rows = try connection.rows(select)
        while try rows.next() {
            unnamed.append(KnownBatchesRecord.Last(device: rows.device(0), sequence: rows.unsigned(1)))
        }
        if !unnamed.isEmpty {
            try connection.run(update)
        }
        return unnamed
    }

    /// Records that a batch with changes was merged, so that this store soon names it in a batch of its own.
    static func recordChanges(of device: UInt64, at now: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.run(updateUnanswered, DeviceColumn(device), now)
    }

    /// Returns whether a merged batch with changes has waited to be named for `ReplicaTimes.answer`. This store then
    /// names it in a batch without changes of its own. A time in the future counts as long ago.
    static func isAnswerDue(now: Timestamp, _ connection: Connection) throws(StoreError) -> Bool {
        let due = now.advanced(byMicroseconds: -ReplicaTimes.answer)
        return try connection.first(selectUnanswered, due, now) != nil
    }

    private static let condition =
        "merged_sequence > named_sequence AND flags & \(ReplicaMemberRows.placeUnconfirmed) = 0"
    private static let select = StatementText(
        "SELECT device, merged_sequence FROM replica_members WHERE \(condition) ORDER BY device")
    private static let update = StatementText(
        """
        UPDATE OR FAIL replica_members SET named_sequence = merged_sequence, unanswered_since = NULL WHERE \(condition)
        """)
    private static let updateUnanswered = StatementText(
        "UPDATE OR FAIL replica_members SET unanswered_since = ifnull(unanswered_since, ?2) WHERE device = ?1")
    private static let selectUnanswered = StatementText(
        "SELECT 1 FROM replica_members WHERE unanswered_since NOT BETWEEN ?1 + 1 AND ?2 AND \(condition) LIMIT 1")
}
