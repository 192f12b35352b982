import ReplicaModel
import SQLCipher
import StoreBasics

/// The rows of `lost_edits`. Only the last edit of a text by each device is kept, because the device knew its earlier
/// edits when it made the last one.
enum LostEditRows {
    /// The most rows, and the most bytes of texts. Beyond that, the oldest edits are deleted.
    static let countMax = 1_000
    private static let bytesMax: Int64 = 16 << 20

    static func keep(
        _ text: String, at place: LostEdit.Place, _ name: String, _ stamp: ReplicaStamp, _ connection: Connection
    ) throws(StoreError) {
        let changedAt = Int64(clamping: HybridClock.milliseconds(of: stamp.time)) * 1_000
        try delete(at: place, name, by: stamp.device, connection)
        try connection.run(
            insert, Int64.random(in: 1...Int64.max), place.rawValue, name, DeviceColumn(stamp.device), changedAt, text)
        while let row = try connection.first(sumAll), row.integer(0) > Int64(countMax) || row.integer(1) > bytesMax {
            try connection.run(deleteOldest)
        }
    }

    static func delete(
        at place: LostEdit.Place, _ name: String, by device: UInt64, _ connection: Connection
    ) throws(StoreError) {
        try connection.run(deleteOfDevice, place.rawValue, name, DeviceColumn(device))
    }

    /// Deletes the lost edits of a text whose message, contact or draft is deleted.
    static func delete(at place: LostEdit.Place, _ name: String, _ connection: Connection) throws(StoreError) {
        try connection.run(deleteOfName, place.rawValue, name)
    }

    static func delete(_ id: UInt64, _ connection: Connection) throws(StoreError) {
        try connection.run(deleteOne, id)
    }

    /// Returns the number of edits that all pages together have.
    ///
    /// - Parameter age: The age of the store.
    static func count(age: Int64, _ connection: Connection) throws(StoreError) -> UInt64 {
        try connection.first(selectCount, age)?.unsigned(0) ?? 0
    }

    /// Returns rows with smaller numbers than the cursor.
    static func page(
        limit: Int, cursor: Int64, age: Int64, _ connection: Connection
    ) throws(StoreError) -> LostEditPage {
        var page = LostEditPage(edits: [])
        var bytes = PageBytes()
        let rows = try connection.rows(selectNext, age, cursor, limit + 1)
        while try rows.next() {
            let text = try rows.text(5)
            guard page.edits.count < limit, bytes.admit(text.utf8.count) else {
                page.nextCursor = page.edits.last.map { RevisionCursor.text($0.id) }
                break
            }
            guard let place = LostEdit.Place(rawValue: rows.integer(1)) else { throw ReplicaTables.damaged }
            page.edits.append(
                LostEdit(
                    id: rows.unsigned(0), place: place, name: try rows.text(2), text: text, device: rows.device(3),
                    changedAt: rows.timestamp(4)))
        }
        return page
    }

    private static let columns = "number, place, name, device, changed_at, text"
    /// The condition for edits that are listed. Messages of a deleted conversation and messages whose timer has ended
    /// may still have rows, but their edits are left out. The first parameter is the age of the store.
    private static let isReachable = """
        (place <> \(LostEdit.Place.message.rawValue) OR EXISTS (
            SELECT 1 FROM messages AS m CROSS JOIN conversations AS c ON c.number = m.conversation
            WHERE m.id = lost_edits.name AND ifnull(m.expires_at > ?1, 1)))
        """
    private static let selectNext = StatementText(
        "SELECT \(columns) FROM lost_edits WHERE number < ?2 AND \(isReachable) ORDER BY number DESC LIMIT ?3")
    private static let sumAll = StatementText(
        "SELECT count(*), ifnull(sum(length(CAST(text AS BLOB))), 0) FROM lost_edits")
    private static let selectCount = StatementText("SELECT count(*) FROM lost_edits WHERE \(isReachable)")
    private static let insert = StatementText("INSERT INTO lost_edits (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    private static let deleteOne = StatementText("DELETE FROM lost_edits WHERE number = ?1")
    private static let deleteOfName = StatementText("DELETE FROM lost_edits WHERE place = ?1 AND name = ?2")
    private static let deleteOfDevice = StatementText(
        "DELETE FROM lost_edits WHERE place = ?1 AND name = ?2 AND device = ?3")
    private static let deleteOldest = StatementText(
        """
        DELETE FROM lost_edits WHERE number = (SELECT number FROM lost_edits ORDER BY changed_at, number LIMIT 1)
        """)
}

extension StoreReader {
    /// Returns a page of the lost edits, in no particular order.
    ///
    /// - Parameter cursor: The cursor of the previous page.
    /// - Throws: `.invalidArgument` for a limit out of range or a foreign cursor.
    package func lostEdits(limit: Int, cursor: String?) throws(StoreError) -> LostEditPage {
        try PageLimit.check(limit)
        let before = try cursor.map { (text) throws(StoreError) in try RevisionCursor.revision(text) } ?? .max
        return try read { connection throws(StoreError) in
            try LostEditRows.page(limit: limit, cursor: before, age: clock.age, connection)
        }
    }
}
