import GhostTestSupport
import StoreClient
import Testing

/// Clients that are connected only while a closure runs.
@Suite(.timeLimit(.minutes(1))) struct ScopedClientTests {
    private struct BodyFailed: Error {}

    private func expectClosed(_ client: StoreClient?) async throws {
        let client = try #require(client)
        let error = await #expect(throws: StoreClientError.self) { try await client.ping() }
        #expect(error?.reason == .clientClosed)
    }

    @Test func `the scoped call returns the closure's value and closes the client`() async throws {
        try await withDaemon { daemon in
            var kept: StoreClient?
            let revision = try await withStoreClient(to: daemon.socketPath) { store in
                kept = store
                return try await store.saveMessage(NewMessage(conversation: .sessionID("05a"), text: "t")).revision
            }
            #expect(revision == 2)
            try await expectClosed(kept)
        }
    }

    @Test func `the scoped call throws the closure's error and closes the client`() async throws {
        try await withDaemon { daemon in
            var kept: StoreClient?
            await #expect(throws: BodyFailed.self) {
                try await withStoreClient(to: daemon.socketPath) { store in
                    kept = store
                    throw BodyFailed()
                }
            }
            try await expectClosed(kept)
        }
    }

    @Test func `without a daemon the closure does not run`() async throws {
        let error = await #expect(throws: StoreClientError.self) {
            try await withStoreClient(to: "/nowhere/socket") { _ in Issue.record("there is no daemon") }
        }
        #expect(error?.reason == .socketAbsent)
    }
}
