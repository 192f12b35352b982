import Dispatch
import Glibc
import Logging
import ServiceLifecycle
import ServiceSupport
import StoreCrypto
import StoreEngine
import StoreServer
import UnixSignals

/// Creates the engine, the sockets and the services of the daemon, runs the services until the end, and then shuts the
/// engine down.
enum Daemon {
    /// The seconds that the services get to end, in addition to the server's own shutdown time. Services that still run
    /// afterwards are cancelled.
    private static let shutdownGraceSeconds = 10

    /// - Throws: `DaemonError`.
    static func run(_ configuration: DaemonConfiguration, request: DaemonConfiguration.Request) async throws {
        let environment = request.environment
        let levelControl = LogLevelControl(configuration.logLevel)
        let format = LogLineFormat.detect(environment: environment)
        let logger = Logger(label: "ghoststored") { label in
            StandardErrorLogHandler(label: label, control: levelControl, format: format)
        }
        for name in ConfigurationSources.unknownVariables(in: environment) {
            logger.warning("an environment variable looks like a setting but is not one", metadata: ["name": "\(name)"])
        }
        let (notifier, inherited) = try connectServiceManager(environment)
        // The path of the socket is checked before the state directory is created, so that a daemon that cannot serve
        // leaves no files.
        try Listeners.checkPlace(configuration, inherited: inherited)
        configuration.logAbsentTrustedGroup(logger)
        ProcessSettings.warnOfDescriptorLimit(connectionsMax: configuration.server.connectionsMax, logger)
        let key = KeySource.choose(keyFile: configuration.keyFile, environment: environment)
        let engine = try StoreOpening.makeEngine(
            configuration, key: key, logger: logger,
            onLostDurability: { LostDurability.end($0, notifier: notifier, logger: logger) },
            onPageCipherFailure: { LostDurability.endInsideDatabase($0, format: format) })
        defer { engine.shutDown() }
        let listeners = try Listeners.open(
            configuration, inherited: inherited, accounts: .system, logger: logger)
        defer { listeners.forEach { $0.removeFile() } }
        try StoreOpening.open(engine, key: key, createsStore: configuration.createsStore, logger: logger)

        let server = StoreServer(
            engine: engine, configuration: configuration.server, policy: configuration.policy, listeners: listeners,
            logger: logger, audit: AuditLog(AuditOutput.choose(format, logger: logger)))
        let reload = Reload(
            request: request, started: configuration, levelControl: levelControl, server: server, notifier: notifier,
            logger: logger)
        let signals = await SignalActions(
            reload: { await reload.run() }, lock: { await lock(engine, logger: logger) })
        var services: [any Service] = [server, signals, FreedMemory()]
        if let tick = Watchdog.tickInterval(environment: environment, processID: getpid()) {
            services.append(
                Watchdog(
                    notifier: notifier, tickInterval: tick, probes: Liveness.probes(engine: engine, server: server),
                    logger: logger))
        }
        services.append(Announcer(notifier: notifier, state: { engine.state }))
        try await serve(services, drainSeconds: configuration.server.drainTimeoutSeconds, logger: logger)
        logger.notice("stopped")
    }

    private static func connectServiceManager(
        _ environment: [String: String]
    ) throws(DaemonError) -> (ServiceNotifier, [ListeningSocket]) {
        let inherited: [ListeningSocket]
        do throws(ServerError) {
            inherited = try SocketActivation.claimSockets(environment: environment)
        } catch {
            throw DaemonError(error)
        }
        do throws(ServiceError) {
            return (try ServiceNotifier(notifySocket: environment["NOTIFY_SOCKET"]), inherited)
        } catch {
            throw DaemonError(error)
        }
    }

    private static func serve(_ services: [any Service], drainSeconds: Int, logger: Logger) async throws {
        var group = ServiceGroupConfiguration(
            services: services.map { ServiceGroupConfiguration.ServiceConfiguration(service: $0) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(drainSeconds + shutdownGraceSeconds)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as DaemonError {
            throw error
        } catch {
            throw DaemonError(.internal, "a part of the daemon failed: \(error)")
        }
    }

    private static func lock(_ engine: StoreEngine, logger: Logger) async {
        let outcome = await runBlocking { () -> Result<Void, StoreError> in
            do throws(StoreError) {
                return .success(try engine.lock())
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success: logger.notice("the store was locked by a signal")
        case .failure(let error):
            logger.error("the store could not be locked", metadata: ["error": "\(error.message)"])
        }
    }
}

/// The sockets to serve: inherited ones if the service manager passed any, otherwise one that the daemon creates.
enum Listeners {
    /// - Throws: `DaemonError` if the daemon's own socket could not be created.
    static func checkPlace(
        _ configuration: DaemonConfiguration, inherited: [ListeningSocket]
    ) throws(DaemonError) {
        guard inherited.isEmpty else { return }
        do {
            try ListeningSocket.checkFolder(of: configuration.socketPath)
        } catch {
            throw DaemonError(error)
        }
    }

    /// - Throws: `DaemonError`.
    static func open(
        _ configuration: DaemonConfiguration, inherited: [ListeningSocket], accounts: AccountDirectory, logger: Logger
    ) throws(DaemonError) -> [ListeningSocket] {
        guard inherited.isEmpty else { return inherited }
        do {
            let socket = try ListeningSocket.create(
                path: configuration.socketPath, admitting: visitors(configuration, accounts, logger), logger: logger)
            return [socket]
        } catch {
            throw DaemonError(error)
        }
    }

    /// Returns the users with the right to connect. If the configured group does not exist, fewer users may connect,
    /// never more.
    private static func visitors(
        _ configuration: DaemonConfiguration, _ accounts: AccountDirectory, _ logger: Logger
    ) -> ListeningSocket.Visitors {
        guard let name = configuration.connectGroup else { return .everyone }
        guard let group = accounts.group(name) else {
            logger.warning(
                """
                connect_group names a group that does not exist: only root and the daemon's own user and group may \
                connect
                """,
                metadata: ["group": "\(name)"])
            return .own
        }
        return .group(group)
    }
}

/// The probes of the writer and the event loops, which must answer before the daemon reports to the watchdog that it is
/// alive.
enum Liveness {
    static func probes(engine: StoreEngine, server: StoreServer) -> [WatchdogProbe] {
        [
            WatchdogProbe(name: "writer") { engine.askWriter($0) },
            WatchdogProbe(name: "event loop") { server.askEventLoops($0) },
        ]
    }
}

/// Runs blocking work (storage, name look-ups) outside the cooperative thread pool, and waits for its result.
func runBlocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
}
