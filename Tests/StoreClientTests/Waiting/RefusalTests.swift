import FoundationEssentials
import GhostTestSupport
import StoreProtocol
import Testing

@testable import StoreClient

/// The behaviour of a client when the daemon has no room for a call.
@Suite(.timeLimit(.minutes(1))) struct RefusalTests {
    private typealias Call = @Sendable (StoreClient) async throws(StoreClientError) -> Void

    private static let calls: [(name: String, call: Call)] = [
        ("read", { client throws(StoreClientError) in _ = try await client.message("m") }),
        ("mutation", { client throws(StoreClientError) in try await client.deleteMessages(["m"]) }),
        ("once", { client throws(StoreClientError) in try await client.deleteBackup("b") }),
        (
            "write in pieces",
            { client throws(StoreClientError) in _ = try await client.beginFileWrite(at: VaultPath(.cache, "f")) }
        ),
        ("export", { client throws(StoreClientError) in _ = try await client.beginBlobExport(of: .sessionID("05a")) }),
        (
            "sealed export",
            { client throws(StoreClientError) in
                _ = try await client.beginBlobExport(
                    of: .sessionID("05a"), seal: .passphrase(secretInput("long words"), lowCost: true))
            }
        ),
        (
            "unlock",
            { client throws(StoreClientError) in _ = try await client.unlock(secret: secretInput("long words")) }
        ),
        ("long work", { client throws(StoreClientError) in _ = try await client.createBackup { _ in } }),
    ]

    /// For each kind of call, the error reasons after which the client waits and sends it again.
    private static let waited: [String: Set<ErrorReason>] = [
        "read": [.queueFull, .memoryExhausted, .storeBusy, .shuttingDown],
        "mutation": [.queueFull, .memoryExhausted, .storeBusy, .shuttingDown],
        "once": [.queueFull],
        "write in pieces": [.queueFull, .tooManyFileWrites, .tooManyBlobSessions, .shuttingDown],
        "export": [.queueFull, .tooManyFileWrites, .tooManyBlobSessions, .shuttingDown],
        "sealed export": [.queueFull, .tooManyFileWrites, .tooManyBlobSessions, .shuttingDown],
        "unlock": [.queueFull],
        "long work": [.queueFull],
    ]

    /// Starts a daemon that rejects a given number of calls and then accepts them.
    private static func start(
        _ refusals: Locked<(reason: ErrorReason, count: Int)>, retryAfter: Duration = .milliseconds(2)
    ) async throws -> StubDaemon {
        try await StubDaemon.start { request, connection in
            let reason = refusals.withLock { refusals -> ErrorReason? in
                refusals.count -= 1
                return refusals.count >= 0 ? refusals.reason : nil
            }
            connection.answer(request) { response in
                if let reason {
                    response.error.reason = reason.rawValue
                    response.error.code = reason.code
                    response.error.retryable = reason.isRetryable
                    response.error.message = "not now"
                    response.error.details["retry_after_milliseconds"] = "\(retryAfter / .milliseconds(1))"
                } else {
                    serve(&response, request)
                }
            }
            if reason == .shuttingDown {
                connection.close()
            }
        }
    }

    private static func serve(_ response: inout WireResponse, _ request: WireRequest) {
        switch request.call {
        case .getMessage: response.message.id = "m"
        case .deleteMessages: response.commit.revision = 1
        case .deleteBackup: response.deleteBackup = .init()
        case .beginFileWrite: response.fileWrite.write = 1
        case .beginBlobExport: response.blobExport.session = 1
        case .unlock: response.unlock = .init()
        case .createBackup: response.backup = .init()
        case .readFile(let read):
            response.fileData.data = Data(repeating: 7, count: Int(min(read.byteCount, 4_000_000 - read.offset)))
            response.fileData.file.byteCount = 4_000_000
            response.fileData.file.revision = 1
        default: break
        }
    }

    private func reason(_ body: () async throws(StoreClientError) -> Void) async -> StoreClientError.Reason? {
        do {
            try await body()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `each kind of call is repeated for its reasons to wait, and for no other reason`() async throws {
        let refusals = Locked<(reason: ErrorReason, count: Int)>((.internal, 0))
        let daemon = try await Self.start(refusals)
        for (name, call) in Self.calls {
            let client = try await StoreClient.connect(to: daemon.path)
            for refusal in ErrorReason.allCases {
                refusals.withLock { $0 = (refusal, 2) }
                let failure = await reason { () throws(StoreClientError) in try await call(client) }
                let waits = Self.waited[name]?.contains(refusal) ?? false
                #expect(failure == (waits ? nil : .init(rawValue: refusal.rawValue)), "\(name), \(refusal.rawValue)")
                #expect(refusals.withLock { $0.count } == (waits ? -1 : 1), "\(name), \(refusal.rawValue)")
            }
            await client.close()
        }
    }

    @Test func `a secret is sent completely at each attempt`() async throws {
        let refusals = Locked<(reason: ErrorReason, count: Int)>((.tooManyBlobSessions, 3))
        let daemon = try await Self.start(refusals)
        let client = try await StoreClient.connect(to: daemon.path)
        _ = try await client.beginBlobExport(
            of: .sessionID("05a"), seal: .passphrase(secretInput("long words"), lowCost: true))
        let sent = daemon.requests.compactMap { request -> [UInt8]? in
            if case .beginBlobExport(let call) = request.call { Array(call.passphrase.value) } else { nil }
        }
        #expect(sent == Array(repeating: Array("long words".utf8), count: 4))
    }

    @Test func `refused requests for pieces ahead are repeated`() async throws {
        let refusals = Locked<(reason: ErrorReason, count: Int)>((.queueFull, 0))
        let daemon = try await Self.start(refusals)
        let client = try await StoreClient.connect(to: daemon.path)
        for refusal in [ErrorReason.queueFull, .memoryExhausted, .storeBusy] {
            var count = 0
            for try await chunk in client.fileChunks(at: VaultPath(.cache, "f")) {
                count += chunk.count
                refusals.withLock { $0 = (refusal, 3) }
            }
            #expect(count == 4_000_000, "\(refusal)")
        }
    }

    @Test func `the deadline ends the wait, and the error has the daemon's message`() async throws {
        let refusals = Locked<(reason: ErrorReason, count: Int)>((.tooManyFileWrites, .max))
        let daemon = try await Self.start(refusals)
        let client = try await StoreClient.connect(to: daemon.path).with(deadline: .milliseconds(500))
        for _ in 0..<2 {
            let error = await #expect(throws: StoreClientError.self) {
                _ = try await client.beginFileWrite(at: VaultPath(.cache, "f"))
            }
            #expect(error?.reason == .deadlineExceeded && error?.isRetryable == true)
            #expect(error?.message.hasSuffix("not now") == true, "\(error?.message ?? "")")
        }
    }

    @Test func `cancelling a task ends its wait, and closing the client ends every wait`() async throws {
        let refusals = Locked<(reason: ErrorReason, count: Int)>((.queueFull, .max))
        let daemon = try await Self.start(refusals)
        let client = try await StoreClient.connect(to: daemon.path)
        let waiting = Task { await reason { () throws(StoreClientError) in _ = try await client.message("m") } }
        try await eventually("it was refused") { daemon.requests.count > 2 }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        let many = (0..<50).map { _ in
            Task { await reason { () throws(StoreClientError) in _ = try await client.message("m") } }
        }
        try await eventually("they were refused") { daemon.requests.count > 60 }
        await client.close()
        for task in many {
            #expect(await task.value == .clientClosed)
        }
    }

    @Test(arguments: [ErrorReason.memoryExhausted, .queueFull], [true, false])
    func `the error of a call that may have had an effect says so, whatever its last refusal was`(
        last: ErrorReason, isCancelled: Bool
    ) async throws {
        // After the error `memoryExhausted`, the call may already have taken effect in the daemon.
        let refusals = Locked<(reason: ErrorReason, count: Int)>((.memoryExhausted, .max))
        let daemon = try await Self.start(refusals)
        let connected = try await StoreClient.connect(to: daemon.path)
        let client = isCancelled ? connected : connected.with(deadline: .seconds(3))
        let waiting = Task { () -> StoreClientError? in
            do throws(StoreClientError) {
                try await client.deleteMessages(["m"])
                return nil
            } catch {
                return error
            }
        }
        try await eventually("it was refused") { daemon.requests.count > 1 }
        refusals.withLock { $0.reason = last }
        let count = daemon.requests.count
        try await eventually("it was refused again") { daemon.requests.count > count + 1 }
        if isCancelled {
            waiting.cancel()
        }
        let error = try #require(await waiting.value)
        #expect(error.reason == (isCancelled ? .cancelled : .deadlineExceeded))
        #expect(error.message.contains("the call may or may not have had an effect"), "\(error.message)")
    }

    @Test func `calls that the daemon had no room for are repeated a few at a time`() async throws {
        let refusals = Locked<(reason: ErrorReason, count: Int)>((.queueFull, .max))
        let daemon = try await Self.start(refusals, retryAfter: .milliseconds(200))
        let client = try await StoreClient.connect(to: daemon.path)
        let tasks = (0..<100).map { _ in
            Task { await reason { () throws(StoreClientError) in _ = try await client.message("m") } }
        }
        try await eventually("all were refused") { daemon.requests.count >= 100 }
        try await Task.sleep(for: .milliseconds(100))
        // A call in the waiting line is not sent again before the calls in front of it succeed.
        #expect(daemon.requests.count < 130)
        refusals.withLock { $0.count = 0 }
        for task in tasks {
            #expect(await task.value == nil)
        }
    }

    @Test func `the article explains every retryable reason`() throws {
        let article = try String(
            contentsOfFile: BuiltPrograms.packageDirectory
                + "/Sources/StoreClient/StoreClient.docc/OfflineAndRetries.md", encoding: .utf8)
        for reason in ErrorReason.allCases where reason.isRetryable || reason == .storeLocked {
            #expect(article.contains("| `\(reason.rawValue)` |"), "\(reason.rawValue)")
        }
    }
}
