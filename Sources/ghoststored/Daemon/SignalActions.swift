internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

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
