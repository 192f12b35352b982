import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(2))) struct CrashedDaemonTests {
    @Test func `across several kill -9 writers save every message once, without an error`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for number in 0..<100 {
                            let message = NewMessage(conversation: .sessionID("s\(writer)"), text: "\(number)")
                            let commit = try await client.saveMessage(message)
                            #expect(commit.ids == [message.id])
                        }
                    }
                }
                for _ in 0..<3 {
                    try await Task.sleep(for: .milliseconds(120))
                    try await daemon.restart()
                }
                try await group.waitForAll()
            }
            let statistics = try await client.statistics()
            #expect(statistics.messageCount == 400)
            let changes = try await client.changePage(after: 0, limit: 10_000).changes
            #expect(changes.map(\.revision) == Array(1...statistics.revision))
            #expect(changes.filter { $0.kind == .message && $0.operation == .created }.count == 400)
            for writer in 0..<4 {
                let page = try await client.messagePage(
                    MessageQuery(conversation: .sessionID("s\(writer)"), limit: 1_000, order: .oldestFirst))
                #expect(Set(page.messages.map(\.text)) == Set((0..<100).map(String.init)))
            }
            await client.close()
        }
    }

    @Test func `callers see no error during a graceful restart either`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<200 {
                        try await client.saveMessage(NewMessage(conversation: .sessionID("s"), text: "\(number)"))
                    }
                }
                try await Task.sleep(for: .milliseconds(50))
                #expect(try await daemon.terminate() == .exited(0))
                try await daemon.startAgain()
                try await group.waitForAll()
            }
            #expect(try await client.statistics().messageCount == 200)
        }
    }

    @Test func `while the daemon is down a call ends at its deadline and its error gives the reason`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await daemon.kill9()
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await client.with(deadline: .milliseconds(300)).statistics()
            }
            #expect(error?.code == .deadlineExceeded)
            #expect(error?.message.contains(daemon.socketPath) == true, "\(String(describing: error))")
            try await daemon.startAgain()
            _ = try await client.statistics()
        }
    }
}
