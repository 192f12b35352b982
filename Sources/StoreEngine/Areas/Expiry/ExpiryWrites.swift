import SQLCipher
import StoreBasics

/// The part of a transaction that runs the timers of messages, and records when the next message or content expires.
final class ExpiryWrites: TransactionWork {
    let transaction: Transaction
    /// The earliest age of the store at which something expires that the transaction has created or changed.
    private(set) var retentionDue: Int64?
    /// The anchor that the transaction has written to the table `clock`.
    var keptAnchor: StoreClock.Anchor?

    init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Records that something expires at an age of the store.
    func scheduleRetention(dueAt age: Int64) {
        retentionDue = min(retentionDue ?? age, age)
    }
}

/// Starts and ends the timers of messages.
extension ExpiryWrites {
    /// Returns the store's age at which a message expires; `nil` while its timer does not run. A timer that runs
    /// already continues. If the timer of a new message starts when the message is sent, it counts from the message's
    /// timestamp, which may be in the past.
    func expiry(of row: MessageRow, replacing old: MessageRow? = nil) throws(StoreError) -> Int64? {
        guard let timer = row.timer else { return nil }
        if let old, old.timer == timer, let expiresAt = old.expiresAt {
            return expiresAt
        }
        guard timer.runs(isOutgoing: row.isOutgoing, isRead: row.isRead, status: row.status) else { return nil }
        let elapsed =
            switch timer.start {
            case .sending where old == nil: min(try elapsed(since: row.timestamp), timer.lifetime.microseconds)
            case .sending, .reading: Int64(0)
            }
        return clock.age + timer.lifetime.microseconds - elapsed
    }

    /// Inserts the row by which the message is found when it expires, and schedules the deletion. Must be called for
    /// every message that gets an `expiresAt`.
    func recordExpiry(of place: MessagePlace, at expiresAt: Int64) throws(StoreError) {
        try connection.run(Self.insertExpiry, expiresAt, place.id)
        scheduleRetention(dueAt: expiresAt, orAnchorAt: clock.age)
    }

    /// Deletes the row that `recordExpiry` has inserted, because the message is deleted or expires at another time.
    func forgetExpiry(of place: MessagePlace, at expiresAt: Int64) throws(StoreError) {
        try connection.run(Self.deleteExpiry, expiresAt, place.id)
    }

    /// Starts the timers that a change starts, for example the timers of messages that are marked as read. A timer that
    /// runs already is not changed.
    ///
    /// - Parameter change: Applies the change to a message's head.
    func startTimers(
        of heads: [MessageHead], after change: (inout MessageHead) -> Void
    ) throws(StoreError) {
        for head in heads where head.timer != nil && head.expiresAt == nil {
            var changed = head
            change(&changed)
            guard let timer = head.timer,
                timer.runs(isOutgoing: changed.isOutgoing, isRead: changed.isRead, status: changed.status)
            else { continue }
            try setExpiry(of: head.place, at: clock.age + timer.lifetime.microseconds)
        }
    }

    /// Starts the timer of a message whose timer does not run yet.
    func setExpiry(of place: MessagePlace, at expiresAt: Int64) throws(StoreError) {
        try connection.run(Self.setExpiry, place, expiresAt)
        try recordExpiry(of: place, at: expiresAt)
    }

    /// Returns the messages that have expired at an age of the store, the earliest first.
    func expiredHeads(at age: Int64, atMost count: Int) throws(StoreError) -> [MessageHead] {
        let rows = try connection.rows(Self.expired, age, count)
        var heads: [MessageHead] = []
        while try rows.next() {
            heads.append(try MessageHead(rows))
        }
        return heads
    }

    /// Returns the first age after the given one at which a message expires; `nil` if no timer runs.
    func nextExpiry(after age: Int64) throws(StoreError) -> Int64? {
        try connection.first(Self.firstExpiry, age)?.optionalInteger(0)
    }

    private static let insertExpiry = StatementText("INSERT INTO message_expiries VALUES (?1, ?2)")
    static let deleteExpiry = StatementText(
        "DELETE FROM message_expiries WHERE expires_at = ?1 AND message = ?2")
    private static let setExpiry = StatementText(
        "UPDATE OR FAIL \(MessagePlace.table) SET expires_at = ?4 WHERE \(MessagePlace.condition)")
    private static let expired = StatementText(
        """
        SELECT \(MessageHead.columns), c.id
        FROM message_expiries AS e CROSS JOIN messages AS m INDEXED BY messages_by_id ON m.id = e.message
        CROSS JOIN conversations AS c ON c.number = m.conversation
        WHERE e.expires_at <= ?1 ORDER BY e.expires_at, e.message LIMIT ?2
        """)
    private static let firstExpiry = StatementText("SELECT min(expires_at) FROM message_expiries WHERE expires_at > ?1")
}

extension ExpiryWrites {
    /// Records when retention work is due: at the age `due`, or earlier if the anchor of the age has to be stored again
    /// and the wall clock checked before then.
    ///
    /// - Parameter age: The store's present age.
    func scheduleRetention(dueAt due: Int64, orAnchorAt age: Int64) {
        scheduleRetention(dueAt: min(due, age + clock.microsecondsToNextLook))
    }

    /// Stores the anchor from which the store's age is counted when the store is opened again, unless the stored anchor
    /// is recent enough.
    func keepAnchor() throws(StoreError) {
        guard let anchor = clock.dueAnchor else { return }
        try ClockRow.write(anchor, connection)
        keptAnchor = anchor
    }
}
