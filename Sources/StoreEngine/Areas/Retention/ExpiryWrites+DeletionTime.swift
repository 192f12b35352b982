import SQLCipher
import StoreBasics

/// The time by which messages are deleted.
extension ExpiryWrites {
    /// The believed wall clock, or the clock of the group's member that is furthest behind, if that is earlier.
    ///
    /// A device whose clock is ahead deletes by the clock of another member: if two clocks differ, messages stay
    /// longer.
    var deletionTime: Timestamp {
        get throws(StoreError) {
            try ReplicaMemberRows.deletionTime(clock, connection)
        }
    }

    /// The store's age as a `Timestamp`, for ends that setting the clock must not move.
    var ageAsTime: Timestamp { Timestamp(microseconds: clock.age) }

    /// Returns the store's age at which messages that are due at a time are deleted.
    func deletionAge(of time: Timestamp) throws(StoreError) -> Int64 {
        let age = clock.age
        let wait = time.microseconds.clampedDifference(try deletionTime.microseconds)
        return max(age, Timestamp(microseconds: age).advanced(byMicroseconds: wait).microseconds)
    }

    /// Returns how long ago a time was, at least 0.
    func elapsed(since time: Timestamp) throws(StoreError) -> Int64 {
        max(0, try deletionTime.microseconds.clampedDifference(time.microseconds))
    }
}

extension ReplicaMemberRows {
    /// Returns `ExpiryWrites.deletionTime`.
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
