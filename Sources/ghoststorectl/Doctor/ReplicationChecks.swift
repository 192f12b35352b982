import StoreClient

/// Checks of the store's replica group, if there is one and this user may see it.
extension DaemonChecks {
    /// The largest normal number of messages that wait to be published. A running agent publishes each message within
    /// seconds.
    private static let waitingCountMax = 64

    func replication() async -> [Finding] {
        guard let status = try? await client.replicaStatus() else { return [] }
        let problems = status.advice.map { advice in
            Finding.problem(.replication, advice, mend: "ghoststorectl replication status")
        }
        guard problems.isEmpty else { return problems }
        guard status.waitingCount <= Self.waitingCountMax else {
            return [
                .problem(
                    .replication,
                    "\(Quantity.count(status.waitingCount, "sealed message")) for the group "
                        + "(\(Quantity.bytes(status.waitingBytes))) are waiting: ghoststore-sync does not send them",
                    mend: "\(place.systemctl) status ghoststore-sync.service")
            ]
        }
        let late = status.devices.filter { status.lag(of: $0) != nil }.map { device in
            let heard = device.mergedAt.map { "last heard \($0.shortText(.utc))" } ?? "not heard yet"
            return Finding.note(
                .replication,
                "this store is not in step with \(device.name) (\(heard)): \(status.lag(of: device) ?? "")",
                mend: "ghoststorectl replication status")
        }
        let lost = status.lostEdits.map { Finding.note(.replication, $0, mend: "ghoststorectl replication lost-edits") }
        let notes = late + [lost].compactMap { $0 }
        guard notes.isEmpty else { return notes }
        let others = status.devices.filter { $0.removedThrough == nil }
        return [
            .ok(
                .replication,
                "the state of this device in the replica group is \(status.state.rawValue), in step with "
                    + Quantity.count(others.count, "other device"))
        ]
    }
}
