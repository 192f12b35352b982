extension IntegrityCheck {
    /// Checks that every message with a running timer has a row from which its expiry is found, and that no other rows
    /// about timers exist.
    mutating func checkRetention() throws(StoreError) {
        report.rowsChecked += try integer("SELECT count(*) FROM message_expiries")
        try addFinding("messages have an invalid timer", Self.wrongTimers)
        if try hasOrderByID {
            try addFinding(
                "messages have a running timer, but would not be deleted when the timer ends", Self.lostExpiries)
            try addFinding("timers run for messages that do not exist", Self.lostMessages)
        }
        try addFinding("conversations have an invalid limit for the age or number of messages", Self.wrongRetention)
        try addFinding(
            """
            conversations have a retention rule, but the daemon would never delete their messages, because the time \
            for the deletion is missing
            """,
            Self.notLookedAt)
        if try integer("SELECT count(*) FROM clock") != 1 {
            report.add("the row of the store's clock is missing")
        }
    }

    private static func isTimer(_ lifetime: String, _ start: String) -> String {
        let starts = MessageTimer.Start.allCases.map { "\($0.rawValue)" }.joined(separator: ", ")
        return "(\(isPeriod(lifetime)) AND ifnull(\(start) IN (\(starts)), 0))"
    }

    private static func isPeriod(_ column: String) -> String {
        "ifnull(\(column) BETWEEN 1000 AND \(RetentionPeriod.millisecondsMax * 1_000), 0)"
    }

    private static let starts = MessageTimer.startsEnd
    private static let wrongTimers = """
        SELECT count(*) FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE NOT (\(isTimer("(m.timer - m.timer % \(starts))", "(m.timer % \(starts))"))
            OR (m.timer IS NULL AND m.expires_at IS NULL))
        """
    private static let lostExpiries = """
        SELECT count(*) FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE m.expires_at IS NOT NULL AND m.timer IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM message_expiries AS e WHERE e.expires_at = m.expires_at AND e.message = m.id)
        """
    private static let lostMessages = """
        SELECT count(*) FROM message_expiries WHERE (message, expires_at) NOT IN (
            SELECT id, expires_at FROM messages NOT INDEXED WHERE expires_at IS NOT NULL)
        """
    private static let wrongRetention = """
        SELECT count(*) FROM conversations WHERE NOT (
            (\(isTimer("message_lifetime", "message_lifetime_from"))
                OR (message_lifetime IS NULL AND message_lifetime_from IS NULL))
            AND (keep_for IS NULL OR \(isPeriod("keep_for")))
            AND (keep_count IS NULL OR keep_count BETWEEN 1 AND \(UInt32.max)))
        """
    private static let notLookedAt = """
        SELECT count(*) FROM conversations WHERE retention_due_at IS NULL
            AND (message_count > keep_count OR (keep_for IS NOT NULL AND message_count > 0))
        """
}
