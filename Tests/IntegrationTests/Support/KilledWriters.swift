import GhostTestSupport
import StoreClient
import TestBasics

extension TestDaemon {
    /// Runs writers, each with its own client, and kills the daemon while they write.
    ///
    /// - Parameter write: writes until the daemon no longer answers.
    /// - Returns: the results of the writers, by their numbers.
    func killed<Log: Sendable>(
        under writerCount: Int, after delay: Duration,
        _ write: @escaping @Sendable (_ number: Int, StoreClient) async -> Log
    ) async throws -> [Log] {
        // A short deadline, so that the writers do not wait long for the killed daemon.
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
