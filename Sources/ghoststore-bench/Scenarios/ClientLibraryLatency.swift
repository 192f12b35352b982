import StoreClient

/// The cost an application sees: the same requests through the StoreClient library, one client (and so one
/// connection) for each of the closed loops.
struct ClientLibraryLatency {
    let socketPath: String
    let dataSet: DataSet

    func get(clients: Int, _ duration: LoopDuration) async throws -> Measurement {
        let dataSet = dataSet
        return try await loops(.clientGet, clients: clients, duration) { client, loop, turn in
            let number = Int(SplitMix.mix(UInt64(turn * clients + loop)) % UInt64(dataSet.messageCount))
            _ = try await client.message(dataSet.messageID(number).text)
        }
    }

    func save(firstMessage: Int, clients: Int, _ duration: LoopDuration) async throws -> Measurement {
        let dataSet = dataSet
        return try await loops(.clientSave, clients: clients, duration) { client, loop, turn in
            let number = firstMessage + turn * clients + loop
            _ = try await client.saveMessage(
                NewMessage(
                    id: dataSet.messageID(number).text,
                    conversation: .id(dataSet.clientConversationID(loop).text),
                    text: SampleTexts.all[number % SampleTexts.all.count], senderSessionID: DataSet.ownSessionID,
                    recipientSessionID: dataSet.sessionID(ofConversation: 0), isOutgoing: true))
        }
    }

    /// - Parameter call: one call, of the numbered loop, in its numbered turn.
    private func loops(
        _ scenario: Scenario, clients: Int, _ duration: LoopDuration,
        _ call: @escaping @Sendable (_ client: StoreClient, _ loop: Int, _ turn: Int) async throws -> Void
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
                    var startedAt = MonotonicClock.nanoseconds()
                    while startedAt < recorder.countUntil {
                        try await call(client, loop, turn)
                        turn += 1
                        let answeredAt = MonotonicClock.nanoseconds()
                        recorder.record(
                            kind: 0, sentAt: startedAt, answeredAt: answeredAt, byteCount: 0, failure: nil)
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
