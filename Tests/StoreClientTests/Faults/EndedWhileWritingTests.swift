import GhostTestSupport
import StoreProtocol
import Testing

@testable import StoreClient

/// The connection has ended, and the client notices this only when it writes. In this case SwiftNIO reports the end
/// before the write returns, and the client may already connect again within the same write.
@Suite(.timeLimit(.minutes(1))) struct EndedWhileWritingTests {
    /// Runs `submit` with a client whose next calls are written to a connection that the daemon has already closed.
    private func withEndedConnection(
        _ submit: (StoreClient, Endings) throws -> Void, _ check: (StubDaemon, Endings) async throws -> Void
    ) async throws {
        let daemon = try await StubDaemon.start { request, connection in
            connection.answer(request) { $0.ping = WirePingResponse() }
        }
        try await withProxy(to: daemon.path, seed: 1) { proxy in
            let client = try await StoreClient.connect(to: proxy.socketPath)
            try await client.ping()
            let endings = Endings()
            let loops = await HeldEventLoops.hold()
            proxy.dropConnections()
            do {
                try submit(client, endings)
            } catch {
                loops.release()
                throw error
            }
            loops.release()
            try await check(daemon, endings)
            await client.close()
        }
    }

    @Test func `calls are sent over the next connection in their order`() async throws {
        try await withEndedConnection { client, endings in
            for _ in 0..<3 {
                try endings.submit(.ping(WirePingRequest()), isRepeatable: true, to: client)
            }
        } _: { daemon, endings in
            try await eventually("every call is answered", within: .seconds(5)) { endings.all.count == 3 }
            #expect(endings.all == ["answered", "answered", "answered"])
            #expect(daemon.connections == 2)
            #expect(daemon.requests.map(\.id) == daemon.requests.map(\.id).sorted())
        }
    }

    @Test func `a call that must not be repeated fails, and the others continue`() async throws {
        try await withEndedConnection { client, endings in
            try endings.submit(.lock(WireLockRequest()), isRepeatable: false, to: client)
            try endings.submit(.ping(WirePingRequest()), isRepeatable: true, to: client)
        } _: { daemon, endings in
            try await eventually("both calls end", within: .seconds(5)) { endings.all.count == 2 }
            #expect(endings.all == ["CONNECTION_LOST", "answered"])
            #expect(!daemon.requests.contains { if case .lock = $0.call { true } else { false } })
        }
    }

    @Test(arguments: [0, 1, 3])
    func `a call with a secret fails, and the secret is sent over no connection`(pingsBefore: Int) async throws {
        try await withEndedConnection { client, endings in
            for _ in 0..<pingsBefore {
                try endings.submit(.ping(WirePingRequest()), isRepeatable: true, to: client)
            }
            try endings.submitUnlock("words", to: client)
            try endings.submit(.ping(WirePingRequest()), isRepeatable: true, to: client)
        } _: { daemon, endings in
            try await eventually("every call ends", within: .seconds(5)) { endings.all.count == pingsBefore + 2 }
            #expect(endings.all.filter { $0 != "answered" } == ["CONNECTION_LOST"])
            #expect(!daemon.requests.contains { if case .unlock = $0.call { true } else { false } })
        }
    }
}

/// The results of the calls, in the order in which they ended.
struct Endings: Sendable {
    private let lines = Lines()

    var all: [String] { lines.all }

    func submit(_ call: WireCall, isRepeatable: Bool, to client: StoreClient) throws {
        submit(try RequestBody(call), isRepeatable: isRepeatable, to: client)
    }

    func submitUnlock(_ words: String, to client: StoreClient) throws {
        var call = WireUnlockRequest()
        var secrets = SecretList()
        call.secret = secrets.add(try secretInput(words))
        submit(try RequestBody(.unlock(call), secrets: secrets), isRepeatable: false, to: client)
    }

    private func submit(_ body: RequestBody, isRepeatable: Bool, to client: StoreClient) {
        let driver = client.connection.driver
        let terms = CallTerms(isRepeatable: isRepeatable, deadline: ConnectionDriver.now + 5_000_000_000)
        driver.submit(
            OutgoingCall(id: driver.makeID(), body: body, terms: terms) { [lines] event in
                switch event {
                case .answer: lines.append("answered")
                case .failure(let error): lines.append(error.reason.rawValue)
                }
            })
    }
}
