import StoreBasics
import StoreEngine
import StoreProtocol

/// Of the store's group.
extension MetricsReport {
    func writeReplication(to text: inout MetricsText) {
        text.single(
            "ghoststore_replica_messages_merged", .counter,
            "Messages of the group's log that were handed in and merged, now or before.", totals.replicaMerged)
        text.family(
            "ghoststore_replica_messages_waited", .counter,
            "Messages of the group's log that were handed in and wait for others, by reason.")
        write(to: &text) { $0.isWait }
        text.family(
            "ghoststore_replica_messages_refused", .counter,
            "Messages of the group's log that were handed in and refused, by reason.")
        write(to: &text) { !$0.isWait }
        writeGroup(to: &text)
    }

    /// Also those that were not met: Prometheus sees no increase in a number that was not there before.
    private func write(to text: inout MetricsText, where isMeant: (ReplicaReason) -> Bool) {
        for reason in ReplicaReason.allCases where isMeant(reason) {
            text.sample(totals.replicaNotMerged[reason.position], ["reason": reason.rawValue])
        }
    }

    /// Also of a store without a group: 0.
    private func writeGroup(to text: inout MetricsText) {
        text.family("ghoststore_replica_state", .gauge, "1 for what this store is to its group; 0 without one.")
        for state in ReplicaStatus.State.allCases {
            text.sample(replica?.state == state ? 1 : 0, ["state": state.word])
        }
        let others = (replica?.devices ?? []).filter { $0.removedThrough == nil }
        text.single(
            "ghoststore_replica_devices", .gauge, "Other devices of the group.", UInt64(clamping: others.count))
        text.single(
            "ghoststore_replica_devices_faulty", .gauge, "Other devices of which no more messages are taken.",
            UInt64(clamping: others.count { $0.fault != nil }))
        let missing = others.compactMap(\.missingSince)
        text.single(
            "ghoststore_replica_devices_missing", .gauge,
            "Other devices whose messages are missing here: the group's log has lost them or does not bring them.",
            UInt64(clamping: missing.count))
        text.single(
            "ghoststore_replica_missing_seconds", .gauge,
            "The longest time for which messages of another device are known to be missing here; 0 if none are.",
            missing.map { seconds(since: $0.microseconds) }.max() ?? 0)
        text.single(
            "ghoststore_replica_waiting_messages", .gauge, "Messages that wait to be taken to the group's log.",
            replica?.waitingCount ?? 0)
        text.single(
            "ghoststore_replica_waiting_bytes", .gauge, "Bytes of the messages that wait.",
            replica?.waitingBytes ?? 0)
        text.single(
            "ghoststore_replica_uncollected_revisions", .gauge, "Changes that are in no message yet.",
            replica?.uncollectedRevisions ?? 0)
        text.single(
            "ghoststore_replica_merge_age_seconds", .gauge,
            "Seconds since the last merged message of the device silent longest; 0 without other devices.",
            longestAge(of: others))
    }

    private func longestAge(of devices: [ReplicaStatus.Device]) -> UInt64 {
        seconds(since: devices.compactMap { $0.mergedAt?.microseconds }.min() ?? now.microseconds)
    }

    private func seconds(since moment: Int64) -> UInt64 {
        UInt64(clamping: now.microseconds.subtractingReportingOverflow(moment).partialValue / 1_000_000)
    }
}

extension ReplicaStatus.State {
    /// As labels have it.
    fileprivate var word: String {
        switch self {
        case .joining: "joining"
        case .receiving: "receiving"
        case .member: "member"
        case .removed: "removed"
        case .changed: "changed"
        }
    }
}
