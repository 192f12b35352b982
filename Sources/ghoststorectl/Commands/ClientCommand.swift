import ArgumentParser
import StoreClient

/// A command that talks to the daemon.
protocol ClientCommand: AsyncParsableCommand {
    var global: GlobalOptions { get }

    func run(_ session: Session) async throws
}

extension ClientCommand {
    func run() async throws {
        try await withSession(run)
    }

    /// Connects, does something and closes.
    func withSession(_ body: (Session) async throws -> Void) async throws {
        let session = Session(client: try await connect(), output: global.makeOutput(), global: global)
        try await body(session)
        try session.output.flush()
        await session.client.close()
    }

    private func connect() async throws(StoreClientError) -> StoreClient {
        var configuration = ClientConfiguration()
        configuration.clientName = "ghoststorectl/\(CommandVersion.text)"
        guard let seconds = global.timeout else {
            return try await StoreClient.connect(to: global.socket, configuration: configuration)
        }
        // The configured deadline holds for connecting and short calls, the given one for long work too.
        configuration.callDeadline = .seconds(seconds)
        configuration.connectTimeout = min(configuration.connectTimeout, .seconds(seconds))
        return try await StoreClient.connect(to: global.socket, configuration: configuration)
            .with(deadline: .seconds(seconds))
    }
}

/// What a command has while it runs. Used from one task.
struct Session {
    let client: StoreClient
    let output: Output
    let global: GlobalOptions

    /// Does long work under a progress bar.
    func withProgress<Result: Sendable>(
        _ label: String, _ body: (@escaping @Sendable (WorkProgress) -> Void) async throws -> Result
    ) async throws -> Result {
        let bar = global.progressBar(label)
        defer { bar.finish() }
        return try await body { progress in
            bar.update(
                done: UInt64(clamping: progress.done), total: progress.total.map { UInt64(clamping: $0) })
        }
    }

    /// Says what a mutation did.
    func show(_ commit: Commit) throws(CommandFailure) {
        try output.say(commit.sentence, json: commit.json)
    }
}
