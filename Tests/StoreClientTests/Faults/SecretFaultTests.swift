import GhostTestSupport
import StoreProtocol
import Testing

@testable import StoreClient

@Suite(.timeLimit(.minutes(1))) struct SecretFaultTests {
    private struct Seen {
        var failureCount = 0
        var timesSeen: [String: Int] = [:]
    }

    /// 20 tasks ping and 20 tasks unlock, while the daemon closes every connection after some bytes and accepts a new
    /// one.
    @Test(arguments: [0...0, 0...200, 50...600] as [ClosedRange<Int>])
    func `a call with a secret on a closing connection fails, and the secret is sent at most once`(
        _ endsAfterBytes: ClosedRange<Int>
    ) async throws {
        let seen = Locked(Seen())
        let daemon = try await StubDaemon.start { request, connection in
            guard case .unlock(let unlock) = request.call else {
                connection.answer(request) { $0.ping = WirePingResponse() }
                return
            }
            let words = String(decoding: unlock.secret.value, as: UTF8.self)
            seen.withLock { $0.timesSeen[words, default: 0] += 1 }
            connection.answer(request) { $0.unlock.slot = 1 }
        }
        try await withProxy(to: daemon.path, seed: Settings.seed("CLIENT_FAULT_SEED")) { proxy in
            var faults = ProxyFaults()
            faults.endsAfterBytes = endsAfterBytes
            let client = try await FaultRun.connect(proxy, faults).with(deadline: .milliseconds(500))
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<20 {
                    group.addTask {
                        for _ in 0..<10 {
                            try? await client.with(deadline: .milliseconds(100)).ping()
                        }
                    }
                    group.addTask {
                        for number in 0..<10 {
                            await Self.unlock(client, "secret \(task) \(number)", seen)
                        }
                    }
                }
            }
            await client.close()
            #expect(proxy.faultCount > 5)
        }
        seen.withLock { seen in
            #expect(seen.timesSeen.values.allSatisfy { $0 == 1 })
            #expect(seen.failureCount > 5, "the connections did not close under the secrets")
        }
    }

    /// The socket's receiver does not read what was sent before the secret, and meanwhile the call with the secret
    /// ends.
    @Test func `a secret whose call has failed is not sent after earlier calls`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            switch request.call {
            case .unlock: connection.answer(request) { $0.unlock.slot = 1 }
            case .saveMessage: connection.answer(request) { $0.commit.revision = 1 }
            default: connection.answer(request) { $0.ping = WirePingResponse() }
            }
        }
        try await withProxy(to: daemon.path, seed: 1) { proxy in
            let client = try await StoreClient.connect(to: proxy.socketPath)
            proxy.hold(true)
            // More bytes than the buffers of the sockets between client and daemon can hold.
            let text = String(repeating: "x", count: 1_000_000)
            let bytesBefore = proxy.receivedBytes
            async let saved = client.saveMessage(NewMessage(conversation: .sessionID("s"), text: text))
            try await eventually("the save is on its way") { proxy.receivedBytes > bytesBefore }
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await client.with(deadline: .milliseconds(50)).unlock(secret: secretInput("words"))
            }
            #expect(error?.code == .deadlineExceeded)
            proxy.hold(false)
            _ = try await saved
            try await client.ping()
            #expect(!daemon.requests.contains { if case .unlock = $0.call { true } else { false } })
            await client.close()
        }
    }

    private static func unlock(_ client: StoreClient, _ words: String, _ seen: Locked<Seen>) async {
        do throws(StoreClientError) {
            _ = try await client.unlock(secret: secretInput(words))
        } catch {
            let isKnown = error.reason == .connectionLost || error.reason == .deadlineExceeded
            #expect(isKnown, "\(error)")
            seen.withLock { $0.failureCount += 1 }
        }
    }
}
