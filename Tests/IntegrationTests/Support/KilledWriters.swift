import GhostTestSupport
import StoreClient
import TestBasics

extension TestDaemon {
    /// Runs writers, each with a client of its own, and kills the daemon under them.
    ///
    /// - Parameter write: goes on until the daemon answers no more.
    /// - Returns: what each of them gave, by their numbers.
    func killed<Log: Sendable>(
        under writerCount: Int, after delay: Duration,
        _ write: @escaping @Sendable (_ number: Int, StoreClient) async -> Log
    ) async throws -> [Log] {
        // Who is killed is not waited for.
        var configuration = ClientConfiguration()
        configuration.callDeadline = .seconds(2)
        var clients: [StoreClient] = []
        for _ in 0..<writerCount {
            clients.append(try await connect(configuration: configuration))
        }
        return try await withThrowingTaskGroup(of: (Int, Log).self) { group in
            for (number, client) in clients.enumerated() {
                group.addTask { (number, await write(number, client)) }
            }
            try await Task.sleep(for: delay)
            try await kill9()
            let logs = try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            for client in clients {
                await client.close()
            }
            return logs.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}
