import SQLCipher
import StoreBasics

/// The only row of the table `clock`.
enum ClockRow {
    static func insert(_ now: Timestamp, _ connection: Connection) throws(StoreError) {
        try connection.run(insertClock, now)
    }

    /// Returns true if anything in the store expires at an age or at a wall-clock time, or if the store belongs to a
    /// replica group.
    static func isNeeded(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.first(anyRule) != nil
    }

    static func read(_ connection: Connection) throws(StoreError) -> StoreClock.Anchor {
        guard let row = try connection.first(selectClock) else {
            throw .databaseDamaged("the row of the store's clock is missing")
        }
        var anchor = StoreClock.Anchor(
            age: max(0, row.integer(0)), bootID: try row.text(1), sinceBoot: row.integer(2), wall: row.timestamp(3),
            synchronizedOffset: row.optionalInteger(4), lacksTimeOff: row.bool(5))
        if let offset = row.optionalInteger(6), let since = row.optionalInteger(7) {
            anchor.ahead = StoreClock.Stay(offset: offset, since: since)
        }
        return anchor
    }

    static func write(_ anchor: StoreClock.Anchor, _ connection: Connection) throws(StoreError) {
        try connection.run(
            updateClock, anchor.age, anchor.bootID, anchor.sinceBoot, anchor.wall, anchor.synchronizedOffset,
            anchor.lacksTimeOff, anchor.ahead?.offset, anchor.ahead?.since)
    }

    private static let insertClock = StatementText(
        """
        INSERT INTO clock (singleton, age, boot, since_boot, wall_time, lacks_time_off)
        VALUES (1, 0, '', 0, ?1, 0)
        """)
    private static let anyRule = StatementText(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM message_expiries)
            OR EXISTS (SELECT 1 FROM conversations WHERE retention_due_at IS NOT NULL)
            OR EXISTS (SELECT 1 FROM attachment_contents WHERE expires_at IS NOT NULL)
            OR EXISTS (SELECT 1 FROM replica_group)
        """)
    private static let selectClock = StatementText(
        """
        SELECT age, boot, since_boot, wall_time, synchronized_offset, lacks_time_off, ahead_offset, ahead_since
        FROM clock
        """)
    private static let updateClock = StatementText(
        """
        UPDATE OR FAIL clock SET age = ?1, boot = ?2, since_boot = ?3, wall_time = ?4,
            synchronized_offset = ?5, lacks_time_off = ?6, ahead_offset = ?7, ahead_since = ?8
        """)
}
