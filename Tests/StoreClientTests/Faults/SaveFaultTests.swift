import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(FaultRun.minutesMax))) struct SaveFaultTests {
    @Test(arguments: FaultPattern.all)
    func `every save is stored exactly once and ends before its deadline`(_ pattern: FaultPattern) async throws {
        try await withDaemon { daemon in
            try await withProxy(to: daemon.socketPath, seed: Settings.seed("CLIENT_FAULT_SEED")) { proxy in
                let client = try await FaultRun.connect(proxy, pattern.faults)
                try await FaultRun.spread(pattern.callCount) { task, number in
                    let start = ContinuousClock.now
                    try await client.saveMessage(NewMessage(conversation: .sessionID("s\(task)"), text: "\(number)"))
                    #expect(ContinuousClock.now - start < FaultRun.callDeadline)
                }
                await client.close()
                #expect(proxy.faultCount > 1, "the proxy did nothing: \(proxy.connectionCount) connections")
            }
            let reader = try await daemon.connect()
            for task in 0..<FaultRun.taskCount {
                let expected = stride(from: task, to: pattern.callCount, by: FaultRun.taskCount).map(String.init)
                #expect(try await texts(reader, "s\(task)") == expected)
            }
            await reader.close()
        }
    }

    private func texts(_ client: StoreClient, _ session: String) async throws -> [String] {
        var texts: [String] = []
        var query: MessageQuery? = MessageQuery(conversation: .sessionID(session), limit: 1_000, order: .oldestFirst)
        while let asked = query {
            let page = try await client.messagePage(asked)
            texts += page.messages.map(\.text)
            query = asked.next(after: page)
        }
        return texts
    }
}
