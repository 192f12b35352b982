import StoreBasics

/// Saves messages on one device, then on two devices at once. Measures the messages per second from the first save
/// until both devices have all messages.
struct GroupThroughput {
    let plan: ReplicationPlan
    let one: GroupDevice
    let two: GroupDevice
    /// The data set of each device. The messages of the two data sets have different ids.
    let dataSets: (DataSet, DataSet)

    func run() async throws -> [GroupThroughputRow] {
        var runners = (
            ScenarioRunner(socketPath: one.socketPath, dataSet: dataSets.0),
            ScenarioRunner(socketPath: two.socketPath, dataSet: dataSets.1)
        )
        var rows: [GroupThroughputRow] = []
        for clients in ReplicationPlan.clientCounts {
            rows.append(
                try await row("saved on one device, \(Self.text(clients))") {
                    [try await runners.0.run(.save, clients: clients, duration: plan.duration)]
                })
        }
        for clients in ReplicationPlan.clientCounts {
            rows.append(
                try await row("saved on both at once, \(Self.text(clients)) each") {
                    try await Self.both(&runners, clients: clients, plan.duration)
                })
        }
        return rows
    }

    private static func text(_ clients: Int) -> String {
        "\(clients) client\(clients == 1 ? "" : "s")"
    }

    private static func both(
        _ runners: inout (ScenarioRunner, ScenarioRunner), clients: Int, _ duration: LoopDuration
    ) async throws -> [Measurement] {
        let started = runners
        let finished = try await withThrowingTaskGroup(of: (ScenarioRunner, Measurement, isFirst: Bool).self) { group in
            for (runner, isFirst) in [(started.0, true), (started.1, false)] {
                group.addTask {
                    var runner = runner
                    let measurement = try await runner.run(.save, clients: clients, duration: duration)
                    return (runner, measurement, isFirst)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (runner, _, isFirst) in finished {
            if isFirst { runners.0 = runner } else { runners.1 = runner }
        }
        return finished.map(\.1)
    }

    private func row(_ work: String, _ save: () async throws -> [Measurement]) async throws -> GroupThroughputRow {
        let before = try await one.messageCount
        let startedAt = MonotonicClock.nanoseconds
        let measurements = try await save()
        let savedAt = MonotonicClock.nanoseconds
        let completeAt = try await waiting("both devices have all messages", with: [one, two]) {
            guard try await two.isInStep(with: one) else { return false }
            return try await one.isInStep(with: two)
        }
        let count = try await one.messageCount
        guard try await two.messageCount == count else { throw BenchError("the devices have different messages") }
        return GroupThroughputRow(
            work: work, messages: count - before,
            savedPerSecond: measurements.reduce(0) { $0 + $1.requestsPerSecond },
            behindSeconds: Double(completeAt - savedAt) / 1e9,
            messagesPerSecond: Double(count - before) / (Double(completeAt - startedAt) / 1e9))
    }
}
