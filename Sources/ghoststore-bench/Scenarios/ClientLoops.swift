internal import StoreBasics
import StoreClient

/// Closed loops through the StoreClient library, one client (and so one connection) for each.
struct ClientLoops: Sendable {
    let socketPath: String
    let clients: Int
    let duration: LoopDuration

    /// - Parameter call: what the numbered loop does in its numbered turn; gives the bytes of content it received.
    func run(
        _ scenario: Scenario,
        _ call: @escaping @Sendable (_ client: StoreClient, _ loop: Int, _ turn: Int) async throws -> Int
    ) async throws -> Measurement {
        var storeClients: [StoreClient] = []
        for _ in 0..<clients {
            storeClients.append(try await StoreClient.connect(to: socketPath))
        }
        var recorder = LoopRecorder(kinds: [scenario.rawValue])
        recorder.begin(duration)
        let empty = recorder
        try await withThrowingTaskGroup(of: LoopRecorder.self) { group in
            for (loop, client) in storeClients.enumerated() {
                group.addTask {
                    var recorder = empty
                    var turn = 0
                    var startedAt = MonotonicClock.nanoseconds
                    while startedAt < recorder.countUntil {
                        let byteCount = try await call(client, loop, turn)
                        turn += 1
                        let answeredAt = MonotonicClock.nanoseconds
                        recorder.record(
                            kind: 0, sentAt: startedAt, answeredAt: answeredAt, byteCount: byteCount, failure: nil)
                        startedAt = answeredAt
                    }
                    return recorder
                }
            }
            for try await part in group {
                recorder.add(part)
            }
        }
        for client in storeClients {
            await client.close()
        }
        return try recorder.measurement(scenario: scenario.rawValue, clientCount: clients)
    }
}
