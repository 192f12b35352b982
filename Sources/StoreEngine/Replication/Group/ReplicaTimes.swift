import StoreBasics

/// The times for which devices of a group wait before they report positions, or ask for something that is missing. In
/// microseconds.
enum ReplicaTimes {
    /// The time between two batches with positions.
    static let positions: Int64 = 86_400_000_000
    /// The time after which a device reports the changes of others that it has merged, even if it has no changes of its
    /// own to publish.
    static let answer: Int64 = 60_000_000
    /// The time after which reported batches of a device count as missing, if none of its batches was merged meanwhile.
    static let behind: Int64 = 600_000_000
    /// The longest time for which a batch waits for the batches of other devices on which it is based.
    static let order: Int64 = 60_000_000
    /// The time after which a device is asked for the key that a batch waits for.
    static let key: Int64 = 120_000_000
    /// The time after which the missing batches of a device may be requested again, or a missing content after every
    /// device was asked for it.
    static let askingAgain: Int64 = 21_600_000_000
    /// The quiet time after which a missing content is requested, or requested from the next device. Time is quiet
    /// while no part of the content arrives, and no other data of the device whose batch refers to the content or that
    /// was asked last.
    static let contentQuiet: Int64 = 60_000_000
    /// The time after which another device may be asked for a snapshot. It begins with the snapshot's last merged
    /// chunk, or with the request if no chunk was merged.
    static let chunk: Int64 = 600_000_000
    /// The time after which another device may be asked for a snapshot, if no received message shows that the snapshot
    /// is needed.
    static let quietChunk: Int64 = 3_600_000_000

    /// Returns whether at least this time has passed since `moment`. Also returns true if `moment` is in the future,
    /// because the clock was then set back.
    static func hasPassed(_ microseconds: Int64, since moment: Timestamp, now: Timestamp) -> Bool {
        moment > now || moment.advanced(byMicroseconds: microseconds) <= now
    }
}
