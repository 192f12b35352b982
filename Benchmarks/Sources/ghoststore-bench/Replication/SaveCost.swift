import StoreBasics

/// Measures what replication costs the clients of a daemon.
struct SaveCost {
    /// A measured store, and the other device of its replica group if there is one.
    struct Candidate {
        let name: String
        let device: GroupDevice
        var follower: GroupDevice?
        let dataSet: DataSet
    }

    private struct Seen {
        var measurement: Measurement
        var processorMicroseconds: Double
        var behindSeconds: Double
    }

    let plan: ReplicationPlan
    let loads: [SaveLoad]
    /// The measured stores. Each of them is compared with the first one.
    let candidates: [Candidate]

    func run() async throws -> [SaveCostRow] {
        var runners = candidates.map { ScenarioRunner(socketPath: $0.device.socketPath, dataSet: $0.dataSet) }
        var rows: [SaveCostRow] = []
        for load in loads {
            var seen = candidates.map { _ in [Seen]() }
            for round in 0..<plan.rounds {
                for turn in candidates.indices {
                    // The order rotates, because each candidate finds the machine as the previous one left it.
                    let index = (turn + round) % candidates.count
                    seen[index].append(try await measure(candidates[index], &runners[index], load))
                }
            }
            for (index, candidate) in candidates.enumerated() {
                rows.append(Self.row(candidate.name, load, seen[index], comparedWith: seen[0]))
            }
        }
        return rows
    }

    private func measure(
        _ candidate: Candidate, _ runner: inout ScenarioRunner, _ load: SaveLoad
    ) async throws -> Seen {
        let daemon = candidate.device.daemon
        let before = try ProcessTime.microseconds(processID: daemon.processID)
        let measurement = try await Self.save(load, &runner, plan.duration)
        let after = try ProcessTime.microseconds(processID: daemon.processID)
        let count = measurement.requestsPerSecond * (plan.duration.seconds + plan.duration.warmUpSeconds)
        return Seen(
            measurement: measurement, processorMicroseconds: (after - before) / max(count, 1),
            behindSeconds: try await settle(candidate))
    }

    private static func save(
        _ load: SaveLoad, _ runner: inout ScenarioRunner, _ duration: LoopDuration
    ) async throws -> Measurement {
        switch load {
        case .closed(let clients): try await runner.run(.save, clients: clients, duration: duration)
        case .paced(let perSecond):
            try runner.runPacedSaves(perSecond: perSecond, clients: load.clients, duration: duration)
        }
    }

    /// Waits until the search index and the group have processed all saves, so that this work does not slow down the
    /// next measurement.
    ///
    /// - Returns: the seconds until the follower had all messages.
    private func settle(_ candidate: Candidate) async throws -> Double {
        let startedAt = MonotonicClock.nanoseconds
        var endedAt = startedAt
        if let follower = candidate.follower {
            endedAt = try await waiting("\(follower.name) has all", with: [candidate.device, follower]) {
                try await follower.isInStep(with: candidate.device)
            }
        }
        let daemons = [candidate.device, candidate.follower].compactMap { $0?.daemon.processID }
        var before = Double.infinity
        try await waiting("nothing is left to do", everyMilliseconds: Self.restMilliseconds) {
            let now = try daemons.map { try ProcessTime.microseconds(processID: $0) }.reduce(0, +)
            defer { before = now }
            return now - before < Self.restMicrosecondsMax && before.isFinite
        }
        return Double(endedAt - startedAt) / 1e9
    }

    /// The daemons count as idle if together they use less than `restMicrosecondsMax` of processor time within
    /// `restMilliseconds`.
    private static let restMilliseconds = 300
    private static let restMicrosecondsMax = 15_000.0

    private static func row(
        _ store: String, _ load: SaveLoad, _ seen: [Seen], comparedWith plain: [Seen]
    ) -> SaveCostRow {
        func median(_ value: (Seen) -> Double) -> Double { seen.map(value).median }
        func ratio(_ value: (Measurement) -> Double) -> Double {
            zip(seen, plain).map { value($0.measurement) / value($1.measurement) }.median
        }
        return SaveCostRow(
            store: store, clients: load.clients, askedPerSecond: load.perSecond, roundCount: seen.count,
            savesPerSecond: median(\.measurement.requestsPerSecond),
            p50Microseconds: median(\.measurement.latencyMicroseconds.p50),
            p99Microseconds: median(\.measurement.latencyMicroseconds.p99),
            daemonMicrosecondsPerSave: median(\.processorMicroseconds), behindSeconds: median(\.behindSeconds),
            savesRatio: ratio(\.requestsPerSecond), p50Ratio: ratio(\.latencyMicroseconds.p50),
            p99Ratio: ratio(\.latencyMicroseconds.p99),
            roundRatios: zip(seen, plain).map {
                $0.measurement.requestsPerSecond / $1.measurement.requestsPerSecond
            })
    }
}
