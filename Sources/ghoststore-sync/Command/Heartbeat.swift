import ServiceLifecycle

/// Answers the watchdog from a task. If the agent cannot run tasks any more, no answer comes and the service manager
/// restarts the agent.
final class Heartbeat: Service {
    private let (questions, asking) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)

    func ask(_ answered: @escaping @Sendable () -> Void) {
        asking.yield(answered)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await answered in self.questions { answered() }
        }
    }
}
