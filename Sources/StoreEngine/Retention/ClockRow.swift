import SQLCipher
import StoreBasics

/// The one row of `clock`.
enum ClockRow {
    static func insert(_ now: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.run(insertClock, now)
    }

    /// Whether a timer runs, whose age is counted from it.
    static func isNeeded(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(anyExpiry) != nil
    }

    static func read(_ connection: Connection) throws(StoreError) -> StoreClock.Anchor {
        guard let row = try connection.first(selectClock) else { throw .databaseDamaged("it does not say its age") }
        return StoreClock.Anchor(
            age: max(0, row.integer(0)), bootID: try row.text(1), sinceBoot: row.integer(2), wall: row.timestamp(3))
    }

    static func write(_ anchor: StoreClock.Anchor, _ connection: Connection) throws(StoreError) {
        try connection.run(updateClock, anchor.age, anchor.bootID, anchor.sinceBoot, anchor.wall)
    }

    private static let insertClock = StatementText(
        "INSERT INTO clock (singleton, age, boot, since_boot, wall_time) VALUES (1, 0, '', 0, ?1)")
    private static let anyExpiry = StatementText(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM message_expiries)
            OR EXISTS (SELECT 1 FROM attachment_contents WHERE expires_at IS NOT NULL)
        """)
    private static let selectClock = StatementText("SELECT age, boot, since_boot, wall_time FROM clock")
    private static let updateClock = StatementText(
        "UPDATE OR FAIL clock SET age = ?1, boot = ?2, since_boot = ?3, wall_time = ?4")
}
