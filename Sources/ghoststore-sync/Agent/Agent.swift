import Logging
import ReplicaTransport
import ServiceLifecycle

/// The agent's main service. It connects to the stream, reconnects after failures, and carries messages between the
/// stream and the daemon while it is connected.
struct Agent: Service {
    let store: any ReplicaStore
    let carrier: Carrier
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
                switch carrier {
                case .servers(let transport, let settings, let adjusts):
                    let connection = try await StreamConnection.connect(transport)
                    do {
                        logPresence(try await connection.prepareStream(settings, adjusts: adjusts), settings.name)
                        try await run(on: GroupStream(connection: connection, settings: settings))
                    } catch {
                        await connection.close()
                        throw error
                    }
                case .folder(let path, let name, let patience):
                    let folder = try await GroupFolder.open(path, name: name, patience: patience) { logger.log($0) }
                    logger.notice("the folder is in use", metadata: ["folder": "\(path)/\(name)"])
                    try await run(on: FolderStream(folder))
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

    private func run(on stream: any ReplicaStream) async throws {
        figures.set(.connected, 1)
        let session = Session(store: store, stream: wrap(stream), limits: limits, figures: figures, logger: logger)
        try await session.run()
    }

    private func logPresence(_ presence: StreamPresence, _ name: String) {
        let name: Logger.Metadata = ["stream": "\(name)"]
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

/// The way in which messages reach the other devices.
enum Carrier: Sendable {
    case servers(TransportConfiguration, StreamSettings, adjusts: Bool)
    /// A folder that another program carries. Messages that are missing for longer than `patience` count as lost.
    case folder(String, name: String, patience: Duration = GroupFolder.defaultPatience)
}
