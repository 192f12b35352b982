import StoreBasics

/// What a daemon's own clients pay for the group that their store is in.
struct SaveCost {
    /// A store that is measured, with the device that follows it, if one does.
    struct Candidate {
        let name: String
        let device: GroupDevice
        var follower: GroupDevice?
        let dataSet: DataSet
    }

    private struct Seen {
        var measurement: Measurement
        var processorMicroseconds: Double
    }

    let plan: ReplicationPlan
    /// The first one is what the others are compared with.
    let candidates: [Candidate]

    func run() async throws -> [SaveCostRow] {
        var runners = candidates.map { ScenarioRunner(socketPath: $0.device.socketPath, dataSet: $0.dataSet) }
        var rows: [SaveCostRow] = []
        for clients in ReplicationPlan.clientCounts {
            var seen = candidates.map { _ in [Seen]() }
            for round in 0..<plan.rounds {
                for turn in candidates.indices {
                    // Who comes first has the machine as the one before it left it.
                    let index = (turn + round) % candidates.count
                    let device = candidates[index].device
                    let before = try ProcessTime.microseconds(processID: device.daemon.processID)
                    let measurement = try await runners[index].run(.save, clients: clients, duration: plan.duration)
                    let after = try ProcessTime.microseconds(processID: device.daemon.processID)
                    let count = measurement.requestsPerSecond * (plan.duration.seconds + plan.duration.warmUpSeconds)
                    seen[index].append(
                        Seen(measurement: measurement, processorMicroseconds: (after - before) / max(count, 1)))
                    try await settle(candidates[index])
                }
            }
            for (index, candidate) in candidates.enumerated() {
                rows.append(Self.row(candidate.name, clients, seen[index], comparedWith: seen[0]))
            }
        }
        return rows
    }

    /// What is behind must not take time from the next.
    private func settle(_ candidate: Candidate) async throws {
        guard let follower = candidate.follower else { return }
        try await waiting("\(follower.name) has all", with: [candidate.device, follower]) {
            try await follower.isInStep(with: candidate.device)
        }
    }

    private static func row(
        _ store: String, _ clients: Int, _ seen: [Seen], comparedWith plain: [Seen]
    ) -> SaveCostRow {
        func median(_ value: (Seen) -> Double) -> Double { seen.map(value).median }
        func ratio(_ value: (Measurement) -> Double) -> Double {
            zip(seen, plain).map { value($0.measurement) / value($1.measurement) }.median
        }
        return SaveCostRow(
            store: store, clients: clients, roundCount: seen.count,
            savesPerSecond: median(\.measurement.requestsPerSecond),
            p50Microseconds: median(\.measurement.latencyMicroseconds.p50),
            p99Microseconds: median(\.measurement.latencyMicroseconds.p99),
            daemonMicrosecondsPerSave: median(\.processorMicroseconds),
            savesRatio: ratio(\.requestsPerSecond), p50Ratio: ratio(\.latencyMicroseconds.p50))
    }
}
