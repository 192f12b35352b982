import ReplicaModel
import SQLCipher
import StoreBasics

/// Exchanges clocks between the devices of a group.
extension ReplicaGroupWrites {
    /// The record of this store's clock, for a message that is being sealed.
    var replicaTime: TimeRecord {
        TimeRecord(time: clock.trustedTime.microseconds, isSynchronized: clock.synchronizedTime != nil)
    }

    /// Remembers the clock of the device that has sealed a batch. Clocks in snapshots are ignored, because a chunk may
    /// have waited for a long time.
    func mergeTime(_ record: TimeRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard case .device = merge.origin.channel else { return }
        try recordClockOffset(record.time, of: merge.device)
    }

    /// Remembers the clock of a device as its difference from this store's age. The device's clock showed `time` when
    /// the message arrived, or earlier.
    func recordClockOffset(_ time: Int64, of device: UInt64) throws(StoreError) {
        guard var member = try ReplicaMemberRows.read(device, connection) else { return }
        member.timeOffset = time.clampedDifference(clock.age)
        try ReplicaMemberRows.write(member, connection)
    }

    /// Returns the fewest microseconds for which a message can have been on its way; 0 unless time services set both
    /// clocks.
    func transit(since record: TimeRecord) -> Int64 {
        guard record.isSynchronized, let now = clock.synchronizedTime else { return 0 }
        return max(0, now.microseconds.clampedDifference(record.time))
    }
}
