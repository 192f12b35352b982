package import Logging
import ServiceLifecycle
import StoreBasics
import Synchronization

/// A part of the program that must keep working for the service to count as alive.
package struct WatchdogProbe: Sendable {
    package let name: String
    /// Asks the part to show that it works. The part calls `answered` on any thread, or never if the part hangs.
    package let ask: @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void

    package init(name: String, ask: @escaping @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void) {
        self.name = name
        self.ask = ask
    }
}

/// Restarts the service manager's watchdog timer (sd_watchdog_enabled(3)) at half its interval, as long as all probes
/// answer. If the writer or an event loop hangs, the manager kills and restarts the process.
package struct Watchdog: Service {
    private let notifier: ServiceNotifier
    private let tickInterval: Duration
    private let probes: [WatchdogProbe]
    private let logger: Logger

    package init(notifier: ServiceNotifier, tickInterval: Duration, probes: [WatchdogProbe], logger: Logger) {
        self.notifier = notifier
        self.tickInterval = tickInterval
        self.probes = probes
        self.logger = logger
    }

    /// Returns half of `WATCHDOG_USEC`; `nil` if there is no watchdog, or if `WATCHDOG_PID` is the id of another
    /// process.
    package static func tickInterval(environment: [String: String], processID: Int32) -> Duration? {
        guard let text = environment["WATCHDOG_USEC"], let microseconds = Int64(text), microseconds > 0 else {
            return nil
        }
        if let owner = environment["WATCHDOG_PID"], owner != "\(processID)" {
            return nil
        }
        return .microseconds(max(microseconds / 2, 1))
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await notifyUntilCancelled()
        }
    }

    /// Notifies the manager at each tick if all probes have answered since the previous tick, then asks them again.
    /// After a tick at which a probe had not answered, the next tick comes sooner, so that the manager is notified soon
    /// after the probe answers again.
    private func notifyUntilCancelled() async {
        notifier.send(.watchdog)
        var answers = ask()
        var pause = tickInterval
        while (try? await Task.sleep(for: pause)) != nil {
            let silent = zip(probes, answers).filter { !$0.1.isThere }.map(\.0.name)
            if silent.isEmpty {
                notifier.send(.watchdog)
                pause = tickInterval
            } else {
                logger.error(
                    "a thread does not answer, so systemd's watchdog is not notified",
                    metadata: ["parts": "\(silent.joined(separator: ", "))"])
                pause = tickInterval / Self.retriesPerTick
            }
            answers = ask()
        }
    }

    private static let retriesPerTick = 8

    private func ask() -> [Answer] {
        probes.map { probe in
            let answer = Answer()
            probe.ask { answer.arrive() }
            return answer
        }
    }

    private final class Answer: Sendable {
        private let arrived = Atomic(false)

        var isThere: Bool {
            arrived.load(ordering: .acquiring)
        }

        func arrive() {
            arrived.store(true, ordering: .releasing)
        }
    }
}
