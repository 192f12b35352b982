import ReplicaModel
import SQLCipher
import StoreBasics

/// The exchange of clocks between the devices of a group.
extension ReplicaGroupWrites {
    /// The record of this store's clock, for a message that is sealed now.
    var replicaTime: TimeRecord {
        TimeRecord(time: clock.trustedTime.microseconds, isSynchronized: clock.synchronizedTime != nil)
    }

    /// Remembers the clock of the device that has sealed a batch. A chunk of a snapshot may have waited for long.
    func mergeTime(_ record: TimeRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard case .device = merge.origin.channel else { return }
        try noteTime(record.time, of: merge.device)
    }

    /// Remembers the clock of a device as its difference from this store's age. The device's clock showed that time
    /// when the message arrived, or earlier.
    func noteTime(_ time: Int64, of device: UInt64) throws(StoreError) {
        guard var member = try ReplicaMemberRows.read(device, connection) else { return }
        member.timeOffset = time.clampedDifference(clock.age)
        try ReplicaMemberRows.write(member, connection)
    }

    /// Returns how long a message was surely on its way: 0 unless time services keep both clocks.
    func transit(since record: TimeRecord) -> Int64 {
        guard record.isSynchronized, let now = clock.synchronizedTime else { return 0 }
        return max(0, now.microseconds.clampedDifference(record.time))
    }
}
