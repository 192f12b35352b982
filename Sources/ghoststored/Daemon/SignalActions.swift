import Logging
import ServiceLifecycle
import ServiceSupport
import StoreServer
import UnixSignals

/// Handles the signals that do not end the daemon: SIGHUP reloads the configuration, SIGUSR1 locks the store.
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

/// Reads the configuration again and applies the settings that can change while the daemon runs: rules, trusted group
/// and log level. If the configuration has an error, nothing changes.
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
            case .success(let configuration): apply(configuration)
            case .failure(let error):
                for line in error.message.split(separator: "\n") {
                    logger.error("nothing was reloaded: the configuration is wrong", metadata: ["error": "\(line)"])
                }
            }
        }
    }

    private func load() -> Result<DaemonConfiguration, DaemonError> {
        do throws(DaemonError) {
            return .success(try DaemonConfiguration.load(request))
        } catch {
            return .failure(error)
        }
    }

    private func apply(_ configuration: DaemonConfiguration) {
        levelControl.level = configuration.logLevel
        server.reload(policy: configuration.policy, logLevel: configuration.logLevel)
        var metadata: Logger.Metadata = [
            "access_rules": "\(configuration.policy.ruleCount)", "trusted_group": "\(configuration.trustedGroup ?? "")",
            "log_level": "\(configuration.logLevel)",
        ]
        let waiting = configuration.settingsNeedingRestart(comparedTo: started)
        if !waiting.isEmpty {
            metadata["needs_restart"] = "\(waiting.joined(separator: ", "))"
        }
        logger.notice("access rules, trusted group and log level reloaded", metadata: metadata)
        configuration.tellAbsentTrustedGroup(logger)
    }
}

extension DaemonConfiguration {
    func tellAbsentTrustedGroup(_ logger: Logger) {
        guard let trustedGroup, policy.trustedGroup == nil else { return }
        logger.notice(
            "trusted_group names a group that does not exist, so no user gets rights from it",
            metadata: ["group": "\(trustedGroup)"])
    }
}
