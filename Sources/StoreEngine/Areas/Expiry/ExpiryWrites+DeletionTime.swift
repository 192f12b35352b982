import StoreBasics

/// The time by which messages are deleted.
extension ExpiryWrites {
    /// `StoreClock.deletionTime` in the transaction.
    var deletionTime: Timestamp {
        get throws(StoreError) {
            try clock.deletionTime(connection)
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
