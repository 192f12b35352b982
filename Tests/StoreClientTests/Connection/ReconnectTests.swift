import GhostTestSupport
import StoreProtocol
import Testing

@testable import StoreClient

/// A daemon that accepts connections and then ends them.
@Suite(.timeLimit(.minutes(1))) struct ReconnectTests {
    private static let unreadable: [(String, [UInt8])] = [
        ("a frame of length 0", [0, 0, 0, 0]), ("a frame of 4294967295 bytes", [0xff, 0xff, 0xff, 0xff]),
        ("bytes that are not a response", [0, 0, 0, 2, 0xff, 0xff]),
    ]

    /// Returns how many connections the client makes within one second. Pauses that double from 20 ms allow 8
    /// connections, or a few more because a pause may be halved at random.
    private func connections(
        _ behaviour: @escaping StubDaemon.Behaviour
    ) async throws -> (count: Int, error: StoreClientError?) {
        let daemon = try await StubDaemon.start(behaviour)
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) {
            try await client.with(deadline: .seconds(1)).ping()
        }
        await client.close()
        return (daemon.connections, error)
    }

    @Test func `pauses grow between connections to a daemon that greets and closes`() async throws {
        let (count, error) = try await connections { _, connection in connection.close() }
        #expect(count <= 12)
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.message.contains("the daemon closed the connection") == true, "\(String(describing: error))")
    }

    @Test func `pauses grow between connections to a daemon that refuses them, and the caller gets its reason`()
        async throws
    {
        let (count, error) = try await connections { _, connection in
            var nobody = WireRequest()
            nobody.id = 0
            connection.answer(nobody) { response in
                response.error.code = .resourceExhausted
                response.error.reason = "TOO_MANY_CONNECTIONS"
                response.error.message = "so many connections"
            }
            connection.close()
        }
        #expect(count <= 12)
        #expect(error?.message.contains("so many connections") == true, "\(String(describing: error))")
    }

    @Test func `pauses grow between connections to a daemon that keeps saying that it is shutting down`()
        async throws
    {
        let (count, _) = try await connections { request, connection in
            connection.answer(request) { response in
                response.error.code = .unavailable
                response.error.reason = "SHUTTING_DOWN"
            }
            connection.close()
        }
        #expect(count <= 12)
    }

    @Test(arguments: unreadable.indices)
    func `a watch and a follower end with an error if the daemon sends unreadable bytes`(index: Int) async throws {
        let (cause, bytes) = Self.unreadable[index]
        let daemon = try await StubDaemon.start { _, connection in connection.send(bytes) }
        let client = try await StoreClient.connect(to: daemon.path)
        let watched = await #expect(throws: StoreClientError.self) { _ = try await client.watch() }
        let followed = await #expect(throws: StoreClientError.self) {
            for try await _ in client.followLog("events") {}
        }
        for error in [watched, followed] {
            #expect(error?.reason == .answerUnreadable)
            #expect(error?.message.contains(cause) == true, "\(String(describing: error))")
        }
        #expect(daemon.connections <= 3)
        await client.close()
    }

    @Test func `the error of a save whose connection broke does not say that it was unsent`() async throws {
        let daemon = try await StubDaemon.start { _, connection in connection.close() }
        let client = try await StoreClient.connect(to: daemon.path)
        try await daemon.stopListening()
        let error = await #expect(throws: StoreClientError.self) {
            try await client.with(deadline: .milliseconds(300)).saveMessage(
                NewMessage(conversation: .sessionID("s"), text: "t"))
        }
        #expect(daemon.requests.count == 1)
        #expect(error?.message.contains("the call may or may not have had an effect") == true)
    }

    @Test(arguments: [true, false])
    func `an unreadable response with a secret fails its call once, and the client continues`(isFinal: Bool)
        async throws
    {
        let daemon = try await StubDaemon.start { request, connection in
            guard case .addKeySlot = request.call else {
                connection.answer(request) { $0.ping = WirePingResponse() }
                return
            }
            // The fields `id` and `more`, then `add_key_slot` (field 34) with bytes that are not a message.
            let payload: [UInt8] = [0x08, UInt8(request.id), 0x10, isFinal ? 0 : 1, 0x92, 0x02, 0x02, 0xff, 0xff]
            connection.send([0, 0, 0, UInt8(payload.count)] + payload)
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) {
            _ = try await client.addKeySlot(authorizedBy: secretInput("x"), new: .generatedRecoveryCode)
        }
        #expect(error?.reason == .answerUnreadable)
        try await client.ping()
    }

    @Test func `a daemon that announces too large a frame limit is not believed`() async throws {
        let daemon = try await StubDaemon.start(frameBytesMax: .max) { request, connection in
            connection.send([0xff, 0xff, 0xff, 0xff, 1, 2, 3])
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) { try await client.ping() }
        #expect(error?.reason == .answerUnreadable)
        #expect(error?.message.contains("the limit is \(64 << 20)") == true, "\(String(describing: error))")
    }
}
