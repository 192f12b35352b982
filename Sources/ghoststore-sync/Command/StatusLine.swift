import ServiceLifecycle
import ServiceSupport

/// Reports to the service manager that the agent is ready, its status, and that it stops.
struct StatusLine: Service {
    let notifier: ServiceNotifier
    let figures: AgentFigures
    private static let interval = Duration.seconds(10)

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
        notifier.send(.stopping, .status("finishing the work in progress"))
    }
}
