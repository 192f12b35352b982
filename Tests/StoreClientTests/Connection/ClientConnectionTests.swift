import GhostTestSupport
import StoreProtocol
import Synchronization
import Testing

@testable import StoreClient

/// Tests of the connection over a real socket, with a daemon that misbehaves on purpose.
@Suite(.timeLimit(.minutes(1))) struct ClientConnectionTests {
    private let message = NewMessage(conversation: .sessionID("s"), text: "t")

    private func commit(_ response: inout WireResponse) {
        response.commit.revision = 5
        response.commit.ids = ["m"]
    }

    @Test func `a save whose connection is lost before the response is sent again with the same id and key`()
        async throws
    {
        let daemon = try await StubDaemon.start { [commit] request, connection in
            if connection.number == 1 {
                connection.close()
            } else {
                connection.answer(request) { commit(&$0) }
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let saved = try await client.saveMessage(message)
        #expect(saved.revision == 5)
        #expect(daemon.connections == 2)
        let requests = daemon.requests
        #expect(requests.count == 2)
        #expect(requests[0].saveMessage == requests[1].saveMessage)
        #expect(requests[0].saveMessage.message.id == message.id)
        #expect(requests[0].idempotencyKey == requests[1].idempotencyKey)
        #expect(requests[0].idempotencyKey.count == 16)
        #expect(requests[1].deadlineMilliseconds <= requests[0].deadlineMilliseconds)
        await client.close()
    }

    @Test func `an unlock whose connection is lost is not sent again, and its error says that the outcome is unknown`()
        async throws
    {
        let daemon = try await StubDaemon.start { _, connection in connection.close() }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) {
            _ = try await client.unlock(secret: secretInput("words"))
        }
        #expect(error?.reason == .connectionLost)
        #expect(error?.isRetryable == true)
        #expect(error?.message.contains("may or may not have had an effect") == true)
        #expect(daemon.requests.count == 1)
        #expect(daemon.requests[0].unlock.secret.value.elementsEqual("words".utf8))
    }

    @Test func `a call without a response ends at its deadline, which was sent to the daemon`() async throws {
        let daemon = try await StubDaemon.start { _, _ in }
        let client = try await StoreClient.connect(to: daemon.path)
        let clock = ContinuousClock()
        let start = clock.now
        let error = await #expect(throws: StoreClientError.self) {
            try await client.with(deadline: .milliseconds(200)).ping()
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(clock.now - start >= .milliseconds(200))
        #expect(clock.now - start < .seconds(5))
        #expect((1...200).contains(daemon.requests[0].deadlineMilliseconds))
    }

    @Test func `a later call with an earlier deadline ends first`() async throws {
        let daemon = try await StubDaemon.start { _, _ in }
        let client = try await StoreClient.connect(to: daemon.path)
        let order = Locked<[Int]>([])
        await withTaskGroup(of: Void.self) { group in
            for (number, milliseconds) in [(1, 600), (2, 100), (3, 300)] {
                group.addTask {
                    try? await client.with(deadline: .milliseconds(milliseconds)).ping()
                    order.withLock { $0.append(number) }
                }
            }
        }
        #expect(order.withLock { $0 } == [2, 3, 1])
    }

    @Test func `a cancelled task gets an error at once, and the connection stays usable`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            if case .getStatus = request.call {
                connection.answer(request) { $0.status.serverVersion = "1" }
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let result = await withTaskGroup(of: Result<Void, StoreClientError>.self) { group in
            group.addTask {
                do throws(StoreClientError) {
                    return .success(try await client.ping())
                } catch {
                    return .failure(error)
                }
            }
            try? await eventually("the ping is there") { daemon.requests.count == 1 }
            group.cancelAll()
            return await group.next()
        }
        guard case .failure(let error) = result else {
            Issue.record("a call without an answer succeeded")
            return
        }
        #expect(error.reason == .cancelled)
        #expect(try await client.status().serverVersion == "1")
        #expect(daemon.connections == 1)
    }

    @Test func `a task that is cancelled before its call gets the error too`() async throws {
        let daemon = try await StubDaemon.start { _, _ in }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await withTaskGroup(of: StoreClientError?.self) { group in
            group.cancelAll()
            group.addTask {
                do throws(StoreClientError) {
                    try await client.ping()
                    return nil
                } catch {
                    return error
                }
            }
            return await group.next() ?? nil
        }
        #expect(error?.reason == .cancelled)
    }

    @Test func `responses in any order reach their callers`() async throws {
        let held = Mutex<[(WireRequest, StubConnection)]>([])
        let daemon = try await StubDaemon.start { request, connection in
            let ready = held.withLock { held in
                held.append((request, connection))
                return held.count == 64 ? held : []
            }
            for (request, connection) in ready.reversed() {
                connection.answer(request) { $0.message.id = request.getMessage.id }
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let message = try await client.message("m\(number)")
                    #expect(message.id == "m\(number)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `calls wait while the daemon is stopped and succeed when it runs again`() async throws {
        var configuration = ClientConfiguration()
        configuration.reconnectDelayMax = .milliseconds(40)
        let daemon = try await StubDaemon.start { request, connection in
            if connection.number == 1 {
                connection.close()
            } else {
                connection.answer(request) { $0.ping = WirePingResponse() }
            }
        }
        let client = try await StoreClient.connect(to: daemon.path, configuration: configuration)
        try await daemon.stopListening()
        async let pinged: Void = client.ping()
        try await Task.sleep(for: .milliseconds(150))
        try await daemon.listen()
        try await pinged
        #expect(daemon.connections == 2)
    }

    @Test func `if the daemon stays stopped, the error at the deadline gives the reason`() async throws {
        let daemon = try await StubDaemon.start { _, connection in connection.close() }
        let client = try await StoreClient.connect(to: daemon.path)
        try await daemon.stopListening()
        let error = await #expect(throws: StoreClientError.self) {
            try await client.with(deadline: .seconds(2)).ping()
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.message.contains(daemon.path) == true, "\(String(describing: error))")
    }

    @Test func `the caller does not see the refusal of a stopping daemon`() async throws {
        let daemon = try await StubDaemon.start { [commit] request, connection in
            guard connection.number == 1 else {
                connection.answer(request) { commit(&$0) }
                return
            }
            connection.answer(request) { response in
                response.error.code = .unavailable
                response.error.reason = "SHUTTING_DOWN"
                response.error.retryable = true
            }
            connection.close()
        }
        let client = try await StoreClient.connect(to: daemon.path)
        #expect(try await client.saveMessage(message).ids == ["m"])
        #expect(daemon.connections == 2)
    }

    @Test(
        arguments: [
            [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 2, 0xff, 0xff],
        ] as [[UInt8]])
    func `unreadable bytes fail every call that waits for a response, with an error that says so`(bytes: [UInt8])
        async throws
    {
        let daemon = try await StubDaemon.start { _, connection in connection.send(bytes) }
        let client = try await StoreClient.connect(to: daemon.path)
        let once = await #expect(throws: StoreClientError.self) { try await client.lock() }
        let repeatable = await #expect(throws: StoreClientError.self) { try await client.ping() }
        for error in [once, repeatable] {
            #expect(error?.reason == .answerUnreadable)
            #expect(error?.message.contains("the daemon sent") == true, "\(String(describing: error))")
        }
        #expect(daemon.requests.count == 2, "nothing is asked again")
    }

    @Test func `a response of the wrong kind is an error`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            connection.answer(request) { $0.ping = WirePingResponse() }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) { _ = try await client.statistics() }
        #expect(error?.reason == .answerUnreadable)
    }

    @Test func `all parts of the daemon's error arrive`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            connection.answer(request) { response in
                response.error.code = .resourceExhausted
                response.error.reason = "UNLOCK_THROTTLED"
                response.error.message = "too many"
                response.error.retryable = true
                response.error.details = ["retry_after_milliseconds": "1500"]
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) {
            _ = try await client.unlock(secret: secretInput("x"))
        }
        #expect(error?.code == .resourceExhausted)
        #expect(error?.reason == .unlockThrottled)
        #expect(error?.retryAfter == .milliseconds(1_500))
        #expect(error?.isRetryable == true)
        #expect(error?.description == "too many [RESOURCE_EXHAUSTED UNLOCK_THROTTLED]")
        let refused = StoreClientError(code: .invalidArgument, reason: .invalidArgument, message: "no")
        #expect(refused.description == "no [INVALID_ARGUMENT]")
    }

    @Test func `connect throws the daemon's refusal of the connection`() async throws {
        let refusing = try await RefusingListener.start()
        let error = await #expect(throws: StoreClientError.self) {
            _ = try await StoreClient.connect(to: refusing.path)
        }
        #expect(error?.reason.rawValue == "TOO_MANY_CONNECTIONS")
    }

    @Test func `progress of long work is reported before the response`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            for done in 1...3 {
                connection.answer(request) { response in
                    response.more = true
                    response.progress.done = UInt64(done)
                    response.progress.total = 3
                }
            }
            connection.answer(request) { $0.checkReport.isClean = true }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let seen = Mutex<[Int]>([])
        let report = try await client.checkStore { progress in
            seen.withLock { $0.append(progress.done) }
        }
        #expect(report.isClean)
        #expect(seen.withLock { $0 } == [1, 2, 3])
        #expect(daemon.requests[0].deadlineMilliseconds == 0, "long work has no deadline of its own")
    }

    @Test func `a recovery code is only in locked memory`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            connection.answer(request) { $0.addKeySlot.recoveryCode.append(contentsOf: "CODE-1".utf8) }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        var added = try await client.addKeySlot(authorizedBy: secretInput("x"), new: .generatedRecoveryCode)
        guard let code = added.takeRecoveryCode() else {
            Issue.record("no code")
            return
        }
        let bytes = code.bytes.withUnsafeBytes { Array($0) }
        #expect(bytes == Array("CODE-1".utf8))
        #expect(daemon.requests[0].addKeySlot.newSecret.kind == .recoveryCode)
        #expect(daemon.requests[0].addKeySlot.newSecret.value.isEmpty)
    }

    @Test func `a response larger than one read arrives complete`() async throws {
        let text = String(repeating: "large ", count: 400_000)
        let daemon = try await StubDaemon.start { request, connection in
            connection.answer(request) { $0.message.text = text }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        #expect(try await client.message("m").text == text)
        #expect(try await client.message("m").text == text)
    }

    @Test func `a request larger than the daemon's largest frame is refused by the client`() async throws {
        let daemon = try await StubDaemon.start(frameBytesMax: 1 << 20) { _, _ in }
        let client = try await StoreClient.connect(to: daemon.path)
        let large = NewMessage(conversation: .sessionID("s"), text: String(repeating: "x", count: 1 << 20))
        let error = await #expect(throws: StoreClientError.self) { _ = try await client.saveMessage(large) }
        #expect(error?.reason == .requestTooLarge)
        #expect(daemon.requests.isEmpty)
    }

    @Test func `closing ends running calls, and later ones fail in the same way`() async throws {
        let daemon = try await StubDaemon.start { _, _ in }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await withTaskGroup(of: StoreClientError?.self) { group in
            group.addTask {
                do throws(StoreClientError) {
                    try await client.ping()
                    return nil
                } catch {
                    return error
                }
            }
            try? await eventually("the ping is there") { daemon.requests.count == 1 }
            await client.close()
            return await group.next() ?? nil
        }
        #expect(error?.reason == .clientClosed)
        let later = await #expect(throws: StoreClientError.self) { try await client.ping() }
        #expect(later?.reason == .clientClosed)
    }

    @Test func `calls beyond the number that may wait are refused, and the others are answered`() async throws {
        let gate = Mutex<[(WireRequest, StubConnection)]>([])
        let daemon = try await StubDaemon.start { request, connection in
            gate.withLock { $0.append((request, connection)) }
        }
        var configuration = ClientConfiguration()
        configuration.inFlightCallsMax = 1
        configuration.waitingCallsMax = 2
        let client = try await StoreClient.connect(to: daemon.path, configuration: configuration)
        let refused = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do throws(StoreClientError) {
                        try await client.ping()
                        return false
                    } catch {
                        return error.reason == .tooManyWaitingCalls
                    }
                }
            }
            var refused = 0
            while let isRefused = await group.next() {
                refused += isRefused ? 1 : 0
                if refused == 7 {
                    // One call is in flight and two wait. Each response makes room for the next call.
                    try? await eventually("all three were answered") {
                        for (request, connection) in gate.withLock({ $0 }) {
                            connection.answer(request) { $0.ping = WirePingResponse() }
                        }
                        return daemon.requests.count == 3
                    }
                }
            }
            return refused
        }
        #expect(refused == 7)
    }
}
