import StoreBasics

/// Computes the times and ages at which messages are deleted.
extension ExpiryWrites {
    /// The present time for deleting messages in this transaction (`StoreClock.deletionTime`).
    var deletionTime: Timestamp {
        get throws(StoreError) {
            try clock.deletionTime(connection)
        }
    }

    /// The store's age as a `Timestamp`, for deadlines that a change of the wall clock must not move.
    var ageAsTime: Timestamp { Timestamp(microseconds: clock.age) }

    /// Returns the store's age at which messages that are due at a time are deleted.
    func deletionAge(of time: Timestamp) throws(StoreError) -> Int64 {
        let age = clock.age
        let wait = time.microseconds.clampedDifference(try deletionTime.microseconds)
        return max(age, Timestamp(microseconds: age).advanced(byMicroseconds: wait).microseconds)
    }

    /// Returns the number of microseconds since `time`; 0 if `time` is in the future.
    func elapsed(since time: Timestamp) throws(StoreError) -> Int64 {
        max(0, try deletionTime.microseconds.clampedDifference(time.microseconds))
    }
}
