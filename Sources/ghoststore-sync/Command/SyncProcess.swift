import Glibc
import Logging
import ServiceLifecycle
import ServiceSupport
import UnixSignals

/// Creates the parts of the agent and runs them until the agent stops.
enum SyncProcess {
    /// The time that running work gets to finish when the agent stops.
    private static let shutdownGrace = Duration.seconds(15)

    /// Sets process-wide properties. Call it before a second thread starts.
    static func prepare() {
        // The agent itself decides on the permissions of every file and folder that it creates, so a umask must not
        // change them.
        umask(0)
        // Without this, SIGPIPE would end the agent when libnats writes to a connection that the server has closed.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
    }

    static func logger(level: Logger.Level, environment: [String: String]) -> Logger {
        let levelControl = LogLevelControl(level)
        let format = LogLineFormat.detect(environment: environment)
        return Logger(label: "ghoststore-sync") { label in
            StandardErrorLogHandler(label: label, control: levelControl, format: format)
        }
    }

    static func run(_ configuration: SyncConfiguration, environment: [String: String]) async throws {
        let logger = logger(level: configuration.logLevel, environment: environment)
        let notifier: ServiceNotifier
        do throws(ServiceError) {
            notifier = try ServiceNotifier(notifySocket: environment["NOTIFY_SOCKET"])
        } catch {
            throw SyncError(error.code == .configuration ? .configuration : .internal, error.message)
        }
        let figures = AgentFigures()
        var agent = Agent(
            store: ClientReplicaStore(socketPath: configuration.file.text(.socket), logger: logger),
            carrier: configuration.carrier, figures: figures, logger: logger)
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
