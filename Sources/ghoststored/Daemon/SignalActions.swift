import Glibc
import Logging
import ServiceLifecycle
import StoreServer
import UnixSignals

/// Acts on the signals that do not end the daemon: SIGHUP reloads, SIGUSR1 locks the store.
struct SignalActions: Service {
    let signals: UnixSignalsSequence
    let reload: @Sendable () async -> Void
    let lock: @Sendable () async -> Void

    init(reload: @escaping @Sendable () async -> Void, lock: @escaping @Sendable () async -> Void) async {
        signals = await UnixSignalsSequence(trapping: .sighup, .sigusr1)
        self.reload = reload
        self.lock = lock
    }

    func run() async throws {
        for await signal in signals.cancelOnGracefulShutdown() {
            switch signal {
            case .sighup: await reload()
            default: await lock()
            }
        }
    }
}

/// Reads the configuration again and puts in force what can change while the daemon runs: rules and log level.
/// With an error in it, everything stays as it was.
struct Reload: Sendable {
    let request: DaemonConfiguration.Request
    let started: DaemonConfiguration
    let levelControl: LogLevelControl
    let server: StoreServer
    let notifier: ServiceNotifier
    let logger: Logger

    func run() async {
        await notifier.reload {
            switch await runBlocking({ load() }) {
            case .success(let (configuration, policy)): apply(configuration, policy)
            case .failure(let error):
                logger.error(
                    "nothing was reloaded: the configuration is wrong", metadata: ["error": "\(error.message)"])
            }
        }
    }

    private func load() -> Result<(DaemonConfiguration, AccessPolicy), DaemonError> {
        do throws(DaemonError) {
            let configuration = try DaemonConfiguration.load(request)
            return .success((configuration, try configuration.accessPolicy(ownUser: geteuid(), accounts: .system)))
        } catch {
            return .failure(error)
        }
    }

    private func apply(_ configuration: DaemonConfiguration, _ policy: AccessPolicy) {
        levelControl.level = configuration.logLevel
        server.reload(policy: policy, logLevel: configuration.logLevel)
        let waiting = configuration.settingsNeedingRestart(comparedTo: started)
        logger.notice(
            "access rules and log level reloaded",
            metadata: waiting.isEmpty ? [:] : ["needs_restart": "\(waiting.joined(separator: ", "))"])
    }
}
