import SQLCipher
import StoreBasics

/// The time by which messages are deleted.
extension WriteSession {
    /// The believed wall clock, or what the device of the group tells whose clock is furthest behind.
    ///
    /// A device whose clock is ahead of another member's deletes by the other one: where two clocks differ, messages
    /// stay longer.
    var deletionTime: Timestamp {
        get throws(StoreError) {
            try ReplicaMemberRows.deletionTime(clock, connection)
        }
    }

    /// The store's age, for what is kept as a time and no clock that is set anew may end.
    var ageAsTime: Timestamp { Timestamp(microseconds: clock.age) }

    /// The store's age when messages are deleted that are due at a time.
    func deletionAge(of time: Timestamp) throws(StoreError) -> Int64 {
        let age = clock.age
        let wait = time.microseconds.clampedDifference(try deletionTime.microseconds)
        return max(age, Timestamp(microseconds: age).advanced(byMicroseconds: wait).microseconds)
    }

    /// How long ago a time was, at least 0.
    func elapsed(since time: Timestamp) throws(StoreError) -> Int64 {
        max(0, try deletionTime.microseconds.clampedDifference(time.microseconds))
    }
}

extension ReplicaMemberRows {
    /// As `WriteSession.deletionTime`.
    static func deletionTime(_ clock: StoreClock, _ connection: Connection) throws(StoreError) -> Timestamp {
        let own = clock.trustedTime
        guard let offset = try connection.first(selectLeastOffset)?.optionalInteger(0) else { return own }
        return min(own, Timestamp(microseconds: clock.age).advanced(byMicroseconds: offset))
    }

    private static let selectLeastOffset = StatementText(
        """
        SELECT min(time_offset) FROM replica_members
        WHERE removed_through IS NULL AND fault IS NULL AND length(signing_key) > 0
        """)
}
