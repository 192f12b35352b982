import Glibc
import Logging
import ServiceLifecycle
import ServiceSupport
import UnixSignals

/// Puts the parts together and runs them until the end.
enum SyncProcess {
    /// What is under way when the agent is to stop has so long: a request that waits for messages ends before.
    private static let shutdownGrace = Duration.seconds(15)

    /// What the process is set to before it has a second thread.
    static func prepare() {
        umask(0o077)
        // What libnats writes through OpenSSL to a server that is gone.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
    }

    static func run(_ configuration: SyncConfiguration, environment: [String: String]) async throws {
        let levelControl = LogLevelControl(configuration.logLevel)
        let format = LogLineFormat.detect(environment: environment)
        let logger = Logger(label: "ghoststore-sync") { label in
            StandardErrorLogHandler(label: label, control: levelControl, format: format)
        }
        let notifier: ServiceNotifier
        do throws(ServiceError) {
            notifier = try ServiceNotifier(notifySocket: environment["NOTIFY_SOCKET"])
        } catch {
            throw SyncError(error.code == .configuration ? .configuration : .internal, error.message)
        }
        let figures = AgentFigures()
        var agent = Agent(
            store: ClientReplicaStore(socketPath: configuration.file.text(.socket), logger: logger),
            transport: configuration.transport, settings: configuration.stream, figures: figures, logger: logger)
        agent.adjustsStream = configuration.file.flag(.adjust)
        agent.limits = configuration.limits
        var services: [any Service] = [agent]
        let metricsPath = configuration.file.text(.metricsFile)
        if !metricsPath.isEmpty {
            services.append(MetricsFile(path: metricsPath, figures: figures, logger: logger))
        }
        let heartbeat = Heartbeat()
        if let tick = Watchdog.tickInterval(environment: environment, processID: getpid()) {
            services += [
                heartbeat,
                Watchdog(
                    notifier: notifier, tickInterval: tick,
                    probes: [WatchdogProbe(name: "tasks") { heartbeat.ask($0) }], logger: logger),
            ]
        }
        services.append(StatusLine(notifier: notifier, figures: figures))
        try await serve(services, logger: logger)
        logger.notice("stopped")
    }

    private static func serve(_ services: [any Service], logger: Logger) async throws {
        var group = ServiceGroupConfiguration(
            services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = shutdownGrace
        do {
            try await ServiceGroup(configuration: group).run()
        } catch {
            throw SyncError(.internal, "a part of the agent failed: \(error)")
        }
    }
}
