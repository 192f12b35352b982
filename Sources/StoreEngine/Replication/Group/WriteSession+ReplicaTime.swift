import ReplicaModel
import SQLCipher
import StoreBasics

/// What devices of a group tell each other of their clocks.
extension WriteSession {
    /// What this store's clock shows, for a message that is sealed now.
    var replicaTime: TimeRecord {
        TimeRecord(time: clock.trustedTime.microseconds, isSynchronized: clock.synchronizedTime != nil)
    }

    /// Remembers the clock of the device that has sealed a batch. A chunk of a snapshot may have waited for long.
    func mergeTime(_ record: TimeRecord, _ merge: ReplicaMergeStep) throws(StoreError) {
        guard case .device = merge.origin.channel else { return }
        try noteTime(record.time, of: merge.device)
    }

    /// What a device has told of its clock is kept as its distance from this store's age: the moment that the message
    /// came is the latest at which the clock may have shown that.
    func noteTime(_ time: Int64, of device: UInt64) throws(StoreError) {
        guard var member = try ReplicaMemberRows.read(device, connection) else { return }
        member.timeOffset = time.clampedDifference(clock.age)
        try ReplicaMemberRows.write(member, connection)
    }

    /// How long a message was on its way at least: nothing is known of that unless time services keep both clocks.
    func transit(since record: TimeRecord) -> Int64 {
        guard record.isSynchronized, let now = clock.synchronizedTime else { return 0 }
        return max(0, now.microseconds.clampedDifference(record.time))
    }
}
