import Logging
import ReplicaTransport
import ServiceLifecycle

/// The agent's main service. It connects to the stream, reconnects after failures, and carries messages between the
/// stream and the daemon while it is connected.
struct Agent: Service {
    let store: any ReplicaStore
    let transport: TransportConfiguration
    let settings: StreamSettings
    var adjustsStream = false
    var limits = AgentLimits()
    let figures: AgentFigures
    let logger: Logger
    /// Wraps the stream. Tests insert a layer between the agent and the stream.
    var wrap: @Sendable (any ReplicaStream) -> any ReplicaStream = { $0 }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await runSessions()
        }
    }

    /// Runs sessions until the task is cancelled.
    private func runSessions() async {
        var retry = ConnectionRetry(logger, figures)
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                let connection = try await StreamConnection.connect(transport)
                do {
                    try await run(on: connection)
                } catch {
                    await connection.close()
                    throw error
                }
            } catch {
                figures.set(.connected, 0)
                if ContinuousClock.now - start > Self.steadyTime { retry.succeeded() }
                await retry.failed(error)
            }
        }
    }

    /// The duration after which a connection counts as successful. After shorter connections, the pauses before the
    /// next attempts grow.
    private static let steadyTime = Duration.seconds(20)

    private func run(on connection: StreamConnection) async throws {
        let presence = try await connection.prepareStream(settings, adjusts: adjustsStream)
        figures.set(.connected, 1)
        logPresence(presence)
        let session = Session(
            store: store, stream: wrap(GroupStream(connection: connection, settings: settings)), limits: limits,
            figures: figures, logger: logger)
        try await session.run()
    }

    private func logPresence(_ presence: StreamPresence) {
        let name: Logger.Metadata = ["stream": "\(settings.name)"]
        switch presence {
        case .made: logger.notice("the stream was created", metadata: name)
        case .there(let differences):
            logger.notice("connected to the stream", metadata: name)
            for difference in differences {
                logger.notice(
                    "a setting of the stream differs from the configuration: the agent does not change the stream",
                    metadata: name.merging(["setting": "\(difference)"]) { $1 })
            }
        case .changed: logger.notice("the stream was changed to the configured settings", metadata: name)
        }
    }
}
