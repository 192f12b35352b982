import GhostTestSupport
import StoreProtocol
import Testing

@testable import StoreClient

/// A daemon whose responses are valid one by one, but together would keep a caller busy forever.
@Suite(.timeLimit(.minutes(1))) struct BrokenDaemonTests {
    private func error(
        of behaviour: @escaping StubDaemon.Behaviour, requestsMax: Int = 3, _ call: (StoreClient) async throws -> Void
    ) async throws -> StoreClientError? {
        let daemon = try await StubDaemon.start(behaviour)
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) { try await call(client) }
        #expect(daemon.requests.count <= requestsMax)
        await client.close()
        return error
    }

    @Test func `an empty page of a log that is not the last one is an error`() async throws {
        let error = try await error(of: { request, connection in
            connection.answer(request) { $0.logEntries.hasMore_p = true }
        }) { _ = try await $0.logEntries("log").collect() }
        #expect(error?.reason == .answerUnreadable)
    }

    @Test func `a log whose pages start over is an error, for lists and followers`() async throws {
        let behaviour: StubDaemon.Behaviour = { request, connection in
            connection.answer(request) { response in
                var entry = WireLogEntry()
                entry.sequence = 7
                response.logEntries.entries = [entry]
                response.logEntries.hasMore_p = true
            }
        }
        let listed = try await error(of: behaviour) { _ = try await $0.logEntries("log").collect() }
        let followed = try await error(of: behaviour) { client in
            for try await _ in client.followLog("log") {}
        }
        #expect(listed?.reason == .answerUnreadable && followed?.reason == .answerUnreadable)
    }

    @Test func `a list of changes that starts over is an error`() async throws {
        let error = try await error(of: { request, connection in
            connection.answer(request) { response in
                var change = WireChange()
                change.revision = 3
                response.changes.changes = [change]
                response.changes.revision = 9
                response.changes.hasMore_p = true
            }
        }) { _ = try await $0.changes().collect() }
        #expect(error?.reason == .answerUnreadable)
    }

    /// `before` pages lead into an endless cycle of `cycle` pages.
    @Test(arguments: [1, 2, 3, 10], [0, 1, 5])
    func `a list whose cursors form a cycle is an error`(cycle: Int, before: Int) async throws {
        let error = try await error(
            of: { request, connection in
                let page = Int(request.listScenes.cursor) ?? 0
                connection.answer(request) { $0.scenes.nextCursor = "\(page + 1 < before + cycle ? page + 1 : before)" }
            }, requestsMax: 3 * (cycle + before)
        ) { _ = try await $0.scenes().collect() }
        #expect(error?.reason == .answerUnreadable)
    }

    @Test func `a list of many pages is not mistaken for a cycle`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            let page = Int(request.listScenes.cursor) ?? 0
            connection.answer(request) { $0.scenes.nextCursor = page < 300 ? "\(page + 1)" : "" }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        #expect(try await client.scenes().collect().isEmpty)
        #expect(daemon.requests.count == 301)
    }

    @Test(arguments: [false, true])
    func `a scene with repeated keys is an error, whatever the cursors are`(isGlobal: Bool) async throws {
        let error = try await error(of: { request, connection in
            connection.answer(request) { response in
                var entry = WireSceneEntry()
                entry.key = "k"
                entry.value.integer = 1
                entry.tier = .scene
                response.sceneValues.entries = [entry]
                response.sceneValues.nextCursor = "after \(request.id)"
            }
        }) { client in
            _ = isGlobal ? try await client.globalSceneValues() : try await client.sceneValues("main")
        }
        #expect(error?.reason == .answerUnreadable)
    }

    @Test func `a log request that is answered without waiting is not repeated at once`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            connection.answer(request) { $0.logEntries = WireReadLogResponse() }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let start = ContinuousClock.now
        let follower = Task {
            for try await _ in client.followLog("log") {}
        }
        // The second request asks the daemon to wait, but gets its answer at once, so the client pauses for a second.
        try await eventually("it asks a third time") { daemon.requests.count >= 3 }
        #expect(ContinuousClock.now - start >= .seconds(1))
        follower.cancel()
        let error = await #expect(throws: StoreClientError.self) { try await follower.value }
        #expect(error?.reason == .cancelled)
        await client.close()
    }

    @Test func `a watch that is dropped without a change is repeated after growing pauses`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            guard case .watch = request.call else { return }
            connection.answer(request) { response in
                response.more = true
                response.watchEvent.revision = 5
            }
            connection.answer(request) { response in
                response.error.code = .resourceExhausted
                response.error.reason = "WATCH_BACKLOG_EXCEEDED"
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let stream = try await client.watch()
        let start = ContinuousClock.now
        try await eventually("it asks again") { daemon.requests.count >= 5 }
        // The second request follows at once. The pauses after it are 20, 40 and 80 ms, each of which may be halved at
        // random.
        #expect(ContinuousClock.now - start > .milliseconds(60))
        #expect(stream.startRevision == 5)
        await client.close()
    }

    @Test func `the daemon's error texts cannot control a terminal`() async throws {
        let error = try await error(of: { request, connection in
            connection.answer(request) { response in
                response.error.code = .internal
                response.error.reason = "ODD\u{1b}[2J"
                response.error.message = "a\u{1b}[31mb\nc\u{202e}d \u{e9}\u{1f44d}"
            }
        }) { _ = try await $0.statistics() }
        #expect(error?.description == "a\u{fffd}[31mb\u{fffd}c\u{fffd}d \u{e9}\u{1f44d} [INTERNAL ODD\u{fffd}[2J]")
    }
}
