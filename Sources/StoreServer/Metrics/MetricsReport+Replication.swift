import StoreBasics
import StoreEngine
import StoreProtocol

extension MetricsReport {
    func writeReplication(to text: inout MetricsText) {
        text.single(
            "ghoststore_replica_messages_merged", .counter,
            """
            Messages from the replica group's stream that the agent delivered and the store merged; a message that is \
            delivered twice counts twice.
            """, totals.replicaMerged)
        text.family(
            "ghoststore_replica_messages_waited", .counter,
            "Messages from the replica group's stream that could not be merged yet when they arrived, by reason.")
        write(to: &text) { $0.isWait }
        text.family(
            "ghoststore_replica_messages_refused", .counter,
            "Messages from the replica group's stream that were refused, by reason.")
        write(to: &text) { !$0.isWait }
        writeGroup(to: &text)
    }

    /// Writes a sample for each reason that `isMeant` accepts, even if the reason has not occurred, because Prometheus
    /// sees no increase in a counter that did not exist before.
    private func write(to text: inout MetricsText, where isMeant: (ReplicaReason) -> Bool) {
        for reason in ReplicaReason.allCases where isMeant(reason) {
            text.sample(totals.replicaNotMerged[reason.position], ["reason": reason.rawValue])
        }
    }

    /// Writes the metrics of the replica group; they are 0 for a store without a group.
    private func writeGroup(to text: inout MetricsText) {
        text.family(
            "ghoststore_replica_state", .gauge, "1 for the store's state in its replica group, 0 for other states.")
        for state in ReplicaStatus.State.allCases {
            text.sample(replica?.state == state ? 1 : 0, ["state": state.word])
        }
        let others = (replica?.devices ?? []).filter { $0.removedThrough == nil }
        text.single(
            "ghoststore_replica_devices", .gauge, "Other devices of the replica group.", UInt64(clamping: others.count))
        text.single(
            "ghoststore_replica_devices_faulty", .gauge, "Other devices whose messages this store no longer accepts.",
            UInt64(clamping: others.count { $0.fault != nil }))
        let missing = others.compactMap(\.missingSince)
        text.single(
            "ghoststore_replica_devices_missing", .gauge,
            "Other devices whose messages are missing here because the stream has lost them or does not deliver them.",
            UInt64(clamping: missing.count))
        text.single(
            "ghoststore_replica_missing_seconds", .gauge,
            "Longest time in seconds that messages of another device have been missing; 0 if none are missing.",
            missing.map { seconds(since: $0.microseconds) }.max() ?? 0)
        text.single(
            "ghoststore_replica_waiting_messages", .gauge,
            "Messages that wait to be published in the replica group's stream.",
            replica?.waitingCount ?? 0)
        text.single(
            "ghoststore_replica_waiting_bytes", .gauge, "Bytes of the messages that wait to be published.",
            replica?.waitingBytes ?? 0)
        text.single(
            "ghoststore_replica_uncollected_revisions", .gauge,
            "Changes that are not in a message for the replica group yet.",
            replica?.uncollectedRevisions ?? 0)
        text.single(
            "ghoststore_replica_merge_age_seconds", .gauge,
            "Longest time in seconds that another device has gone without a merged message; 0 without other devices.",
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
    /// The word for the state in metric labels.
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
