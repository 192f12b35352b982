import StoreBasics

/// The times for which devices of a group wait before they report positions or ask for something that is missing. In
/// microseconds.
enum ReplicaTimes {
    /// Between the batches in which a device reports the positions of the others.
    static let positions: Int64 = 86_400_000_000
    /// Between such batches if the device also publishes changes.
    static let positionsBesideChanges: Int64 = 600_000_000
    /// Without any merged batch of a device, although others reported batches of it that are missing here.
    static let behind: Int64 = 600_000_000
    /// Until a device is asked for the key that a batch waits for.
    static let key: Int64 = 120_000_000
    /// Between two requests because of the same device.
    static let askingAgain: Int64 = 21_600_000_000
    /// Since the last chunk of a snapshot or the request for it, until another device may be asked.
    static let chunk: Int64 = 600_000_000
    /// Since the last chunk of a snapshot or the request for it, if no received message shows that the snapshot is
    /// needed.
    static let quietChunk: Int64 = 3_600_000_000

    /// Returns whether a time has passed. A moment in the future counts as passed, because the clock was set back
    /// since.
    static func hasPassed(_ microseconds: Int64, since moment: Timestamp, now: Timestamp) -> Bool {
        moment > now || moment.advanced(byMicroseconds: microseconds) <= now
    }
}
