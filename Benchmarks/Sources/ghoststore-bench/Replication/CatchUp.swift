import StoreBasics
import StoreClient

/// Measures how long a device that joins late needs to receive all messages.
struct CatchUp {
    let plan: ReplicationPlan
    /// A device in its own replica group, with its agent.
    let one: GroupDevice
    /// A device that is not in a group yet.
    let two: GroupDevice
    private static let conversationCount = 100
    /// The number of saves in flight.
    private static let window = 16

    func run() async throws -> [CatchUpRow] {
        let dataSet = DataSet(conversationCount: Self.conversationCount, messageCount: plan.messages)
        try await Preload.run(dataSet, clientCount: 1, socketPath: one.socketPath)
        try await one.published()
        let joined = try await seconds {
            try await one.admit(two)
        }
        var rows = [CatchUpRow(work: "joins a store", messages: plan.messages, seconds: joined)]
        two.stopAgent()
        try await saveSingly(dataSet)
        try await one.published()
        let caughtUp = try await seconds {
            try two.startAgent()
        }
        rows.append(CatchUpRow(work: "its agent was off", messages: plan.messages, seconds: caughtUp))
        return rows
    }

    /// Returns the time from the beginning of `begin` until the second device has all messages.
    private func seconds(_ begin: () async throws -> Void) async throws -> Double {
        let wanted = try await one.messageCount
        let startedAt = MonotonicClock.nanoseconds
        try await begin()
        let endedAt = try await waiting("the second device has all messages", with: [one, two]) {
            try await two.messageCount == wanted
        }
        try await waiting("the devices are in step", with: [one, two]) { try await two.isInStep(with: one) }
        return Double(endedAt - startedAt) / 1e9
    }

    /// Saves `plan.messages` further messages, each with its own request.
    private func saveSingly(_ dataSet: DataSet) async throws {
        let client = one.client
        let (first, end) = (dataSet.messageCount, dataSet.messageCount + plan.messages)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<Self.window {
                group.addTask {
                    for number in stride(from: first + lane, to: end, by: Self.window) {
                        try await client.saveMessage(dataSet.message(number))
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
