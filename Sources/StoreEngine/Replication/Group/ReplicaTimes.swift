import StoreBasics

/// How long devices of a group wait before they tell or ask each other something that nothing else makes them. In
/// microseconds.
enum ReplicaTimes {
    /// Between the batches in which a device tells how far it has merged the others.
    static let positions: Int64 = 86_400_000_000
    /// The same where it has told changes.
    static let positionsBesideChanges: Int64 = 600_000_000
    /// What was told of a device is not merged here, and nothing of it is.
    static let behind: Int64 = 600_000_000
    /// A batch waits for its key.
    static let key: Int64 = 120_000_000
    /// Nobody is asked again for the sake of a device before.
    static let askingAgain: Int64 = 21_600_000_000
    /// Since the last chunk of a snapshot, or its request, when another device may be asked for one.
    static let chunk: Int64 = 600_000_000
    /// The same where nothing comes that shows that it is missed.
    static let quietChunk: Int64 = 3_600_000_000

    /// A clock that was set back shows moments that are still to come: nobody waits for these.
    static func hasPassed(_ microseconds: Int64, since moment: Timestamp, now: Timestamp) -> Bool {
        moment > now || moment.advanced(byMicroseconds: microseconds) <= now
    }
}
