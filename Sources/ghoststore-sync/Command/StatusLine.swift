import ServiceLifecycle
import ServiceSupport
import Synchronization

/// Tells the service manager that the agent is ready, how it stands, and that it stops.
struct StatusLine: Service {
    let notifier: ServiceNotifier
    let figures: AgentFigures
    private static let interval = Duration.seconds(2)

    func run() async throws {
        let first = figures.line
        notifier.send(.ready, .status(first))
        await cancelWhenGracefulShutdown {
            var shown = first
            while (try? await Task.sleep(for: Self.interval)) != nil {
                let current = figures.line
                if current != shown {
                    notifier.send(.status(current))
                    shown = current
                }
            }
        }
        notifier.send(.stopping, .status("finishing what is under way"))
    }
}

/// Answers the watchdog from a task: where none gets its turn any more, it is silent.
final class Heartbeat: Service {
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private static let interval = Duration.milliseconds(500)

    func ask(_ answered: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(answered) }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                let asked = self.waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                asked.forEach { $0() }
            }
        }
    }
}
