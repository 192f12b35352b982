import GhostTestSupport
import StoreClient
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServiceTests {
    @Test func `the daemon reports its version, the caller's user and the store's state`() async throws {
        try await withDaemonAndClient { daemon, client in
            try await client.ping()
            let server = try await client.hello()
            #expect(server.protocolVersion == 1)
            #expect(server.userID == 0 || server.userID > 0)
            #expect(server.frameBytesMax >= 1 << 20)
            let status = try await client.status()
            #expect(status.storeState == .open)
            #expect(status.processID == Int(daemon.processID ?? 0))
            #expect(status.serverVersion == server.serverVersion)
            #expect(status.connectionCount >= 1)
            #expect(!status.sqliteVersion.isEmpty && !status.libsodiumVersion.isEmpty)
            #expect(status.schemaVersion >= 1)
        }
    }

    @Test func `metrics are returned as Prometheus text`() async throws {
        try await withDaemonAndClient { _, client in
            let text = try await client.metrics()
            #expect(text.contains("# TYPE "))
            #expect(text.contains("ghoststore"))
        }
    }

    @Test func `the error of an absent socket has its path and a hint`() async throws {
        let directory = try TemporaryDirectory()
        let error = await #expect(throws: StoreClientError.self) {
            _ = try await StoreClient.connect(to: directory.file("none"))
        }
        #expect(error?.reason == .socketAbsent)
        #expect(
            error?.message
                == "no socket at \(directory.file("none")); hint: start ghoststored, or give the path of its socket")
    }

    @Test func `a socket without a daemon gives another error than an absent one`() async throws {
        try await withDaemon { daemon in
            try await daemon.kill9()
            let error = await #expect(throws: StoreClientError.self) { _ = try await daemon.connect() }
            #expect(error?.reason == .daemonUnreachable)
            #expect(error?.message.contains("start ghoststored again") == true)
        }
    }

    @Test func `64 parallel tasks on one client each get their own responses`() async throws {
        try await withDaemonAndClient { _, client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        for round in 0..<10 {
                            let text = "text \(task) \(round)"
                            let message = NewMessage(conversation: .sessionID("s\(task)"), text: text)
                            let commit = try await client.saveMessage(message)
                            #expect(commit.ids == [message.id])
                            #expect(try await client.message(message.id).text == text)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let statistics = try await client.statistics()
            #expect(statistics.messageCount == 640)
            #expect(statistics.conversationCount == 64)
        }
    }

    @Test func `rpc speaks protobuf JSON and keeps the caller's request id`() async throws {
        try await withDaemonAndClient { _, client in
            let lines = Lines()
            try await client.rpc(json: #"{"id":"77","ping":{}}"#) { lines.append($0) }
            try await client.rpc(json: #"{"id":"78","getMessage":{"id":"none"}}"#) { lines.append($0) }
            #expect(lines.all[0] == #"{"id":"77","ping":{}}"#)
            #expect(lines.all[1].contains("MESSAGE_NOT_FOUND") && lines.all[1].contains(#""id":"78""#))
        }
    }
}
