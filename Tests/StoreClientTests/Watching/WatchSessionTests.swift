import GhostTestSupport
import StoreProtocol
import SwiftProtobuf
import Synchronization
import TestBasics
import Testing

@testable import StoreClient

/// Tests of a watch over a real socket, with a daemon that misbehaves on purpose.
@Suite(.timeLimit(.minutes(1))) struct WatchSessionTests {
    private static func event(
        _ request: WireRequest, _ connection: StubConnection, revisions: ClosedRange<UInt64>?, standing: UInt64
    ) {
        connection.answer(request) { response in
            response.more = true
            response.watchEvent.revision = standing
            response.watchEvent.changes = (revisions.map(Array.init) ?? []).map { revision in
                var change = WireChange()
                change.revision = revision
                change.kind = .message
                change.operation = .created
                change.id = "m\(revision)"
                return change
            }
        }
    }

    /// Sends an event that this client cannot decode, as a newer daemon might.
    private static func unreadableEvent(_ request: WireRequest, _ connection: StubConnection, revision: UInt64) {
        var response = WireResponse()
        response.id = request.id
        response.more = true
        response.watchEvent.revision = revision
        response.watchEvent.changes = [.with { $0.id = "damaged" }]
        let bytes: [UInt8] = (try? response.serializedBytes()) ?? []
        // Replaces a byte of the text so that it is not valid UTF-8.
        let payload = bytes.map { $0 == UInt8(ascii: "d") ? 0xFF : $0 }
        connection.send(frame(of: payload))
    }

    private func take(_ count: Int, from stream: ChangeStream) async throws -> [UInt64] {
        var revisions: [UInt64] = []
        for try await change in stream {
            revisions.append(change.revision)
            if revisions.count == count {
                break
            }
        }
        return revisions
    }

    @Test func `a watch continues after the last received change when its connection is lost`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            guard case .watch(let watch) = request.call else { return }
            let after = watch.hasAfterRevision ? watch.afterRevision : 100
            Self.event(request, connection, revisions: nil, standing: after)
            Self.event(request, connection, revisions: (after + 1)...(after + 2), standing: after + 2)
            connection.close()
        }
        var configuration = ClientConfiguration()
        configuration.reconnectDelayMin = .milliseconds(1)
        let client = try await StoreClient.connect(to: daemon.path, configuration: configuration)
        let stream = try await client.watch()
        #expect(stream.startRevision == 100)
        #expect(try await take(10, from: stream) == Array(101...110))
        #expect(stream.revision == 110)
        #expect(daemon.requests.prefix(3).map(\.watch.afterRevision) == [0, 102, 104])
    }

    @Test func `a slow consumer is sent no more than its buffer can hold, and loses no change`() async throws {
        let cancelled = Mutex<[UInt64]>([])
        let daemon = try await StubDaemon.start { request, connection in
            switch request.call {
            case .watch(let watch):
                // Sends each watch all remaining changes up to revision 200. So the client need not watch again if the
                // consumer reads fast enough.
                for start in stride(from: watch.afterRevision + 1, to: 200, by: 10) {
                    Self.event(request, connection, revisions: start...(start + 9), standing: start + 9)
                }
            case .cancel(let cancel):
                cancelled.withLock { $0.append(cancel.requestID) }
                connection.answer(request) { $0.cancel = WireCancelResponse() }
            default:
                connection.close()
            }
        }
        var configuration = ClientConfiguration()
        configuration.watchBufferChangesMax = 25
        let client = try await StoreClient.connect(to: daemon.path, configuration: configuration)
        let stream = try await client.watch(after: 0)
        try await eventually("the watch is cancelled") { cancelled.withLock { $0.count } == 1 }
        #expect(try await take(200, from: stream) == Array(1...200))
        #expect(daemon.connections == 1)
    }

    @Test func `unreadable changes end the watch after the changes before them`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            guard case .watch = request.call else { return }
            Self.event(request, connection, revisions: 1...2, standing: 2)
            Self.unreadableEvent(request, connection, revision: 3)
            Self.event(request, connection, revisions: 4...5, standing: 5)
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let stream = try await client.watch(after: 0)
        #expect(try await take(2, from: stream) == [1, 2])
        for _ in 0..<3 {
            let error = await #expect(throws: StoreClientError.self) { try await take(1, from: stream) }
            #expect(error?.reason == .answerUnreadable)
            #expect(stream.revision == 2)
        }
        try await eventually("the daemon is told") {
            daemon.requests.contains { if case .cancel = $0.call { true } else { false } }
        }
    }

    /// The batch has so many changes that the test can observe the revision while the client decodes them.
    @Test func `the revision is never ahead of the consumed changes, however long a batch takes to decode`()
        async throws
    {
        let count = UInt64(TestTier.count(20_000, long: 100_000))
        let daemon = try await StubDaemon.start { request, connection in
            Self.event(request, connection, revisions: 1...count, standing: count)
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let stream = try await client.watch(after: 0)
        let taken = Locked<UInt64>(0)
        async let last: Void = {
            for try await change in stream {
                taken.withLock { $0 = change.revision }
                guard change.revision < count else { break }
            }
        }()
        var aheadMax: UInt64 = 0
        while taken.withLock({ $0 }) < count {
            let revision = stream.revision
            let before = taken.withLock { $0 }
            aheadMax = max(aheadMax, revision > before ? revision - before : 0)
            await Task.yield()
        }
        try await last
        // The reader may have one change that it has not counted yet.
        #expect(aheadMax <= 1)
        #expect(stream.revision == count)
    }

    @Test func `a change is consumed once its object was fetched, and a failed fetch is repeated`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            Self.event(request, connection, revisions: 1...3, standing: 3)
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let fetched = FetchedChanges(client, try await client.watch(after: 0))
        let lost = StoreClientError(code: .unavailable, reason: .connectionLost, message: "lost")
        for revision in 1...3 as ClosedRange<UInt64> {
            await #expect(throws: lost) {
                let _: UInt64 = try await fetched.next { (_, _) throws(StoreClientError) in throw lost }
            }
            #expect(fetched.revision == revision - 1)
            let next = try await fetched.next { (_, change) throws(StoreClientError) in
                #expect(fetched.revision == revision - 1)
                return change.revision
            }
            #expect(next == revision && fetched.revision == revision)
        }
    }

    @Test func `a watch after a compacted revision fails at its start`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            connection.answer(request) { response in
                response.error.code = .outOfRange
                response.error.reason = "CHANGES_COMPACTED"
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let error = await #expect(throws: StoreClientError.self) { _ = try await client.watch(after: 1) }
        #expect(error?.reason == .changesCompacted)
    }

    @Test func `a watch that is never confirmed ends at the deadline`() async throws {
        let daemon = try await StubDaemon.start { _, _ in }
        let client = try await StoreClient.connect(to: daemon.path).with(deadline: .milliseconds(100))
        let error = await #expect(throws: StoreClientError.self) { _ = try await client.watch() }
        #expect(error?.code == .deadlineExceeded)
    }

    @Test func `cancelling the consumer's task ends its wait and the watch`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            if case .watch = request.call {
                Self.event(request, connection, revisions: nil, standing: 3)
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let stream = try await client.watch()
        let error = await withTaskGroup(of: StoreClientError?.self) { group in
            group.addTask {
                do throws(StoreClientError) {
                    for try await _ in stream {}
                    return nil
                } catch {
                    return error
                }
            }
            try? await Task.sleep(for: .milliseconds(50))
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(error?.reason == .cancelled)
        try await eventually("the daemon is told") {
            daemon.requests.contains { if case .cancel = $0.call { true } else { false } }
        }
    }

    @Test func `a released watch is ended in the daemon`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            if case .watch = request.call {
                Self.event(request, connection, revisions: nil, standing: 3)
            }
        }
        let client = try await StoreClient.connect(to: daemon.path)
        do {
            let stream = try await client.watch()
            #expect(stream.startRevision == 3)
        }
        try await eventually("the daemon is told") {
            daemon.requests.contains { if case .cancel = $0.call { true } else { false } }
        }
        await client.close()
    }

    @Test func `closing the client ends the watch`() async throws {
        let daemon = try await StubDaemon.start { request, connection in
            Self.event(request, connection, revisions: 1...2, standing: 2)
        }
        let client = try await StoreClient.connect(to: daemon.path)
        let stream = try await client.watch(after: 0)
        await client.close()
        var revisions: [UInt64] = []
        let error = await #expect(throws: StoreClientError.self) {
            for try await change in stream {
                revisions.append(change.revision)
            }
        }
        #expect(error?.reason == .clientClosed)
        #expect(revisions == [1, 2], "what was received before is delivered first")
    }
}
