import GhostTestSupport
import StoreClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct NewMessageTests {
    private func save(_ texts: [String], to session: String, _ client: StoreClient) async throws {
        for text in texts {
            try await client.saveMessage(NewMessage(conversation: .sessionID(session), text: text))
        }
    }

    private func take(_ count: Int, from stream: MessageStream) async throws -> [String] {
        var texts: [String] = []
        for try await message in stream {
            texts.append(message.text)
            if texts.count == count {
                break
            }
        }
        return texts
    }

    @Test(arguments: [false, true])
    func `new messages of a conversation arrive with their text, by its id or its session id`(isByID: Bool) async throws
    {
        try await withDaemonAndClient { _, client in
            let conversation = try await client.getOrCreateConversation(sessionID: "05a")
            let stream = try await client.newMessages(in: isByID ? .id(conversation.id) : .sessionID("05a"))
            try await save(["one"], to: "05a", client)
            try await save(["not this"], to: "05b", client)
            try await save(["two"], to: "05a", client)
            #expect(try await take(2, from: stream) == ["one", "two"])
        }
    }

    @Test func `a conversation that does not exist is an error`() async throws {
        try await withDaemonAndClient { _, client in
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await client.newMessages(in: .sessionID("05a"))
            }
            #expect(error?.reason == .conversationNotFound)
        }
    }

    @Test func `edits are not new messages, and a message deleted before it is read is left out`() async throws {
        try await withDaemonAndClient { _, client in
            let stream = try await client.newMessages()
            let gone = NewMessage(conversation: .sessionID("05a"), text: "gone")
            let kept = NewMessage(conversation: .sessionID("05a"), text: "kept")
            try await client.saveMessages([gone, kept])
            try await client.editMessage(kept.id, text: "edited")
            try await client.deleteMessages([gone.id])
            try await save(["last"], to: "05a", client)
            #expect(try await take(2, from: stream) == ["edited", "last"])
        }
    }

    @Test func `an outage longer than the deadline of calls loses no message`() async throws {
        try await withDaemon { daemon in
            var configuration = ClientConfiguration()
            // A running daemon answers within this time, even on a slow machine.
            configuration.callDeadline = .seconds(1)
            let follower = try await daemon.connect(configuration: configuration)
            let writer = try await daemon.connect()
            let stream = try await follower.newMessages()
            let texts = (0..<20).map(String.init)
            try await save(texts, to: "05a", writer)
            #expect(try await take(5, from: stream) == Array(texts.prefix(5)))
            try await daemon.kill9()
            async let rest = take(15, from: stream)
            // While the daemon is stopped, other calls of the same client fail.
            let error = await #expect(throws: StoreClientError.self) { try await follower.ping() }
            #expect(error?.code == .deadlineExceeded)
            try await daemon.startAgain()
            #expect(try await rest == Array(texts.dropFirst(5)))
            await follower.close()
            await writer.close()
        }
    }

    @Test func `a stream continues from a stored position, which is refused after a restore`() async throws {
        try await withDaemonAndClient { _, client in
            let start = try await client.status().position
            try await save(["one", "two"], to: "05a", client)
            let first = try await client.newMessages(in: .sessionID("05a"), after: start)
            #expect(try await take(1, from: first) == ["one"])
            let kept = first.position
            #expect(kept == StorePosition(revision: first.revision, historyID: first.historyID))
            #expect(try await take(1, from: try await client.newMessages(after: kept)) == ["two"])
            #expect(try await take(2, from: try await client.newMessages(after: .beginning)) == ["one", "two"])
            let backup = try await client.createBackup()
            _ = try await client.restoreBackup(backup.name, replaceExisting: true)
            let error = await #expect(throws: StoreClientError.self) { _ = try await client.newMessages(after: kept) }
            #expect(error?.reason == .historyChanged)
        }
    }

    @Test func `after an error another stream continues at the last revision`() async throws {
        try await withDaemon { daemon in
            let client = try await daemon.connect()
            let first = try await client.newMessages()
            try await save(["one", "two", "three"], to: "05a", client)
            #expect(try await take(1, from: first) == ["one"])
            await client.close()
            await #expect(throws: StoreClientError.self) { try await take(2, from: first) }
            let other = try await daemon.connect()
            let second = try await other.newMessages(after: first.revision)
            #expect(try await take(2, from: second) == ["two", "three"])
            await other.close()
        }
    }
}
