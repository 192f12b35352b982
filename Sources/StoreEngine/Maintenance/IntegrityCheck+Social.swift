import SQLCipher

extension IntegrityCheck {
    /// Checks that no draft has a revision greater than the store's. The owners of drafts are checked with the foreign
    /// keys.
    mutating func checkDrafts() throws(StoreError) {
        guard let revision = try statistics()?.revision else { return }
        report.rowsChecked += try integer("SELECT count(*) FROM conversation_drafts")
        try addFinding(
            "drafts have a revision that the store has not reached",
            "SELECT count(*) FROM conversation_drafts WHERE revision < 1 OR revision > \(revision)")
    }

    /// Checks that every reaction belongs to a message that counts it, or waits for removal.
    mutating func checkReactions() throws(StoreError) {
        guard let revision = try statistics()?.revision else { return }
        report.rowsChecked += try integer("SELECT count(*) FROM reactions")
        try addFinding(
            "reactions have a revision that the store has not reached",
            "SELECT count(*) FROM reactions WHERE revision < 1 OR revision > \(revision)")
        try addFinding(counting: Self.lostReactions) {
            "table reactions has rows of messages that do not exist or count no reactions \(Self.found($0)), and no "
                + "pending removal will delete these rows"
        }
        let miscounted = try miscountedMessages()
        if miscounted > 0 {
            report.add("messages have wrong counts of reactions \(Self.found(miscounted))")
        }
    }

    private func miscountedMessages() throws(StoreError) -> Int {
        var miscounted = 0
        let rows = try connection.rows(Self.reactedMessages)
        while try rows.next() {
            guard let counts = try? ReactionCounts(rows.borrowedBytes(1)) else {
                miscounted += 1
                continue
            }
            let counted = Dictionary(counts.entries.map { ($0.emoji, $0.count) }) { $0 + $1 }
            miscounted += try counted == reactions(to: rows.integer(0)) ? 0 : 1
        }
        return miscounted
    }

    private func reactions(to sequence: Int64) throws(StoreError) -> [Emoji: Int] {
        var counts: [Emoji: Int] = [:]
        let rows = try connection.rows(Self.emojiCounts, sequence)
        while try rows.next() {
            counts[Emoji(trusted: try rows.text(0))] = rows.int(1)
        }
        return counts
    }

    private static let reactedMessages = StatementText(
        """
        SELECT m.sequence, m.reactions FROM conversations AS c CROSS JOIN messages AS m ON m.conversation = c.number
        WHERE m.reactions IS NOT NULL
        """)
    private static let emojiCounts = StatementText(
        "SELECT emoji, count(*) FROM reactions WHERE message_sequence = ?1 GROUP BY emoji")
    private static let lostReactions = """
        SELECT count(*) FROM (SELECT DISTINCT message_sequence AS number FROM reactions) AS r
        WHERE r.number NOT IN (SELECT sequence FROM messages WHERE reactions IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM removals WHERE kind = \(Leftovers.Kind.reactions.rawValue)
                AND r.number BETWEEN first_number AND last_number)
        """
}
