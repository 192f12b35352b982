import ServiceLifecycle
import Synchronization

/// Answers the watchdog from a task. If the agent cannot run tasks any more, no answer comes and the service manager
/// restarts the agent.
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
