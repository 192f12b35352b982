import BlobStorage
import GhostTestSupport
import StoreClient
import Testing

/// Many tasks call each writing method at the same time, each on its own list, and every call succeeds.
@Suite(.timeLimit(.minutes(2))) struct ParallelBlobTests {
    private typealias Try = ParallelTry<StoreClient>

    private static func list(_ client: StoreClient, _ number: Int) -> BlobStorage {
        BlobStorage(client: client, sessionID: "list\(number)")
    }

    private static let messages = (0..<3).map { number in
        BlobMessage(text: String(repeating: "\(number)", count: 30_000), isSent: true, timestamp: Int64(number))
    }

    private static let tries: [Try] = [
        Try("saveMessages") { try await list($0, $1).saveMessages(messages) },
        Try("saveMessages again") { try await list($0, $1).saveMessages(messages) },
        // `getStorageSize` writes nothing. It is tried too, because it exports the list, and the daemon limits how many
        // exports run at once.
        Try("getStorageSize") { client, number in
            let size = try await list(client, number).getStorageSize()
            #expect(size > 90_000)
        },
        Try("clearMessages") { try await list($0, $1).clearMessages() },
    ]

    @Test func `every call has a trial or is listed as left out`() throws {
        let (forgotten, unknown) = try ParallelCalls.differences(
            in: ["BlobStorage"], tried: Self.tries.map(\.name), leftOut: ["hasMessages", "loadMessages"])
        #expect(forgotten == [] && unknown == [])
    }

    @Test func `all tasks write at the same time`() async throws {
        try await withDaemonAndClient(configuration: ParallelCalls.configuration) { _, client in
            for attempt in Self.tries {
                #expect(await attempt.failures(client) == [:], "\(attempt.name)")
            }
        }
    }
}
